// How to decide best where a rule leaves something open, in sentences.

import {h, sentence} from './dom.js';
import {bars, isNumber} from './odds.js';
import {refusal} from './problems.js';
import {texts} from './texts.js';

/** What one may aim at, each with its title: an outcome of the odds, or a number of the form. */
export function aims(odds, form) {
  const [first] = odds?.ok ? odds.tables : [];
  const outcomes = first && !isNumber(first) ? first.rows.map(row => [row.label.replaceAll(' ', '_'), row.label]) : [];
  return [...outcomes, ...form.numbers.map(number => [number.name, number.title])];
}

/** The answer to a strategy, below menus that `seek` another one. */
export function strategyPanel(reply, {goal, of}, known, seek) {
  const menu = (name, label, choices, chosen, act) =>
    h(
      'select',
      {'aria-label': label, 'data-focus': name, onchange: event => act(event.target.value)},
      ...choices.map(([value, title]) => h('option', {value, selected: value === chosen}, title)),
    );
  const menus = h(
    'div',
    {class: 'row'},
    h('span', {class: 'note'}, texts.strategyGoal),
    menu('goal', texts.goal, Object.entries(texts.goals), goal, next => seek(next, of)),
    menu('aim', texts.strategyOf, known, of, next => seek(goal, next)),
  );
  if (!reply.ok) return [menus, refusal(reply)];
  const tables = reply.tables.slice(0, 1).filter(table => !isNumber(table));
  return [
    menus,
    ...reply.sentences.map(line => h('p', {}, ...sentence(line))),
    ...tables.map(table => bars(table, false)),
  ];
}
