// Which files of Python go into the page, and how they are packed into one.

import {execFileSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';

export const PAGE = path.dirname(new URL(import.meta.url).pathname);
export const ROOT = path.resolve(PAGE, '../..');

// Packages of other authors that the core imports in the browser: pure Python, from the environment of the checkout.
const PACKAGES = ['yaml', 'simpleeval', 'jinja2', 'markupsafe'];

// What no call of the page reaches, and what a browser cannot load.
const LEFT_OUT = new RegExp(
  [
    /(^|\/)(__pycache__|tests)$/,
    /^interpreter\/(cli|lsp|pytest_plugin\.py|__main__\.py)$/,
    /^schemas\/(?!levels)/,
    /\.(so|pyi|c|tsv|typed|md)$/,
  ]
    .map(part => part.source)
    .join('|'),
);

/** The Python of the checkout, whose packages are taken: `$PYTHON`, that of `.venv`, or the first on the path. */
function python() {
  const own = path.join(ROOT, '.venv/bin/python');
  return process.env.PYTHON ?? (fs.existsSync(own) ? own : 'python3');
}

/** Where the packages of other authors are, by name: a folder, or a file for a package of one module. */
function packagePlaces() {
  const script = `
import importlib.util, json
place = lambda name: (spec := importlib.util.find_spec(name)) and (spec.submodule_search_locations or [spec.origin])[0]
print(json.dumps({name: place(name) for name in ${JSON.stringify(PACKAGES)}}))`;
  const places = JSON.parse(execFileSync(python(), ['-c', script], {cwd: PAGE, encoding: 'utf8'}));
  const missing = PACKAGES.filter(name => !places[name]);
  if (missing.length)
    throw new Error(`${python()} lacks ${missing.join(', ')}: in the checkout, pip install '.[docs]'`);
  return places;
}

/** Adds the files below a place to `files`, by their name in the page. */
function take(files, place, name) {
  if (LEFT_OUT.test(name)) return;
  if (!fs.statSync(place).isDirectory()) {
    files.set(name, fs.readFileSync(place));
    return;
  }
  for (const entry of fs.readdirSync(place).sort()) take(files, path.join(place, entry), `${name}/${entry}`);
}

/** Every file of the core and of what it imports, by its name below the folder of packages. */
export function coreFiles() {
  const files = new Map();
  for (const name of ['interpreter', 'rulesets', 'schemas']) take(files, path.join(ROOT, name), name);
  for (const [name, place] of Object.entries(packagePlaces())) take(files, place, name + path.extname(place));
  for (const name of fs.readdirSync(path.join(PAGE, 'engine'))) {
    if (name.endsWith('.py')) files.set(name, fs.readFileSync(path.join(PAGE, 'engine', name)));
  }
  return files;
}

/** Files as one, which `src/worker.js` takes apart: the length of an index, the index as JSON, and the files. */
export function packed(files) {
  const index = Buffer.from(JSON.stringify([...files].map(([name, bytes]) => [name, bytes.length])));
  const head = Buffer.alloc(4);
  head.writeUInt32LE(index.length);
  return compressed(Buffer.concat([head, index, ...files.values()]));
}

/** Compressed so that browsers take it apart by themselves, whatever the server says about it. */
export function compressed(bytes) {
  return zlib.gzipSync(bytes, {level: 9});
}
