// The dialog in which somebody chooses what to begin with: an example, a game, a house rule, or files.

import {byId, h} from './dom.js';
import {examples} from './examples.js';
import {texts} from './texts.js';

/**
 * Makes the dialog, for `bundled`, the games that come with houserule.
 *
 * `open` has `example(example)`, `over(game)` for a house rule of one's own, `play(game)` for its scenes,
 * `bundled(name)` and `files(files)`; `before()` gives what opens what somebody wrote before, if there is anything.
 */
export function prepareBegin(open) {
  const dialog = byId('begin-dialog');
  const then = act => () => {
    dialog.close();
    act();
  };
  byId('begin').onclick = () => {
    const before = open.before();
    byId('before').hidden = !before;
    byId('before').onclick = before && then(before);
    dialog.showModal();
  };
  byId('examples').replaceChildren(
    ...examples.map(example =>
      h(
        'button',
        {type: 'button', class: 'choice', 'data-example': example.id, onclick: then(() => open.example(example))},
        h('b', {}, example.title),
        h('span', {}, example.about),
      ),
    ),
  );
  byId('open-files').onchange = async event => {
    const files = [...event.target.files];
    const contents = await Promise.all(files.map(file => file.text()));
    dialog.close();
    event.target.value = '';
    if (files.length) open.files(Object.fromEntries(files.map((file, place) => [file.name, contents[place]])));
  };
  return games =>
    byId('games').replaceChildren(
      ...games.map(game =>
        h(
          'details',
          // What has unfolded below the edge would go unseen.
          {ontoggle: event => event.target.open && event.target.scrollIntoView()},
          h('summary', {}, game.title),
          game.about && h('p', {class: 'note'}, game.about),
          h(
            'button',
            {type: 'button', class: 'choice', 'data-over': game.name, onclick: then(() => open.over(game))},
            h('b', {}, texts.changeIt),
          ),
          h(
            'button',
            {type: 'button', class: 'choice', 'data-game': game.name, onclick: then(() => open.bundled(game.name))},
            texts.wholeGame,
          ),
          game.rules.length ? h('p', {class: 'note'}, texts.itsRules) : '',
          ...game.rules.map(rule =>
            h(
              'button',
              {type: 'button', class: 'choice', 'data-rule': rule.name, onclick: then(() => open.bundled(rule.name))},
              rule.title,
            ),
          ),
          game.scenes.length ? h('p', {class: 'note'}, texts.itsScenes) : '',
          ...game.scenes.map(scene =>
            h(
              'button',
              {type: 'button', class: 'choice', 'data-play': scene.name, onclick: then(() => open.play(game))},
              scene.title,
            ),
          ),
        ),
      ),
    );
}
