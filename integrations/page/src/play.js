// A scene with several people at one screen: who is asked, and what the others must not see.

import {download, h, sentence} from './dom.js';
import {texts} from './texts.js';

const NO_SESSION = 'HR672'; // the code of the problem that there is no session

const shown = value =>
  value === true ? texts.yes : value === false ? texts.no : Array.isArray(value) ? value.join(', ') : String(value);

/** The table at which a scene is played, drawn in a box; `ask(call)` puts a call to the engine. */
export class Table {
  constructor(box, ask) {
    this.box = box;
    this.engine = ask;
    this.scenes = [];
    this.leave();
  }

  leave() {
    this.scene = null;
    this.open = null; // the last reply: `requests`, `over`, `round`
    this.seat = null; // who holds the device
    this.saved = null;
  }

  /** The scenes that the rules have, and the rules themselves, after whose change a game begins anew. */
  offer(scenes, rules) {
    const another = rules !== this.rules;
    this.scenes = scenes;
    this.rules = rules;
    if (another) this.leave();
    if (another || !this.scene) this.draw();
  }

  /** The reply to a call; a new engine, which knows no game, is given the one that is played first. */
  async ask(call) {
    const reply = await this.engine(call);
    if (reply?.ok || reply?.error.code !== NO_SESSION || !this.saved) return reply;
    await this.engine({do: 'resume', scene: this.scene.name, saved: this.saved});
    return this.engine(call);
  }

  async call(call) {
    const reply = await this.ask(call);
    if (reply?.ok) return reply;
    this.problem(reply?.error);
    return null;
  }

  problem(error) {
    this.box.querySelector('.refused')?.remove();
    if (!error) return;
    this.box.prepend(
      h(
        'div',
        {class: 'refused', role: 'alert'},
        ...sentence(error.message),
        error.help && h('small', {}, ...sentence(error.help)),
      ),
    );
  }

  async begin(scene) {
    this.leave();
    await this.ask({do: 'forget'});
    const reply = await this.call({do: 'begin', scene: scene.name});
    if (!reply) return;
    [this.scene, this.seat] = [scene, null];
    await this.take();
  }

  async resume(scene, saved) {
    this.leave();
    await this.ask({do: 'forget'});
    const reply = await this.call({do: 'resume', scene: scene.name, saved});
    if (!reply) return;
    [this.scene, this.seat] = [scene, null];
    await this.take();
  }

  /** Notes what is open now, and keeps a copy, since the engine may be ended. */
  async take() {
    const open = await this.call({do: 'requests', viewer: 'host'});
    if (!open) return;
    this.open = open;
    this.saved = (await this.ask({do: 'save', viewer: 'host'}))?.saved ?? this.saved;
    await this.draw();
  }

  async answer(request, value) {
    const reply = await this.call({do: 'answer', viewer: 'host', request: request.id, value});
    if (reply) await this.take();
  }

  async move(step) {
    const reply = await this.call({do: step, viewer: 'host'});
    if (reply) {
      this.seat = null;
      await this.take();
    }
  }

  async draw() {
    if (!this.scene) return this.drawScenes();
    const [request] = this.open.requests;
    const players = Object.keys(this.scene.players);
    if (request?.player && players.length > 1 && request.player !== this.seat) return this.drawCover(request.player);
    const player = request?.player ?? null;
    const viewer = player === null ? 'host' : {player};
    const view = this.open.over || player ? await this.ask({do: 'view', viewer}) : null;
    const lines = this.open.over || player ? await this.ask({do: 'lines', viewer}) : null;
    const outcome = this.open.over ? (await this.ask({do: 'result', viewer: 'host'}))?.result?.outcome : null;
    this.box.replaceChildren(
      this.controls(),
      this.open.over
        ? h('p', {class: 'result', role: 'status'}, texts.over(outcome?.replaceAll('_', ' ')))
        : this.question(request),
      view?.things ? h('details', {}, h('summary', {}, texts.table), things(view.things)) : '',
      lines?.lines?.length
        ? h(
            'details',
            {},
            h('summary', {}, texts.record),
            h('p', {class: 'record'}, lines.lines.map(line => line.shown).join('\n')),
          )
        : '',
    );
    return this.box.querySelector('.question h3')?.focus();
  }

  drawScenes() {
    const button = scene =>
      h(
        'div',
        {class: 'question'},
        h('h3', {}, scene.title),
        scene.about && h('p', {class: 'note'}, scene.about),
        ...Object.entries(scene.players).map(([player, names]) =>
          h('p', {class: 'note'}, `${player}: ${names.join(', ').replaceAll('_', ' ')}`),
        ),
        h(
          'div',
          {class: 'answers'},
          h(
            'button',
            {type: 'button', class: 'primary', 'data-scene': scene.name, onclick: () => this.begin(scene)},
            texts.begin,
          ),
          h(
            'details',
            {},
            h('summary', {}, texts.openGame),
            h('input', {
              type: 'file',
              accept: '.json',
              'aria-label': texts.openGame,
              onchange: async event => {
                try {
                  await this.resume(scene, JSON.parse(await event.target.files[0].text()));
                } catch (error) {
                  this.problem({message: String(error.message), help: ''});
                }
              },
            }),
          ),
        ),
      );
    this.box.replaceChildren(
      ...(this.scenes.length ? this.scenes.map(button) : [h('p', {class: 'note'}, texts.noScenes)]),
    );
  }

  drawCover(player) {
    const sit = () => {
      this.seat = player;
      this.draw();
    };
    const button = h(
      'button',
      {type: 'button', class: 'primary big', 'data-seat': player, onclick: sit},
      texts.iAm(player),
    );
    this.box.replaceChildren(
      this.controls(),
      h(
        'div',
        {class: 'cover'},
        h('p', {class: 'result'}, texts.hidden(player)),
        h('p', {class: 'note'}, texts.hiddenNote),
        button,
      ),
    );
    button.focus();
  }

  controls() {
    const button = (text, act) => h('button', {type: 'button', onclick: act}, text);
    return h(
      'div',
      {class: 'row'},
      h('h3', {}, this.scene.title),
      this.open.round ? h('span', {class: 'note'}, texts.round(this.open.round)) : '',
      h('span', {class: 'gap'}),
      button(texts.undo, () => this.move('undo')),
      button(texts.redo, () => this.move('redo')),
      button(texts.saveGame, () => download(`${this.scene.name}.json`, JSON.stringify(this.saved), 'application/json')),
      button(texts.beginAgain, () => {
        this.leave();
        this.draw();
      }),
    );
  }

  question(request) {
    if (!request) return h('p', {class: 'note'}, '');
    const title = name => request.titles?.[name] ?? String(name).replaceAll('_', ' ');
    const about = [request.status && `${title(request.who)}: ${request.status}`, request.about].filter(Boolean);
    return h(
      'div',
      {class: 'question', role: 'group', 'aria-label': request.question || title(request.name)},
      h('p', {class: 'note'}, texts.asks(request.player ?? texts.host, request.who && title(request.who))),
      request.since?.length
        ? h('details', {open: true}, h('summary', {}, texts.before), h('p', {class: 'since'}, request.since.join('\n')))
        : '',
      h('h3', {tabindex: '-1'}, request.question || title(request.name), request.of ? ` (${title(request.of)})` : ''),
      ...about.map(line => h('p', {class: 'note'}, ...sentence(line))),
      h('div', {class: 'answers'}, ...ANSWERS[request.kind](request, title, value => this.answer(request, value))),
    );
  }
}

const isUsual = (request, value) => request.has_default && JSON.stringify(request.default) === JSON.stringify(value);

function answerButton(request, text, meaning, usual, act) {
  return h(
    'button',
    {type: 'button', class: usual ? 'primary' : '', title: usual ? texts.usual : null, onclick: act},
    text,
    meaning && h('small', {style: 'color: inherit'}, meaning),
  );
}

function form(fields, read, answer) {
  return [
    h(
      'form',
      {
        class: 'answers',
        onsubmit: event => {
          event.preventDefault();
          answer(read());
        },
      },
      ...fields,
      h('button', {class: 'primary'}, texts.answer),
    ),
  ];
}

const ANSWERS = {
  yes_no: (request, title, answer) =>
    [true, false].map(value =>
      answerButton(request, shown(value), request.meanings?.[shown(value)], isUsual(request, value), () =>
        answer(value),
      ),
    ),
  one: (request, title, answer) =>
    (request.options ?? []).map((option, place) =>
      answerButton(
        request,
        option === null ? texts.no : title(shown(option)),
        request.meanings?.[shown(option)],
        isUsual(request, option),
        () => answer({pick: place}),
      ),
    ),
  some: (request, title, answer) => {
    const boxes = (request.options ?? []).map(option =>
      h('input', {
        type: 'checkbox',
        checked:
          Array.isArray(request.default) && request.default.some(one => JSON.stringify(one) === JSON.stringify(option)),
      }),
    );
    return form(
      [
        h('span', {class: 'note'}, texts.choose(request.least, request.most)),
        ...boxes.map((box, place) => h('label', {class: 'check'}, box, title(shown(request.options[place])))),
      ],
      () => ({pick: boxes.flatMap((box, place) => (box.checked ? [place] : []))}),
      answer,
    );
  },
  number: (request, title, answer) => {
    if (request.options) return ANSWERS.one(request, title, answer);
    const box = h('input', {
      type: 'number',
      min: request.low,
      max: request.high,
      value: request.default ?? request.low ?? 0,
      'aria-label': request.question || request.name,
    });
    return form(
      [box, h('span', {class: 'note'}, texts.from(request.low, request.high))],
      () => Number(box.value),
      answer,
    );
  },
  text: (request, title, answer) => {
    const box = h('input', {value: request.default ?? '', 'aria-label': request.question || request.name});
    return form([box], () => box.value, answer);
  },
  faces: (request, title, answer) => {
    const box = h('input', {
      'aria-label': request.question || request.name,
      placeholder: request.dice.map(die => die.die).join(' '),
    });
    return form(
      [box],
      () =>
        box.value
          .split(/[\s,]+/)
          .filter(Boolean)
          .map(word => (/^-?\d+$/.test(word) ? Number(word) : word)),
      answer,
    );
  },
};

function things(all) {
  const spaced = name => name.replaceAll('_', ' ');
  const isRecord = value => typeof value === 'object' && value !== null && !Array.isArray(value);
  const inWords = ([name, value]) => `${spaced(name)} ${isRecord(value) ? JSON.stringify(value) : shown(value)}`;
  return h(
    'dl',
    {class: 'things'},
    ...Object.entries(all).flatMap(([name, values]) => [
      h('dt', {}, spaced(name)),
      h('dd', {}, Object.entries(values).map(inWords).join(', ')),
    ]),
  );
}
