// The thread of the engine: Python, the core of houserule, and nothing of the page.
//
// It is ended from outside when an answer takes too long, and another begins.

import {loadPyodide} from './engine/pyodide.mjs';
import {complete} from './snapshot.js';

const SITE = '/site';
const place = name => new URL(`./engine/${name}`, self.location).href;

async function fetched(name) {
  const response = await fetch(place(name));
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response;
}

async function unpacked(name) {
  const {body} = await fetched(name);
  return new Uint8Array(await new Response(body.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());
}

/** Writes the files of a pack into the file system of Python. */
function writeFiles(fs, pack) {
  const length = new DataView(pack.buffer).getUint32(0, true);
  const index = JSON.parse(new TextDecoder().decode(pack.subarray(4, 4 + length)));
  const folders = new Set();
  let at = 4 + length;
  for (const [name, size] of index) {
    const file = `${SITE}/${name}`;
    const folder = file.slice(0, file.lastIndexOf('/'));
    if (!folders.has(folder)) {
      fs.mkdirTree(folder);
      folders.add(folder);
    }
    fs.writeFile(file, pack.subarray(at, at + size), {canOwn: true});
    at += size;
  }
}

/** Python in the memory that was written at the build, in which everything is imported. */
async function restored() {
  const making = import('./engine/pyodide.asm.mjs');
  const files = unpacked('rest.pack');
  const snapshot = await unpacked('snapshot.pack');
  const make = (await making).default;
  const python = await loadPyodide({
    indexURL: place(''),
    stdLibURL: place('stdlib-rest.zip'),
    env: {HOME: '/home/pyodide', PYTHONDONTWRITEBYTECODE: '1'},
    _loadSnapshot: snapshot,
    createPyodideModule: async settings => {
      const module = await make(settings);
      complete(snapshot, module.HEAPU32);
      // Pyodide's memory begins smaller than the snapshot (pyodide issue 6254).
      if (module.HEAP8.length < snapshot.length) module.growMemory(snapshot.length);
      return module;
    },
  });
  writeFiles(python.FS, await files);
  return python;
}

/** Python that imports everything: slower, for browsers in which the snapshot cannot be restored. */
async function started() {
  const files = unpacked('core.pack');
  const python = await loadPyodide({
    indexURL: place(''),
    stdLibURL: place('stdlib.zip'),
    env: {HOME: '/home/pyodide', PYTHONDONTWRITEBYTECODE: '1'},
  });
  writeFiles(python.FS, await files);
  python.runPython(`import sys; sys.path.insert(0, "${SITE}")`);
  return python;
}

let python;
let answer;

async function boot(withSnapshot) {
  python = await (withSnapshot ? restored() : started());
  python.runPython('import boot; boot.restored()');
  answer = python.runPython('boot.answer');
}

self.onmessage = async ({data}) => {
  if ('snapshot' in data) {
    try {
      await boot(data.snapshot);
      self.postMessage({ready: true});
    } catch (error) {
      self.postMessage({failed: String(error.stack ?? error)});
    }
    return;
  }
  const {id, call} = data;
  const begun = performance.now();
  let reply;
  try {
    reply = JSON.parse(answer(JSON.stringify(call)));
  } catch (error) {
    reply = {ok: false, error: {code: '', message: lastLine(error), help: ''}};
  }
  self.postMessage({id, reply, milliseconds: performance.now() - begun, memory: python._module.HEAP8.length});
};

function lastLine(error) {
  return String(error.message ?? error)
    .trim()
    .split('\n')
    .pop();
}
