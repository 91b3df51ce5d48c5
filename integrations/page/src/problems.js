// The problems of the rules in words, each with the way to its place and its fixes as buttons.

import {h, sentence} from './dom.js';
import {texts} from './texts.js';

const MOST_PROBLEMS = 6;
const MOST_FIXES = 3;

/** The problems as a list, `withNames` of their files; `asks` has `goTo(problem)` and `applyFix(fix)`. */
export function problemList(problems, withNames, asks) {
  const rest = problems.length - MOST_PROBLEMS;
  return [
    ...problems.slice(0, MOST_PROBLEMS).map(problem => item(problem, withNames, asks)),
    rest > 0 ? h('p', {class: 'problem note'}, texts.more(rest)) : '',
  ];
}

function item(problem, withNames, {goTo, applyFix}) {
  const {file, line, where, fixes} = problem;
  const place = file ? (withNames ? `${file} ` : '') + texts.line(line) : where;
  const button = fix => h('button', {type: 'button', onclick: () => applyFix(fix)}, ...sentence(fix.title));
  return h(
    'div',
    {class: `problem ${problem.severity}`},
    h('button', {type: 'button', class: 'place', onclick: () => goTo(problem)}, place),
    h('div', {}, ...sentence(problem.message)),
    problem.help && h('div', {class: 'help'}, ...sentence(problem.help)),
    fixes.length > 0 && h('div', {class: 'fixes'}, ...fixes.slice(0, MOST_FIXES).map(button)),
  );
}

/** Why there is no answer. */
export function refusal(reply) {
  return h(
    'div',
    {class: 'refused', role: 'status'},
    ...sentence(reply.stopped ? texts.tookTooLong : reply.error.message),
    reply.error.help && h('small', {}, ...sentence(reply.error.help)),
  );
}
