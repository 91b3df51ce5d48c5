// Makes `dist/`, the page: `npm ci && node build.mjs`.
//
// It takes nothing but packages of the registries and this checkout. `node build.mjs page` leaves the engine as it is.

import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import {build} from 'esbuild';
import {compressed, PAGE} from './build-files.mjs';
import {examples, RULES} from './src/examples.js';

const DIST = path.join(PAGE, 'dist');
const ENGINE = path.join(DIST, 'engine');
const STATIC = ['page.css', 'worker.js', 'snapshot.js'];
const SEARCH = path.join(PAGE, '../../interpreter/rulebook/templates/search.js');

/** The answers to the first example, which the page shows before Python has started. */
function firstAnswers(ask) {
  const {text, mechanic, number} = examples[0];
  const check = ask({do: 'check', files: {[RULES]: text}, main: RULES});
  const form = check.game.mechanics.find(one => one.name === mechanic);
  const inputs = Object.fromEntries(form.inputs.map(input => [input.name, input.value]));
  const odds = ask({do: 'odds', mechanic, inputs, of: number, tail: 'exactly'});
  return {check, odds, bundled: ask({do: 'bundled'})};
}

/** The page allows one script besides its own by its hash: the search of a rulebook, which stands in a frame. */
function pageWithHash() {
  const hash = crypto.createHash('sha256').update(fs.readFileSync(SEARCH)).digest('base64');
  return fs.readFileSync(path.join(PAGE, 'src/index.html'), 'utf8').replace('SEARCH_OF_RULEBOOK', hash);
}

/** A name that is another one after every change of a file. */
function fingerprint(files) {
  const hash = crypto.createHash('sha256');
  files.forEach(file => hash.update(fs.readFileSync(path.join(DIST, file))));
  return hash.digest('hex').slice(0, 12);
}

function filesBelow(folder, inside = '') {
  return fs
    .readdirSync(path.join(folder, inside), {withFileTypes: true})
    .flatMap(entry =>
      entry.isDirectory() ? filesBelow(folder, path.join(inside, entry.name)) : [path.join(inside, entry.name)],
    )
    .sort();
}

const pageOnly = process.argv.includes('page');
if (!pageOnly) {
  fs.rmSync(DIST, {recursive: true, force: true});
  const {buildEngine} = await import('./build-engine.mjs');
  const first = await buildEngine(ENGINE, firstAnswers);
  fs.writeFileSync(path.join(DIST, 'first.json'), JSON.stringify(first));
}
await build({
  entryPoints: [path.join(PAGE, 'src/page.js')],
  outfile: path.join(DIST, 'page.js'),
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  legalComments: 'linked',
  logLevel: 'warning',
});
for (const name of STATIC) fs.copyFileSync(path.join(PAGE, 'src', name), path.join(DIST, name));
fs.writeFileSync(path.join(DIST, 'index.html'), pageWithHash());

// What the page needs to work without a network; the fallback, and what nobody asks for, stays out.
const kept = filesBelow(DIST).filter(name => !/service-worker\.js|stdlib\.zip|core\.pack|LEGAL/.test(name));
const worker = fs.readFileSync(path.join(PAGE, 'src/service-worker.js'), 'utf8');
const known = {BUILD: fingerprint(kept), FILES: ['./', ...kept]};
const constants = Object.entries(known).map(([name, value]) => `const ${name} = ${JSON.stringify(value)};\n`);
fs.writeFileSync(path.join(DIST, 'service-worker.js'), constants.join('') + worker);

let total = 0;
for (const name of kept) {
  const bytes = fs.readFileSync(path.join(DIST, name));
  const served = /\.(pack|zip)$/.test(name) ? bytes.length : compressed(bytes).length;
  total += served;
  console.log(`${name.padEnd(28)} ${(served / 1e6).toFixed(2).padStart(6)} MB`);
}
console.log(`${'all, compressed'.padEnd(28)} ${(total / 1e6).toFixed(2).padStart(6)} MB`);
