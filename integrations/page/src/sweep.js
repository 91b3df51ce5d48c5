// The chances of all outcomes along one input: a line for each, that of the base dashed.

import {h, plotWidth, svg} from './dom.js';
import {colour, percent} from './odds.js';
import {texts} from './texts.js';

const HEIGHT = 200;
const LEFT = 40;
const RIGHT = 110;
const BOTTOM = 26;
const LABEL = 42; // the width of a value below the lines
const MOST_POINTS = 15;
const LINE = 14; // between the names at the ends of lines

const spaced = name => name.replaceAll('_', ' ');

/** The inputs along which odds can be drawn. */
export const inputsToVary = form =>
  form.inputs.filter(input => input.kind === 'number' || (input.kind === 'words' && input.words.length > 2));

/** The values of an input that a sweep takes: all words, or numbers around the present one. */
export function valuesOf(input, present) {
  if (input.kind === 'words') return input.words.map(word => word.value);
  const at = Number.parseInt(present, 10) || 0;
  const half = (MOST_POINTS - 1) / 2;
  const low = Math.max(input.low ?? -Infinity, Math.min(at - half, (input.high ?? Infinity) - MOST_POINTS + 1));
  const high = Math.min(input.high ?? Infinity, low + MOST_POINTS - 1);
  return Array.from({length: high - low + 1}, (_, place) => String(low + place));
}

/** The drawing of a sweep: `sweep` has `points`, the `input` and its present value `at`. */
export function sweepPanel(sweep, compared, form, choose) {
  const points = sweep.points.filter(point => point.now);
  if (points.length < 2) return [];
  const width = plotWidth();
  const labels = [...new Set(points.flatMap(point => [...Object.keys(point.now), ...Object.keys(point.base ?? {})]))];
  const x = place => LEFT + ((width - LEFT - RIGHT) * place) / (points.length - 1);
  const y = share => HEIGHT - BOTTOM - (HEIGHT - BOTTOM - 12) * share;
  const title = value => sweep.input.words?.find(word => word.value === value)?.title ?? value;
  const picture = svg('svg', {viewBox: `0 0 ${width} ${HEIGHT}`, class: 'plot', 'aria-hidden': 'true'});
  for (const part of [0, 0.25, 0.5, 0.75, 1]) {
    picture.append(svg('line', {x1: LEFT, x2: width - RIGHT, y1: y(part), y2: y(part), class: 'axis'}));
    if (part % 0.5 === 0)
      picture.append(svg('text', {x: LEFT - 6, y: y(part) + 4, 'text-anchor': 'end'}, `${100 * part}%`));
  }
  const present = points.findIndex(point => point.at === sweep.at);
  if (present >= 0)
    picture.append(svg('line', {x1: x(present), x2: x(present), y1: y(0), y2: y(1) - 4, class: 'present'}));
  const every = Math.ceil(points.length / ((width - LEFT - RIGHT) / LABEL));
  points.forEach((point, place) => {
    if (place % every === 0)
      picture.append(svg('text', {x: x(place), y: HEIGHT - 8, 'text-anchor': 'middle'}, title(point.at)));
  });

  const ends = [];
  labels.forEach((label, place) => {
    const path = side =>
      points
        .map((point, at) =>
          point[side]
            ? `${at && points[at - 1][side] ? 'L' : 'M'}${x(at).toFixed(1)} ${y(point[side][label] ?? 0).toFixed(1)}`
            : '',
        )
        .join('');
    if (compared) picture.append(svg('path', {d: path('base'), class: 'curve base', style: `stroke:${colour(place)}`}));
    picture.append(svg('path', {d: path('now'), class: 'curve', style: `stroke:${colour(place)}`}));
    ends.push({label, place, height: y(points.at(-1).now[label] ?? 0)});
  });
  let last = -Infinity;
  for (const end of ends.sort((one, other) => one.height - other.height)) {
    last = Math.max(end.height, last + LINE);
    picture.append(
      svg(
        'text',
        {x: width - RIGHT + 8, y: last + 4, class: 'name', style: `fill:${colour(end.place)}`},
        spaced(end.label),
      ),
    );
  }
  const inputs = inputsToVary(form);
  const table = h(
    'table',
    {class: 'apart'},
    h('caption', {}, texts.sweepOf(sweep.input.title)),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        h('th', {scope: 'col'}, sweep.input.title),
        ...labels.map(label => h('th', {scope: 'col'}, spaced(label))),
      ),
    ),
    h(
      'tbody',
      {},
      ...points.map(point =>
        h(
          'tr',
          {},
          h('th', {scope: 'row'}, title(point.at)),
          ...labels.map(label => h('td', {}, percent(point.now[label] ?? 0))),
        ),
      ),
    ),
  );
  return [
    h(
      'div',
      {class: 'panel'},
      h(
        'div',
        {class: 'head'},
        h('h3', {}, texts.along),
        inputs.length > 1
          ? h(
              'select',
              {'aria-label': texts.alongInput, 'data-focus': 'along', onchange: event => choose(event.target.value)},
              ...inputs.map(input =>
                h(
                  'option',
                  {value: input.name, selected: input === sweep.input || input.name === sweep.input.name},
                  input.title,
                ),
              ),
            )
          : sweep.input.title,
        h('span', {class: 'gap'}),
        compared && h('span', {class: 'note'}, texts.sweepLegend),
      ),
      picture,
      table,
    ),
  ];
}
