// The page: what is open, and how its parts follow from it.
//
// Whatever changes the text asks for a check; a check without errors, a field or a menu asks for odds. The newest
// question of a kind counts, so what is shown is never older than a question that has been answered.

import {prepareBegin} from './begin.js';
import {Engine} from './client.js';
import {byId, h, replace} from './dom.js';
import {Editor} from './editor.js';
import {examples, ownRule, RULES} from './examples.js';
import {fields, mechanicMenu} from './form.js';
import {unpack} from './link.js';
import {bars, columns, inWords, isFlag, isNumber, strip} from './odds.js';
import {Table} from './play.js';
import {problemList, refusal} from './problems.js';
import {rolled, rollSteps} from './roll.js';
import {prepareShare} from './share.js';
import {keep, kept} from './store.js';
import {aims, strategyPanel} from './strategy.js';
import {inputsToVary, sweepPanel, valuesOf} from './sweep.js';
import {texts} from './texts.js';
import {prepareTheme} from './theme.js';
import {readWork, VIEWS} from './work.js';

const MOST_PAUSE = 20; // milliseconds after a key before the text is checked, less where checks are fast
const PAUSE_OF_SWEEP = 300; // milliseconds after the odds before a sweep begins
const PAUSE_OF_TELLING = 1200; // milliseconds after the odds before they are told to those who hear the page
const SHOWN_WORK = 400; // milliseconds after which work is shown, with a button that stops it
const AT_A_TIME = 3; // points of a sweep in one call, so that a key waits for few of them
const LONG = 60_000; // milliseconds, for what takes long on a phone: a large game, its rulebook
const SECONDS_OF_ODDS = 6;
const WORK = 'houserule'; // the name of what is kept
const BEFORE = 'houserule before'; // and of what somebody wrote and left for something else

const state = {
  files: {[RULES]: ''},
  main: RULES,
  base: null, // what the house rule extends, where its text is shown: `file`, `text`, `changed`
  fixed: false, // whether the editor shows the base
  checked: null, // the last reply to a check
  game: null, // of the last text without errors
  form: null,
  mechanic: '',
  chosen: false, // whether somebody has chosen the mechanic; else it is one that the house rule touches
  values: {}, // of the inputs, by mechanic
  number: '',
  tail: 'exactly',
  at: null, // the value that somebody reads off the columns
  atOf: '', // of which number
  odds: null,
  along: '',
  sweep: null,
  view: 'see',
  revision: 0, // of the text
  written: false, // whether somebody has written in it
  message: '',
};

// The engine ------------------------------------------------------------------------------------------------------

const checkCall = () => ({do: 'check', files: state.files, main: state.main});
const engine = new Engine(toldOfEngine, () => state.game && checkCall());
let lastWork = null;

function toldOfEngine(phase, why) {
  document.documentElement.dataset.engine = phase;
  if (phase === 'starting' && !state.checked) showState(texts.starting, 'busy');
  if (phase === 'failed') {
    console.error(why);
    showState(texts.failed, 'bad');
    if (!state.odds) replace(byId('odds'), h('div', {class: 'refused', role: 'alert'}, texts.failed));
  }
  if (phase === 'ready') {
    const remember = () => navigator.serviceWorker?.register('service-worker.js').catch(error => console.warn(error));
    if (isSecureContext) setTimeout(remember, 1500);
    if (!gamesKnown) engine.ask({do: 'bundled'}, {low: true}).then(reply => reply?.ok && knowGames(reply.games));
  }
}

/** Asks the engine; work that takes longer is shown, and can be stopped. */
async function ask(call, options = {}) {
  const work = {};
  if (!options.quiet) {
    lastWork = work;
    setTimeout(() => lastWork === work && engine.ready && showWork(true), SHOWN_WORK);
  }
  const reply = await engine.ask(call, options);
  if (lastWork === work) {
    lastWork = null;
    showWork(false);
  }
  return reply;
}

function showWork(going) {
  byId('stop').hidden = !going;
  if (going) byId('state').dataset.kind = 'busy';
  document.body.classList.toggle('working', going);
  if (going) byId('state').textContent = texts.computing;
  else if (state.message) showState(...state.message);
}

byId('stop').onclick = () => engine.stop();

function showState(text, kind) {
  state.message = [text, kind];
  byId('state').textContent = text;
  byId('state').dataset.kind = kind;
}

// The rules -------------------------------------------------------------------------------------------------------

const editor = new Editor(byId('editor'), {
  changed(file, text) {
    state.files[file] = text;
    state.revision += 1;
    state.written = true;
    forgetLink();
    checkSoon(Math.min(MOST_PAUSE, engine.lastTime('check')));
  },
  async complete(file, text, at) {
    const reply = await engine.ask({do: 'complete', file, text, at}, {kind: 'complete', limit: 4000});
    return reply?.ok ? reply.options : null;
  },
  suggested(count) {
    helpOfEditor(count > 0);
  },
  async hover(file, text, at) {
    if (!file) return null;
    const reply = await engine.ask({do: 'hover', file, text, at}, {kind: 'hover', limit: 4000});
    return reply?.ok ? reply.hover : null;
  },
});

byId('suggest').onclick = () => editor.suggest();

/** What helps in the editor, or that there is nothing to suggest. */
function helpOfEditor(suggests) {
  byId('help').classList.toggle('none', !suggests);
  byId('help').querySelector('p').textContent = suggests ? texts.editorHelp : texts.noSuggestion;
}

let checking;
function checkSoon(wait) {
  clearTimeout(checking);
  checking = setTimeout(check, wait);
}

async function check() {
  const revision = state.revision;
  const reply = await ask(checkCall(), {kind: 'check', limit: LONG});
  if (!reply || revision !== state.revision) return; // a newer text is checked, or will be
  if (!reply.ok) {
    showState(reply.stopped ? texts.stopped : reply.error.message, 'bad');
    setOld(true);
    return;
  }
  take(reply);
  await seeOdds();
  save();
}

/** Shows what a check has found. */
function take(reply) {
  state.checked = reply;
  showProblems(reply.problems);
  if (reply.game) {
    const another = state.game?.name !== reply.game.name || state.game?.base?.name !== reply.game.base?.name;
    state.game = reply.game;
    if (another) state.base = null;
    showGame();
  } else if (!state.game) {
    replace(byId('odds'), h('p', {class: 'note', role: 'status'}, reply.sound ? texts.noMechanics : texts.neverSound));
  }
  showFiles();
  setOld(!reply.sound && state.odds !== null);
}

function showProblems(problems) {
  if (!state.fixed) editor.mark(problems, applyFix);
  byId('problems').hidden = !problems.length;
  const withNames = Object.keys(state.files).length > 1;
  replace(byId('problems'), ...problemList(problems, withNames, {goTo, applyFix}));
  const errors = problems.filter(one => one.severity === 'error').length;
  if (errors) showState(texts.problems(errors), 'bad');
  else showState(problems.length ? texts.warnings(problems.length) : texts.sound, 'good');
}

function goTo({file, start, end}) {
  if (!file) return;
  showFile(file);
  editor.goTo(start, end);
}

function applyFix(fix) {
  if (fix.edits.length) showFile(fix.edits[0].file);
  editor.apply(fix);
  showFiles();
  editor.focus(); // the button goes with its problem
}

// Tabs over the editor: the files, and what a house rule extends.

function showFiles() {
  const shownFile = state.fixed ? null : editor.file;
  const tab = (name, selected, act) =>
    h(
      'button',
      {
        role: 'tab',
        type: 'button',
        'aria-selected': String(selected),
        tabindex: selected ? '0' : '-1',
        'data-focus': `file ${name}`,
        'data-file': name,
        onclick: act,
      },
      name,
    );
  const base = state.game?.base;
  replace(
    byId('files'),
    ...Object.keys(state.files).map(name => tab(name, name === shownFile, () => showFile(name))),
    base ? tab(texts.asItIs(base.name), state.fixed, showBase) : '',
  );
  byId('fixed').hidden = !state.fixed;
}

function showFile(name) {
  if (!state.fixed && editor.file === name) return;
  state.fixed = false;
  editor.show(name);
  if (state.checked) editor.mark(state.checked.problems, applyFix);
  showFiles();
}

async function showBase() {
  const reply = await ask({do: 'base'});
  if (!reply?.base) return;
  state.base = reply.base;
  state.fixed = true;
  byId('fixed').textContent = texts.readOnly;
  editor.showFixed(reply.base.text, reply.base.changed);
  showFiles();
}

byId('files').onkeydown = event => walkTabs(event, byId('files'));

// The form --------------------------------------------------------------------------------------------------------

let drawnForm = '';

function showGame() {
  const {game} = state;
  byId('title').textContent = game.title;
  document.title = `${game.title} · houserule`;
  const names = game.mechanics.map(form => form.name);
  const touched = game.touched.filter(name => names.includes(name));
  const isBeside = !state.chosen && touched.length > 0 && !touched.includes(state.mechanic);
  if (!names.includes(state.mechanic) || isBeside) state.mechanic = touched[0] ?? names[0] ?? '';
  mechanicMenu(byId('mechanic'), game, state.mechanic);
  showForm();
  table.offer(game.scenes, state.revision);
  for (const part of document.querySelectorAll('#tab-play, nav [data-view="play"]')) part.hidden = !game.scenes.length;
}

function showForm() {
  state.form = state.game.mechanics.find(form => form.name === state.mechanic) ?? null;
  byId('ask').hidden = state.view === 'read' || state.view === 'play' || !state.form;
  if (!state.form) return;
  const {form} = state;
  const values = (state.values[form.name] ??= {});
  for (const input of form.inputs) values[input.name] ??= input.value;
  for (const name of Object.keys(values)) {
    const input = form.inputs.find(one => one.name === name);
    if (!input || (input.kind === 'words' && !input.words.some(word => word.value === values[name]))) {
      if (input) values[name] = input.value;
      else delete values[name];
    }
  }
  if (!form.numbers.some(one => one.name === state.number)) state.number = form.numbers.at(-1)?.name ?? '';
  byId('about').textContent = form.about;
  const drawing = JSON.stringify([form.name, form.inputs]);
  if (drawing === drawnForm) return; // what somebody is typing into stays
  drawnForm = drawing;
  byId('form').replaceChildren(
    ...fields(form, values, () => {
      forgetLink();
      seeOdds();
      save();
    }),
  );
}

byId('form').onsubmit = event => event.preventDefault();
byId('mechanic').onchange = event => {
  state.mechanic = event.target.value;
  state.chosen = true;
  Object.assign(state, {along: '', sweep: null});
  showForm();
  showRoll();
  byId('strategy').open = false;
  seeOdds();
  save();
};

// The odds --------------------------------------------------------------------------------------------------------

const question = () => ({
  mechanic: state.mechanic,
  inputs: {...state.values[state.mechanic]},
  of: state.number || null,
});

async function seeOdds() {
  if (!state.form || !state.game) return;
  const revision = state.revision;
  const late = setTimeout(() => setOld(true), SHOWN_WORK);
  const reply = await ask({do: 'odds', ...question(), tail: state.tail, seconds: SECONDS_OF_ODDS}, {kind: 'odds'});
  clearTimeout(late);
  if (!reply || revision !== state.revision) return;
  state.odds = reply;
  showOdds();
  tellSoon();
  setOld(!state.checked.sound);
  document.documentElement.dataset.odds = String(Number(document.documentElement.dataset.odds ?? 0) + 1);
  sweepSoon();
  if (byId('strategy').open) seeStrategy();
}

/** Shows that the odds are not those of the text as it stands. */
function setOld(old) {
  byId('see').classList.toggle('old', old);
  byId('strip').classList.toggle('old', old);
  const broken = old && state.checked && !state.checked.sound;
  byId('stale').textContent = broken && state.odds ? texts.stale : '';
}

function showOdds() {
  const {odds, form} = state;
  const line = byId('strip');
  if (!odds.ok) {
    replace(byId('odds'), refusal(odds));
    byId('sweep').replaceChildren();
    line.hidden = true;
    return;
  }
  const {tables, compared} = odds;
  const number = `${state.mechanic} ${state.number}`;
  if (state.atOf !== number) Object.assign(state, {at: null, atOf: number});
  const [first] = tables;
  const flags = tables.filter((table, place) => place && isFlag(table));
  const asks = {
    tail: tail => {
      state.tail = tail;
      seeOdds();
      save();
    },
    number: number => {
      state.number = number;
      seeOdds();
      save();
    },
    at: value => {
      state.at = value;
    },
  };
  const panel = table =>
    isNumber(table)
      ? columns(
          table,
          compared && table.rows.some(row => row.base),
          form.numbers,
          {tail: state.tail, at: table.name === first.name ? null : state.at, grouped: table.rows.length > 150},
          asks,
        )
      : bars(table, compared, table === first ? flags : []);
  replace(
    byId('odds'),
    compared
      ? h(
          'p',
          {class: 'legend'},
          h('span', {}, h('i'), texts.yours),
          h('span', {}, h('i', {class: 'base'}), texts.base(state.game.base?.name ?? '')),
        )
      : '',
    ...tables.filter(table => !flags.includes(table)).map(panel),
    first && isNumber(first) && flags.length ? bars(null, compared, flags) : '',
  );
  const drawn = strip(tables, compared);
  line.hidden = !drawn.length;
  replace(line, ...drawn);
}

let telling;
/** Tells new odds to those who hear the page, when nobody types any more. */
function tellSoon() {
  clearTimeout(telling);
  telling = setTimeout(() => {
    const [first] = state.odds?.ok ? state.odds.tables : [];
    byId('told').textContent = first ? state.odds.tables.map(inWords).filter(Boolean).join('; ') : '';
  }, PAUSE_OF_TELLING);
}

let sweeping;
function sweepSoon() {
  clearTimeout(sweeping);
  sweeping = setTimeout(seeSweep, PAUSE_OF_SWEEP);
}

async function seeSweep() {
  const inputs = state.form ? inputsToVary(state.form) : [];
  if (!state.odds?.ok || !inputs.length || (state.odds.tables[0] && isNumber(state.odds.tables[0]))) {
    byId('sweep').replaceChildren();
    return;
  }
  if (!inputs.some(input => input.name === state.along)) {
    state.along = (inputs.find(input => input.kind === 'number' && input.required) ?? inputs[0]).name;
  }
  const input = inputs.find(one => one.name === state.along);
  const asked = question();
  const [revision, at] = [state.revision, asked.inputs[input.name]];
  const values = valuesOf(input, at);
  const points = [];
  for (let place = 0; place < values.length; place += AT_A_TIME) {
    const reply = await engine.ask(
      {do: 'sweep', ...asked, of: null, along: input.name, values: values.slice(place, place + AT_A_TIME)},
      {kind: 'sweep', low: true},
    );
    if (
      !reply?.ok ||
      revision !== state.revision ||
      JSON.stringify(asked) !== JSON.stringify(question()) ||
      state.along !== input.name
    )
      return;
    points.push(...reply.points);
  }
  state.sweep = {input, at, points};
  replace(
    byId('sweep'),
    ...sweepPanel(state.sweep, state.odds.compared, state.form, along => {
      state.along = along;
      seeSweep();
      save();
    }),
  );
}

async function seeStrategy(goal = 'best', of = aims(state.odds, state.form)[0]?.[0]) {
  if (of === undefined) return;
  const {mechanic, inputs} = question();
  const reply = await ask({do: 'strategy', mechanic, inputs, goal, of}, {kind: 'strategy'});
  if (!reply) return;
  const panel = strategyPanel(reply, {goal, of}, aims(state.odds, state.form), seeStrategy);
  replace(byId('strategy').querySelector('div'), ...panel);
}

byId('strategy').ontoggle = event => event.target.open && seeStrategy();

// Rolling, playing, reading -----------------------------------------------------------------------------------------

function showRoll() {
  const box = byId('roll');
  const result = h('div', {role: 'status'}); // told at once; the steps are there to be read
  const steps = h('div');
  const seed = h('input', {
    class: 'seed',
    'aria-label': texts.seedField,
    placeholder: texts.seedField.split(' ')[0],
  });
  const roll = async () => {
    const number = Number.parseInt(seed.value, 10);
    const fresh = /^[0-9a-f]{32}$/i.test(seed.value.trim()) ? seed.value.trim() : null;
    const {mechanic, inputs} = question();
    const reply = await ask({do: 'roll', mechanic, inputs, seed: fresh ?? (Number.isNaN(number) ? null : number)}, {kind: 'roll'});
    if (!reply) return;
    const names = [...state.form.results.map(one => one.name), state.number];
    replace(result, ...(reply.ok ? rolled(reply, state.odds?.ok ? state.odds.tables[0] : null, names) : [refusal(reply)]));
    replace(steps, ...(reply.ok ? rollSteps(reply) : []));
  };
  replace(
    box,
    h(
      'form',
      {
        class: 'row',
        onsubmit: event => {
          event.preventDefault();
          roll();
        },
      },
      h('button', {class: 'primary big', id: 'throw'}, texts.roll),
      seed,
    ),
    result,
    steps,
    h('p', {class: 'note'}, texts.seedNote),
  );
}

const table = new Table(byId('play'), call => ask(call));

let writtenBook = -1;
async function showBook() {
  const revision = state.revision;
  if (revision === writtenBook) return;
  const box = byId('read');
  replace(box, h('div', {class: 'waiting'}, h('p', {role: 'status'}, texts.writingBook)));
  const reply = await ask({do: 'book'}, {kind: 'book', limit: LONG});
  if (!reply) return;
  if (!reply.ok) return replace(box, refusal(reply));
  writtenBook = revision;
  // Scripts may run, but without an origin, and the policy of the page lets none run but the search of a rulebook. The
  // links of a book lead to its own places only where it has an address of its own, which `srcdoc` has not.
  const address = `data:text/html;charset=utf-8,${encodeURIComponent(reply.html)}`;
  return replace(box, h('iframe', {sandbox: 'allow-scripts', title: texts.book, src: address}));
}

function showView(view) {
  state.view = view;
  for (const name of VIEWS) {
    const [panel, tab] = [byId(name), byId(`tab-${name}`)];
    panel.hidden = name !== view;
    tab.setAttribute('aria-selected', String(name === view));
    tab.tabIndex = name === view ? 0 : -1;
  }
  byId('ask').hidden = view === 'read' || view === 'play' || !state.form;
  if (view === 'read' && state.game) showBook();
  save();
}

/** Shows a part of the page, on a phone alone: the rules, or one of the views. */
function goToPart(part) {
  document.body.dataset.view = part;
  for (const button of document.querySelectorAll('nav [data-view]')) {
    if (button.dataset.view === part) button.setAttribute('aria-current', 'page');
    else button.removeAttribute('aria-current');
  }
  if (part !== 'write') showView(part);
}

function walkTabs(event, list) {
  const by = {ArrowRight: 1, ArrowLeft: -1}[event.key];
  if (!by) return;
  const tabs = [...list.querySelectorAll('[role="tab"]:not([hidden])')];
  const next = tabs[(tabs.indexOf(document.activeElement) + by + tabs.length) % tabs.length];
  next.focus();
  next.click(); // it may draw the tabs anew, and keeps the focus where it is then
  event.preventDefault();
}

for (const name of VIEWS) byId(`tab-${name}`).onclick = () => showView(name);
document.querySelector('.tabs').onkeydown = event => walkTabs(event, event.currentTarget);
for (const button of document.querySelectorAll('nav [data-view]')) button.onclick = () => goToPart(button.dataset.view);
byId('strip').onclick = () => goToPart('see');

// What is open: begun, shared, kept -----------------------------------------------------------------------------------

/** What a link holds; what a reader has anyway stays out. */
function facts() {
  const values = state.values[state.mechanic] ?? {};
  const own = Object.entries(values).filter(
    ([name, value]) => state.form?.inputs.find(input => input.name === name)?.value !== value,
  );
  const several = Object.keys(state.files).length > 1 || state.main !== RULES;
  return {
    ...(several ? {files: state.files, main: state.main} : {text: state.files[RULES]}),
    mechanic: state.mechanic,
    ...(own.length ? {inputs: Object.fromEntries(own)} : {}),
    ...(state.number ? {number: state.number} : {}),
    ...(state.tail === 'exactly' ? {} : {tail: state.tail}),
    ...(state.view === 'see' ? {} : {view: state.view}),
    ...(state.along ? {along: state.along} : {}),
  };
}

/** The address without a link in it: what is open is no longer what the link holds, and a reload must not bring it. */
function forgetLink() {
  if (location.hash) history.replaceState(null, '', location.pathname);
}

/** Opens what a link or the store of the browser holds, with a part `selected`. Throws if it has another form. */
function open(value, selected) {
  const {view, inputs, ...work} = readWork(value);
  if (state.written) keep(BEFORE, JSON.stringify({...facts(), written: true}));
  showNotice('');
  Object.assign(state, {
    ...work,
    written: value.written === true,
    chosen: work.mechanic !== '',
    values: {[work.mechanic]: inputs},
    at: null,
    odds: null,
    sweep: null,
    game: null,
    form: null,
    checked: null,
    base: null,
    fixed: false,
    revision: state.revision + 1,
  });
  drawnForm = '';
  editor.begin(state.files, state.main, selected);
  helpOfEditor(true);
  showFiles();
  byId('ask').hidden = true;
  byId('strip').hidden = true;
  byId('sweep').replaceChildren();
  replace(
    byId('odds'),
    h('div', {class: 'waiting'}, h('progress', {'aria-label': texts.starting}), h('p', {}, texts.ready)),
  );
  showRoll();
  showView(view);
  if (document.body.dataset.view !== 'write' || state.view === 'play') goToPart(state.view);
  checkSoon(0);
}

const isFirst = () => state.files[RULES] === examples[0].text && state.mechanic === examples[0].mechanic;

/** The answers to the first example, which the build has made; the games are known from it, too. */
async function answeredAhead() {
  const response = await fetch('first.json').catch(() => null);
  if (!response?.ok) return;
  const ahead = await response.json();
  knowGames(ahead.bundled.games);
  if (state.odds || !isFirst()) return;
  take(ahead.check);
  state.odds = ahead.odds;
  showOdds();
  document.documentElement.dataset.ahead = 'shown';
  if (!engine.ready) showState(texts.starting, 'busy');
}

let gamesKnown = false;
function knowGames(games) {
  gamesKnown = true;
  showGames(games);
}

async function openBundled(name, more = {}) {
  const reply = await ask({do: 'files', name});
  if (!reply?.ok) return;
  forgetLink();
  open({files: reply.files, main: reply.main, ...more});
}

async function openOwn(game, more = {}) {
  const reply = await ask({do: 'files', name: game.name});
  if (!reply?.ok) return;
  forgetLink();
  const text = ownRule(game.name, texts.ownTitle(game.title), reply.files[reply.main]);
  const value = /^ {4}set: (.*)$/m.exec(text);
  const end = value ? value.index + value[0].length : text.length;
  open({text, ...more}, [end - (value?.[1].length ?? 0), end]);
}

function openExample(example) {
  forgetLink();
  if (example.bundled) openBundled(example.bundled, {mechanic: example.mechanic, number: example.number});
  else open({text: example.text, mechanic: example.mechanic, number: example.number});
}

const mainOf = files => Object.keys(files).find(name => /^ruleset:/m.test(files[name])) ?? Object.keys(files)[0];

const showGames = prepareBegin({
  example: openExample,
  over: game => openOwn(game),
  play: game => openOwn(game, {view: 'play'}),
  bundled: openBundled,
  files: files => {
    forgetLink();
    open({files, main: mainOf(files)});
  },
  before: () => kept(BEFORE) && (() => open(JSON.parse(kept(BEFORE)))),
});

prepareShare(
  facts,
  () => state.files,
  () => state.checked?.sound !== false,
  () => {
    const first = state.odds?.ok ? state.odds.tables[0] : null;
    if (!first) return null;
    const inputs = state.form.inputs.filter(input => state.values[state.mechanic][input.name] !== '');
    return {
      title: `${state.game.title}: ${state.form.title}`,
      inputs: inputs.map(input => `${input.title} ${state.values[state.mechanic][input.name]}`).join(', '),
      table: first,
      compared: state.odds.compared,
    };
  },
);

let saving;
function save() {
  clearTimeout(saving);
  saving = setTimeout(() => keep(WORK, JSON.stringify({...facts(), written: state.written})), 400);
}

function showNotice(text) {
  byId('notice').hidden = !text;
  byId('notice').textContent = text;
}

/** Opens what the link of the address holds, or else what the browser keeps, or else the first example. */
async function begin() {
  const code = location.hash.slice(1);
  const work = kept(WORK);
  const ways = [
    code &&
      (async () => {
        const value = await unpack(code);
        if (work && !state.checked && JSON.parse(work).written) keep(BEFORE, work);
        open(value);
      }),
    work && (() => open(JSON.parse(work))),
    () => openExample(examples[0]),
  ].filter(Boolean);
  for (const way of ways) {
    try {
      await way();
      break;
    } catch (error) {
      console.warn(error);
      forgetLink();
      if (state.checked) break; // what is open stays
    }
  }
  if (code && !location.hash) showNotice(texts.badLink);
}

let width = innerWidth;
addEventListener('resize', () => {
  if (width === innerWidth || !state.odds) return;
  width = innerWidth;
  showOdds();
  sweepSoon();
});

byId('skip').onclick = event => {
  event.preventDefault(); // a new hash would be taken for a link
  if (document.body.dataset.view === 'write') goToPart(state.view);
  byId('panels').focus();
};
prepareTheme(byId('theme'));
addEventListener('hashchange', () => location.hash && begin());
begin();
answeredAhead();
