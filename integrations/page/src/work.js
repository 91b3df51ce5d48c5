// What a link or the store of the browser holds of somebody's work. A stranger may have made it.

import {RULES} from './examples.js';
import {texts} from './texts.js';

export const VIEWS = ['see', 'roll', 'play', 'read'];

const isText = value => typeof value === 'string';
const isTexts = value =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && Object.values(value).every(isText);
const isFileName = name => /^[^/\\\0]{1,80}$/.test(name) && name !== '.' && name !== '..';
const textOf = value => (isText(value) ? value : '');

/** The files and the settings that a value holds. Throws if there are no rules in it. */
export function readWork(value) {
  const files = value?.files ?? {[RULES]: value?.text};
  const main = value?.main ?? RULES;
  if (!isTexts(files) || !isText(files[main]) || !Object.keys(files).every(isFileName)) {
    throw new Error('there are no rules in it');
  }
  return {
    files: {...files},
    main,
    mechanic: textOf(value.mechanic),
    inputs: isTexts(value.inputs) ? {...value.inputs} : {},
    number: textOf(value.number),
    tail: texts.tails.some(([name]) => name === value.tail) ? value.tail : 'exactly',
    along: textOf(value.along),
    view: VIEWS.includes(value.view) ? value.view : 'see',
  };
}
