// The dialog that shares: the link, the files, and a picture of the odds.

import {byId, download} from './dom.js';
import {pack} from './link.js';
import {texts} from './texts.js';

const FITS = 2000; // characters; some chat programs cut longer links

/**
 * Makes the dialog. `facts()` gives what the link holds, `files()` the files, `isSound()` whether they have no problem,
 * and `picture()` what a picture shows.
 */
export function prepareShare(facts, files, isSound, picture) {
  const [dialog, link] = [byId('share-dialog'), byId('link')];
  byId('share').onclick = async () => {
    const code = await pack(facts());
    history.replaceState(null, '', `#${code}`);
    link.value = location.href;
    const length = link.value.length.toLocaleString('en');
    byId('link-size').textContent = link.value.length > FITS ? texts.long(length) : texts.fits(length);
    byId('link-problem').textContent = isSound() ? '' : texts.sharesProblem;
    byId('command').textContent = `houserule check ${Object.keys(files())[0]}`;
    byId('copy-picture').disabled = !picture();
    dialog.showModal();
    link.select();
  };
  byId('copy-link').onclick = async event => {
    try {
      await navigator.clipboard.writeText(link.value);
    } catch {
      // not every page may write to the clipboard by itself
      link.select();
      document.execCommand('copy');
    }
    say(event.target, texts.copied);
  };
  byId('save-files').onclick = () =>
    Object.entries(files()).forEach(([name, text]) => download(name, text, 'application/yaml'));
  byId('copy-picture').onclick = async event => {
    const button = event.target;
    const blob = await new Promise(done => drawPicture(picture()).toBlob(done, 'image/png'));
    try {
      await navigator.clipboard.write([new ClipboardItem({'image/png': blob})]);
      say(button, texts.pictureCopied);
    } catch {
      download('odds.png', blob, 'image/png');
      say(button, texts.pictureSaved);
    }
  };
}

function say(button, text) {
  const before = button.textContent;
  button.textContent = text;
  byId('copied').textContent = text;
  setTimeout(() => {
    button.textContent = before;
    byId('copied').textContent = '';
  }, 1500);
}

const PICTURE = {width: 640, row: 40, head: 76, foot: 26, scale: 2};

/** The odds of the first table as a picture, in the colours of the page. */
function drawPicture({title, inputs, table, compared}) {
  const style = getComputedStyle(document.documentElement);
  const ink = name => style.getPropertyValue(`--${name}`).trim();
  const rows = table.rows.filter(row => row.chance.share || row.base?.share).slice(0, 24);
  const canvas = document.createElement('canvas');
  const height = PICTURE.head + PICTURE.row * rows.length + PICTURE.foot;
  [canvas.width, canvas.height] = [PICTURE.width * PICTURE.scale, height * PICTURE.scale];
  const pen = canvas.getContext('2d');
  const write = (text, x, y, colour, font, align = 'left') => {
    pen.fillStyle = ink(colour);
    pen.font = `${font} ${style.getPropertyValue('--family')}`;
    pen.textAlign = align;
    pen.fillText(text, x, y, PICTURE.width - 40);
  };
  pen.scale(PICTURE.scale, PICTURE.scale);
  pen.fillStyle = ink('ground');
  pen.fillRect(0, 0, PICTURE.width, height);
  write(title, 20, 32, 'ink', '600 18px');
  write(inputs, 20, 55, 'soft', '13px');
  const top = Math.max(0.25, ...rows.flatMap(row => [row.chance.share, row.base?.share ?? 0]));
  rows.forEach((row, place) => {
    const y = PICTURE.head + PICTURE.row * place;
    const bar = (share, from, thick, colour) => {
      pen.fillStyle = ink(colour);
      pen.fillRect(170, from, (300 * share) / top, thick);
    };
    write(row.label, 20, y + 16, 'ink', '14px');
    bar(row.chance.share, y + 3, 15, 'accent');
    if (compared) bar(row.base?.share ?? 0, y + 20, 5, 'base');
    write(row.chance.percent, 540, y + 16, 'ink', '600 14px', 'right');
    if (compared) write(`was ${row.base?.percent ?? '0%'}`, 620, y + 16, 'soft', '12px', 'right');
  });
  write('houserule', PICTURE.width - 20, height - 12, 'soft', '12px', 'right');
  return canvas;
}
