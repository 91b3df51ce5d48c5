// A roll: its outcome, the dice as shapes, and what happened, to unfold.

import {h, sentence, svg} from './dom.js';
import {texts} from './texts.js';

const CORNERS = {3: 3, 4: 3, 6: 4, 8: 4, 10: 5, 12: 5, 20: 6, 100: 8}; // of the shape of a die, by its size

/** A die with the face that it shows. */
function drawnDie({die, face, counts: worth}) {
  const size = Number.parseInt(die.replace(/\D/g, ''), 10) || 6;
  const corners = CORNERS[size] ?? 6;
  const [turned, radius] = size === 6 ? [Math.PI / 4, 30] : [0, 26];
  const middle = corners === 3 ? 35 : 30;
  const points = Array.from({length: corners}, (_, place) => {
    const angle = -Math.PI / 2 + turned + (2 * Math.PI * place) / corners;
    return [30 + radius * Math.cos(angle), middle + radius * Math.sin(angle)].map(part => part.toFixed(1)).join();
  }).join(' ');
  const says = texts.dieShows(die, face) + (worth ? `, ${texts.countsAs(worth)}` : '');
  return h(
    'div',
    {class: 'die', role: 'img', 'aria-label': says, title: says},
    svg(
      'svg',
      {viewBox: '0 0 60 60'},
      svg('polygon', {points}),
      svg('text', {x: 30, y: corners === 3 ? 42 : 38}, face),
    ),
    h('span', {'aria-hidden': 'true'}, worth ? `${die} → ${worth}` : die),
  );
}

/** Lines with depths as a tree: each a line and the lines below it. */
export function treeOf(lines) {
  const roots = [];
  const path = [{depth: -1, below: roots}];
  for (const line of lines) {
    while (path.at(-1).depth >= line.depth) path.pop();
    const node = {line, depth: line.depth, below: []};
    path.at(-1).below.push(node);
    path.push(node);
  }
  return roots;
}

/** A tree of lines as a list that unfolds. */
export function traceList(nodes) {
  const text = ({name, text: said, cites}) => [
    name && h('span', {class: 'name'}, `${name.replaceAll('_', ' ')}: `),
    said,
    cites?.length ? h('small', {}, ` [${cites.join(', ')}]`) : null,
  ];
  return h(
    'ol',
    {},
    ...nodes.map(({line, below}) =>
      h(
        'li',
        {},
        below.length
          ? h('details', {}, h('summary', {}, ...text(line).filter(Boolean)), traceList(below))
          : text(line).filter(Boolean),
      ),
    ),
  );
}

/** What a roll has given: of its values those with these names; `table` has the odds of its outcomes. */
export function rolled(reply, table, names) {
  const outcome = reply.outcome?.title.replaceAll('_', ' ') ?? texts.done;
  const row = table?.rows.find(one => one.label === outcome);
  const facts = [
    row && texts.comesUp(row.chance.percent),
    ...reply.values.filter(value => names.includes(value.name)).map(value => `${value.title}: ${value.text}`),
    texts.seed(reply.seed),
  ].filter(Boolean);
  return [
    h('p', {class: 'result'}, outcome),
    h('p', {class: 'note'}, facts.join(' · ')),
    h('div', {class: 'dice'}, ...reply.dice.map(drawnDie)),
  ];
}

/** The steps of a roll, to unfold, and why it came out so. */
export function rollSteps(reply) {
  return [
    h('h3', {}, texts.whatHappened),
    h('div', {class: 'trace'}, traceList(treeOf(reply.lines))),
    reply.why.length
      ? h(
          'details',
          {class: 'why'},
          h('summary', {}, texts.why),
          ...reply.why.map(line => h('p', {}, ...sentence(line))),
        )
      : '',
  ];
}
