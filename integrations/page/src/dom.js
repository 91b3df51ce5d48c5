// Elements of the page. All text becomes text nodes, whoever wrote it.

const PROPERTIES = new Set(['value', 'checked', 'selected', 'open', 'readOnly', 'disabled', 'hidden', 'multiple']);
const SVG = 'http://www.w3.org/2000/svg';

export const byId = id => document.getElementById(id);

/** An element with attributes, listeners (`onclick`) and children; null and false are left out. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on') || PROPERTIES.has(key)) element[key] = value;
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value);
  }
  element.append(...children.flat().filter(child => child !== null && child !== undefined && child !== false));
  return element;
}

/** The same for drawings. */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** A sentence in which names stand between backquotes, as the messages of houserule write them. */
export function sentence(text) {
  return text
    .split('`')
    .map((part, place) => (place % 2 ? h('code', {}, part) : part))
    .filter(part => part !== '');
}

/** Gives a browser a file to keep. */
export function download(name, content, type) {
  const link = h('a', {href: URL.createObjectURL(new Blob([content], {type})), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Puts new content into a box: bars move from where they were, and what had the focus keeps it. */
export function replace(box, ...content) {
  const widths = new Map([...box.querySelectorAll('[data-bar]')].map(bar => [bar.dataset.bar, bar.style.width]));
  const focused = box.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
  const top = box.scrollTop;
  box.replaceChildren(...content.flat());
  box.scrollTop = top;
  for (const bar of box.querySelectorAll('[data-bar]')) {
    const [before, after] = [widths.get(bar.dataset.bar), bar.style.width];
    if (before === undefined || before === after) continue;
    bar.style.width = before;
    bar.getBoundingClientRect(); // so that the browser begins at the old width
    bar.style.width = after;
  }
  if (focused) box.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
}

/** The width of a plot in the panel of the odds, so that its text is as large as other text. */
export function plotWidth() {
  const panel = byId('odds').clientWidth || document.documentElement.clientWidth - 24; // on a phone it may be hidden
  return Math.max(280, Math.min(900, panel));
}
