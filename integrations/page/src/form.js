// The form of a mechanic: a field for each input, made from the rules.

import {h} from './dom.js';
import {texts} from './texts.js';

const MOST_AT_ONCE = 6; // more inputs than these are folded, those first that need no value

/** The menu of all mechanics, those first that the house rule touches. */
export function mechanicMenu(select, game, chosen) {
  const touched = new Set(game.touched);
  const option = form => h('option', {value: form.name, selected: form.name === chosen}, form.title);
  const first = game.mechanics.filter(form => touched.has(form.name));
  const others = game.mechanics.filter(form => !touched.has(form.name));
  select.replaceChildren(
    ...(first.length && others.length
      ? [
          h('optgroup', {label: texts.changedRules}, ...first.map(option)),
          h('optgroup', {label: texts.otherRules}, ...others.map(option)),
        ]
      : game.mechanics.map(option)),
  );
}

/** Fields for the inputs of a mechanic; `values` are changed as somebody types, and `changed` is called then. */
export function fields(form, values, changed) {
  const field = input =>
    FIELDS[input.kind](input, values[input.name], value => {
      values[input.name] = value;
      changed();
    });
  if (form.inputs.length <= MOST_AT_ONCE) return form.inputs.map(field);
  const needed = form.inputs.filter(input => input.required || input.kind === 'number' || input.kind === 'dice');
  const others = form.inputs.filter(input => !needed.includes(input));
  if (!others.length) return form.inputs.map(field);
  const changes = others.some(input => values[input.name] !== input.value);
  const names = others.map(input => input.title).join(', ');
  return [
    ...needed.map(field),
    h(
      'details',
      {class: 'more', open: changes},
      h('summary', {}, texts.moreInputs(others.length, names)),
      h('div', {class: 'fields'}, ...others.map(field)),
    ),
  ];
}

const FIELDS = {
  yes_no: (input, value, set) =>
    h(
      'label',
      {class: 'check', title: input.about},
      h('input', {
        type: 'checkbox',
        checked: value === 'yes',
        onchange: event => set(event.target.checked ? 'yes' : 'no'),
      }),
      input.title,
    ),
  words: (input, value, set) =>
    h(
      'label',
      {class: 'field', title: input.about},
      input.title,
      h(
        'select',
        {onchange: event => set(event.target.value)},
        ...input.words.map(word =>
          h('option', {value: word.value, selected: word.value === value, title: word.about}, word.title),
        ),
      ),
    ),
  number: numberField,
  dice: textField,
  text: textField,
};

function textField(input, value, set) {
  return h(
    'label',
    {class: `field of-${input.kind}`, title: input.about},
    input.title,
    h('input', {value, spellcheck: 'false', autocapitalize: 'off', oninput: event => set(event.target.value)}),
  );
}

function numberField(input, value, set) {
  const step = by => () => {
    const next = (Number.parseInt(box.value, 10) || 0) + by;
    box.value = String(Math.min(input.high ?? next, Math.max(input.low ?? next, next)));
    take();
  };
  const take = () => {
    box.setAttribute('aria-valuenow', Number.parseInt(box.value, 10) || 0);
    set(box.value);
  };
  const box = h('input', {
    inputmode: 'numeric',
    value,
    role: 'spinbutton',
    'aria-label': input.title,
    'aria-valuenow': Number.parseInt(value, 10) || 0,
    'aria-valuemin': input.low,
    'aria-valuemax': input.high,
    oninput: take,
    onkeydown: event => {
      const by = {ArrowUp: 1, ArrowDown: -1}[event.key];
      if (!by) return;
      event.preventDefault();
      step(by)();
    },
  });
  return h(
    'div',
    {class: 'field', title: input.about},
    h('span', {'aria-hidden': 'true'}, input.title),
    h(
      'div',
      {class: 'number'},
      // The arrow keys do the same in the box, so that Tab goes from number to number.
      h('button', {type: 'button', tabindex: -1, 'aria-label': texts.less(input.title), onclick: step(-1)}, '−'),
      box,
      h('button', {type: 'button', tabindex: -1, 'aria-label': texts.add(input.title), onclick: step(1)}, '+'),
    ),
  );
}
