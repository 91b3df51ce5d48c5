// Chances as bars, as columns and as the strip below the editor.

import {h, plotWidth, svg} from './dom.js';
import {texts} from './texts.js';

const LEAST_SCALE = 0.25; // a bar of the whole width stands for no less than this
const COLOURS = 6;

export const colour = place => `var(--hue-${place % COLOURS})`;

const isZero = chance => !chance || chance.share === 0;
const seen = rows => rows.filter(row => !isZero(row.chance) || !isZero(row.base));

/** Whether a result is yes or no, so that one row says it. */
export const isFlag = table =>
  table.rows.length <= 2 && table.rows.every(row => row.label === 'yes' || row.label === 'no');

/** Whether a result is a number, so that its values have an order. */
export const isNumber = table =>
  table.numeric && table.rows.length > 0 && table.rows.every(row => /^-?\d/.test(row.label));

/** What a chance has become, in points: no colours, since fewer misses are good. */
function change(row) {
  if (!row.base) return '';
  const points = row.points.replace(/[+\-−%]/g, '');
  if (!points || Number.parseFloat(points) === 0) {
    return h('span', {title: texts.same}, row.chance.share === row.base.share ? '=' : '≈');
  }
  const arrow = row.chance.share < row.base.share ? '▼' : '▲';
  return h(
    'b',
    {},
    h('span', {'aria-hidden': 'true'}, `${arrow} `),
    h('span', {class: 'apart'}, row.points[0] === '+' ? '+' : '−'),
    texts.points(points),
  );
}

/** Results in words as rows: a label, a bar, that of the base below it, the chance, and the difference. */
export function bars(table, compared, flags = []) {
  const also = flags.map(flag => ({
    ...(flag.rows.find(row => row.label === 'yes') ?? {
      chance: {share: 0, percent: '0%', fraction: ''},
      base: compared ? {share: 0, percent: '0%', fraction: ''} : null,
      points: '',
    }),
    label: flag.title,
  }));
  const rows = table ? seen(table.rows) : [];
  const scale = Math.max(LEAST_SCALE, ...[...rows, ...also].flatMap(row => [row.chance.share, row.base?.share ?? 0]));
  const name = table?.title ?? '';
  const line = (row, place, kind) =>
    h(
      'tr',
      {class: kind},
      h('th', {scope: 'row'}, row.label),
      h(
        'td',
        {class: 'track', 'aria-hidden': 'true'},
        h('i', {'data-bar': `${name} ${row.label}`, style: `width:${(100 * row.chance.share) / scale}%`}),
        compared &&
          h('s', {'data-bar': `${name} ${row.label} base`, style: `width:${(100 * (row.base?.share ?? 0)) / scale}%`}),
      ),
      h(
        'td',
        {class: 'figure'},
        h('b', {}, row.chance.percent),
        row.chance.fraction.includes('/') && h('small', {}, row.chance.fraction),
      ),
      compared && h('td', {class: 'apart'}, row.base?.percent ?? ''),
      compared && h('td', {class: 'change'}, change(row)),
    );
  return h(
    'div',
    {class: 'panel'},
    h(
      'table',
      {class: 'bars'},
      h('caption', {class: 'apart'}, texts.chancesOf(name || texts.outcome)),
      h(
        'thead',
        {class: 'apart'},
        h(
          'tr',
          {},
          h('th', {scope: 'col'}, texts.outcome),
          h('td'),
          h('th', {scope: 'col'}, texts.chance),
          compared && h('th', {scope: 'col'}, texts.withoutRule),
          compared && h('th', {scope: 'col'}, texts.difference),
        ),
      ),
      h(
        'tbody',
        {},
        ...rows.map((row, place) => line(row, place, '')),
        ...also.map((row, place) => line(row, place, place === 0 && rows.length ? 'also first' : 'also')),
      ),
    ),
    table?.missing && h('p', {class: 'note'}, texts.missing(table.missing.percent)),
  );
}

const HEIGHT = 190;
const LEFT = 40;
const BOTTOM = 22;
const LABEL = 38; // the width of a number below its column

export function percent(share) {
  if (share === 0 || share >= 0.9995) return `${Math.round(100 * share)}%`;
  return share < 0.001 ? '<0.1%' : `${(100 * share).toFixed(1)}%`;
}

/**
 * A number as columns, the base as a line of steps, and a slider that reads a value out.
 *
 * `settings` has `tail` and `at`, the value that is read; `asks` has `tail(name)`, `number(name)` and `at(value)`.
 */
export function columns(table, compared, numbers, settings, asks) {
  const width = plotWidth();
  const rows = table.rows
    .map(row => ({...row, value: Number.parseInt(row.label, 10)}))
    .filter(row => Number.isFinite(row.value));
  const [low, high] = [rows[0].value, rows.at(-1).value];
  const wide = (width - LEFT) / (high - low + 1);
  const top = Math.max(1e-9, ...rows.flatMap(row => [row.chance.share, row.base?.share ?? 0]));
  const x = value => LEFT + (value - low) * wide;
  const y = share => HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - 10) * share) / top;
  const label = (at, text, anchor) => svg('text', {...at, 'text-anchor': anchor}, text);

  const picture = svg('svg', {viewBox: `0 0 ${width} ${HEIGHT}`, class: 'plot', 'aria-hidden': 'true'});
  for (const part of [0, 0.5, 1]) {
    picture.append(
      svg('line', {x1: LEFT, x2: width, y1: y(top * part), y2: y(top * part), class: 'axis'}),
      label({x: LEFT - 6, y: y(top * part) + 4}, percent(top * part), 'end'),
    );
  }
  // Rows of a long law stand for intervals, so a column reaches to the next one.
  const spans = rows.map((row, place) =>
    place + 1 < rows.length && settings.grouped ? rows[place + 1].value - row.value : 1,
  );
  const boxes = rows.map((row, place) =>
    svg('rect', {
      x: x(row.value) + Math.min(1, wide / 10),
      width: Math.max(0.8, spans[place] * wide - Math.min(2, wide / 5)),
      y: y(row.chance.share),
      height: Math.max(0, HEIGHT - BOTTOM - y(row.chance.share)),
      class: 'column',
    }),
  );
  picture.append(...boxes);
  if (compared) picture.append(svg('path', {d: steps(rows, low, high, x, y, wide), class: 'steps'}));
  const every = Math.ceil((high - low + 1) / ((width - LEFT) / LABEL));
  for (let value = Math.ceil(low / every) * every; value <= high; value += every) {
    picture.append(label({x: x(value) + wide / 2, y: HEIGHT - 6}, String(value), 'middle'));
  }

  const nearest = value =>
    rows.reduce((best, row) => (Math.abs(row.value - value) < Math.abs(best.value - value) ? row : best));
  const tailText = texts.tails.find(([name]) => name === settings.tail)[1];
  const reading = h('p', {class: 'reading', 'aria-live': 'polite'});
  const slider = h('input', {
    type: 'range',
    min: 0,
    max: rows.length - 1,
    'data-focus': 'slider',
    'aria-label': texts.valueOf(table.title),
    oninput: () => read(rows[slider.value]),
  });
  const read = (row, chosen = true) => {
    const place = rows.indexOf(row);
    if (chosen) asks.at(row.value);
    slider.value = place;
    slider.setAttribute('aria-valuetext', `${tailText} ${row.label}: ${row.chance.percent}`);
    boxes.forEach((box, other) => box.classList.toggle('chosen', other === place));
    reading.replaceChildren(
      texts.reading(tailText, row.label),
      h('b', {}, row.chance.percent),
      row.chance.fraction.includes('/') ? ` = ${row.chance.fraction}` : '',
      row.base ? texts.was(row.base.percent) : '',
    );
  };
  picture.onpointermove = event => {
    const box = picture.getBoundingClientRect();
    read(nearest(Math.floor(low + (((event.clientX - box.left) / box.width) * width - LEFT) / wide)));
  };
  read(nearest(settings.at ?? Number(table.mean ?? low)), false);

  const heading =
    numbers.some(one => one.name === table.name) && numbers.length > 1
      ? h(
          'select',
          {
            'aria-label': texts.numberToShow,
            'data-focus': 'number',
            onchange: event => asks.number(event.target.value),
          },
          ...numbers.map(one => h('option', {value: one.name, selected: one.name === table.name}, one.title)),
        )
      : h('h3', {}, table.title);
  return h(
    'div',
    {class: 'panel'},
    h(
      'div',
      {class: 'head'},
      heading,
      table.mean !== null &&
        h('span', {class: hasMoved(table) ? 'note moved' : 'note'}, texts.average(table.mean, table.mean_base)),
      h('span', {class: 'gap'}),
      tails(settings.tail, asks.tail),
    ),
    picture,
    slider,
    reading,
    table.missing && h('p', {class: 'note'}, texts.missing(table.missing.percent)),
  );
}

function steps(rows, low, high, x, y, wide) {
  const shares = new Map(rows.map(row => [row.value, row.base?.share ?? 0]));
  let path = '';
  let before = 0;
  for (let value = low; value <= high; value += 1) {
    before = shares.get(value) ?? (shares.size > 150 ? before : 0);
    path += `${path ? 'L' : 'M'}${x(value).toFixed(1)} ${y(before).toFixed(1)}H${(x(value) + wide).toFixed(1)}`;
  }
  return path;
}

function tails(chosen, choose) {
  return h(
    'span',
    {class: 'segments', role: 'radiogroup', 'aria-label': texts.tail},
    ...texts.tails.map(([name, text]) =>
      h(
        'label',
        {},
        h('input', {
          type: 'radio',
          name: 'tail',
          value: name,
          checked: name === chosen,
          'data-focus': `tail ${name}`,
          onchange: () => choose(name),
        }),
        text,
      ),
    ),
  );
}

const hasMoved = table => table.mean !== null && table.mean_base !== null && table.mean !== table.mean_base;

/** The chances of a table as a sentence, for those who hear the page. */
export function inWords(table) {
  if (isNumber(table)) return table.mean === null ? '' : `${table.title}: ${texts.average(table.mean, table.mean_base)}`;
  if (isFlag(table)) return '';
  const differs = row => row.base && row.base.share !== row.chance.share;
  return seen(table.rows)
    .map(row => `${row.label} ${row.chance.percent}${differs(row) ? texts.was(row.base.percent) : ''}`)
    .join(', ');
}

/** Outcomes as one stacked line, the base as a thin one below, and figures: the odds while one types on a phone. */
export function strip([table, ...others], compared) {
  if (!table || isNumber(table)) return [];
  const moved = others.filter(other => isNumber(other) && hasMoved(other));
  const rows = seen(table.rows);
  const line = (kind, share) =>
    h(
      'span',
      {class: `line ${kind}`, 'aria-hidden': 'true'},
      ...rows.map((row, place) => h('i', {style: `flex:${share(row)} 0 0;background:${colour(place)}`})),
    );
  return [
    h('span', {class: 'apart'}, `${texts.strip}: `),
    line('', row => row.chance.share),
    compared ? line('base', row => row.base?.share ?? 0) : '',
    h(
      'span',
      {class: 'key'},
      ...rows.map((row, place) =>
        h(
          'span',
          {},
          h('i', {style: `background:${colour(place)}`}),
          `${row.label} ${row.chance.percent} `,
          compared ? change(row) : '',
        ),
      ),
      ...moved.map(other => h('b', {}, `${other.title}: ${texts.average(other.mean, other.mean_base)}`)),
    ),
  ];
}
