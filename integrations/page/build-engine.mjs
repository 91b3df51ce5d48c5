// Python for the page: its byte code, and the memory of a Python that has imported all of it.
//
// Pyodide makes both in Node, so that the very Python that runs them has made them.

import fs from 'node:fs';
import path from 'node:path';
import {loadPyodide} from 'pyodide';
import {checkSum, FREE, FRESH_WORDS, HEAD_WORDS, OFFSET} from './src/snapshot.js';
import {coreFiles, compressed, packed} from './build-files.mjs';

const PYODIDE = path.dirname(new URL(import.meta.resolve('pyodide')).pathname);
const SITE = '/site';
const STDLIB = '/lib/python314.zip';

// Parts of the standard library that no call of the page imports.
const STDLIB_LEFT_OUT = [
  '_android',
  '_apple',
  '_ios',
  '_pydecimal',
  '_pyio',
  '_pyrepl/',
  '_sysconfigdata',
  'antigravity',
  'argparse',
  'bdb',
  'cProfile',
  'compileall',
  'compression/zstd',
  'concurrent/interpreters',
  'configparser',
  'csv',
  'ctypes/',
  'curses/',
  'dbm/',
  'doctest',
  'encodings/big5',
  'encodings/cp',
  'encodings/euc',
  'encodings/gb',
  'encodings/hz',
  'encodings/iso',
  'encodings/johab',
  'encodings/koi',
  'encodings/mac_',
  'encodings/ptcp',
  'encodings/shift',
  'ensurepip/',
  'ftplib',
  'getopt',
  'http/',
  'idlelib/',
  'imaplib',
  'lib2to3/',
  'logging/config',
  'logging/handlers',
  'mailbox',
  'mimetypes',
  'modulefinder',
  'multiprocessing/',
  'netrc',
  'nturl2path',
  'optparse',
  'pdb',
  'pickletools',
  'plistlib',
  'poplib',
  'profile',
  'profiling/',
  'pstats',
  'pyclbr',
  'pydoc',
  'pydoc_data/',
  'rlcompleter',
  'sched',
  'smtplib',
  'socketserver',
  'sqlite3/',
  'symtable',
  'sysconfig/',
  'tabnanny',
  'tarfile',
  'test/',
  'this',
  'tkinter/',
  'tomllib/',
  'trace.',
  'tracemalloc',
  'turtle',
  'unittest/',
  'urllib/request',
  'urllib/robotparser',
  'uuid',
  'venv/',
  'wave',
  'webbrowser',
  'wsgiref/',
  'xml/',
  'xmlrpc/',
  'zipapp',
  'zoneinfo/',
];

const PYTHON = `
import ast, importlib.util, io, marshal, zipfile

DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)

def without_lines(code):
    # A visitor sees messages of the rules, never a traceback, and the lines take half a megabyte.
    inner = tuple(without_lines(one) if isinstance(one, type(code)) else one for one in code.co_consts)
    return code.replace(co_linetable=b"", co_consts=inner)

def byte_code(source, name):
    tree = ast.parse(bytes(source))
    for node in ast.walk(tree):  # nobody reads docstrings here; a dataclass without one would write its own
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            node.body[0].value.value = "-"
    code = without_lines(compile(tree, name, "exec", dont_inherit=True))
    # Flag 1: the source is not asked whether it has changed, since it is not there.
    return importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8) + marshal.dumps(code)

def rewritten(archive, left_out, change):
    before, after = zipfile.ZipFile(io.BytesIO(bytes(archive))), io.BytesIO()
    with zipfile.ZipFile(after, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for info in before.infolist():
            if not info.is_dir() and not left_out(info.filename):
                name, content = change(info.filename, before.read(info))
                out.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    return after.getvalue()

def stdlib(archive, left_out):
    left_out = tuple(left_out)
    def compiled(name, content):
        return (name + "c", byte_code(content, "${STDLIB}/" + name)) if name.endswith(".py") else (name, content)
    return rewritten(archive, lambda name: name.startswith(left_out), compiled)

def without(archive, names):
    names = set(names)
    return rewritten(archive, lambda name: name in names, lambda name, content: (name, content))
`;

/** Files of Python as byte code; others as they are. */
function compiled(python, files) {
  const byteCode = python.globals.get('byte_code');
  const entries = [...files].map(([name, content]) => {
    const bytes = new Uint8Array(content);
    return name.endsWith('.py') ? [`${name}c`, byteCode(bytes, `${SITE}/${name}`).toJs()] : [name, bytes];
  });
  byteCode.destroy();
  return new Map(entries);
}

// Fills the free blocks of each size class of Python's allocator, up to those of an arena above `top`.
const CLEAR_BLOCKS = `
def clear_blocks(top):
    taken = []
    for size in range(32, 513, 16):
        while True:
            block = bytes(size - 17)  # behind a head of 16 bytes, and with a zero at the end
            taken.append(block)
            if id(block) >= top:
                break
clear_blocks`;

/**
 * Writes zeros over the memory that is free, so that it compresses: it holds the rests of imports and of compiling.
 * A block that begins above all that was ever used is not free memory but new, so that its size has no more of it.
 */
function clearFreeMemory(python) {
  const {_malloc: allocate, _free: free} = python._module;
  const clearBlocks = python.runPython(CLEAR_BLOCKS);
  const top = allocate(1 << 23);
  free(top);
  const taken = [];
  for (let size = 1 << 20; size >= 32; size >>= 1) {
    for (;;) {
      const block = allocate(size);
      if (block >= top) {
        free(block);
        break;
      }
      python._module.HEAPU8.fill(0, block, block + size);
      taken.push(block);
    }
  }
  clearBlocks(top);
  clearBlocks.destroy();
  taken.forEach(block => free(block));
}

/**
 * Takes out of a snapshot what the fresh memory of the module holds anyway, and notes which memory that was.
 *
 * `src/worker.js` puts it in again; it starts without the snapshot where a browser begins with another memory.
 */
async function withoutFresh(snapshot, settings) {
  let fresh;
  await loadPyodide({
    ...settings,
    _loadSnapshot: snapshot,
    createPyodideModule: async given => {
      const {default: make} = await import(path.join(PYODIDE, 'pyodide.asm.mjs'));
      const module = await make(given);
      fresh = module.HEAPU32.slice(0, FRESH_WORDS);
      if (module.HEAP8.length < snapshot.length) module.growMemory(snapshot.length);
      return module;
    },
  });
  const short = snapshot.slice();
  const head = new Uint32Array(short.buffer, 0, HEAD_WORDS);
  const memory = new Uint32Array(short.buffer, head[OFFSET], FRESH_WORDS);
  fresh.forEach((word, place) => {
    memory[place] ^= word;
  });
  head[FREE] = checkSum(fresh);
  return short;
}

/** The files of the engine, in `folder`; the same Python answers the calls of the `first` question at once. */
export async function buildEngine(folder, first) {
  fs.mkdirSync(folder, {recursive: true});
  const write = (name, bytes) => fs.writeFileSync(path.join(folder, name), bytes);
  for (const name of ['pyodide.mjs', 'pyodide.asm.mjs', 'pyodide.asm.wasm', 'pyodide-lock.json']) {
    fs.copyFileSync(path.join(PYODIDE, name), path.join(folder, name));
  }

  const tool = await loadPyodide({env: {HOME: '/home/pyodide', PYTHONNODEBUGRANGES: '1'}});
  tool.runPython(PYTHON);
  const call = (name, ...given) =>
    tool.globals
      .get(name)(...given)
      .toJs();
  const library = new Uint8Array(fs.readFileSync(path.join(PYODIDE, 'python_stdlib.zip')));
  write('stdlib.zip', call('stdlib', library, STDLIB_LEFT_OUT));
  const files = compiled(tool, coreFiles());
  write('core.pack', packed(files));

  const settings = {
    stdLibURL: path.join(folder, 'stdlib.zip'),
    env: {HOME: '/home/pyodide', PYTHONDONTWRITEBYTECODE: '1'},
  };
  const python = await loadPyodide({...settings, _makeSnapshot: true});
  for (const [name, bytes] of files) {
    python.FS.mkdirTree(path.dirname(`${SITE}/${name}`));
    python.FS.writeFile(`${SITE}/${name}`, bytes);
  }
  python.runPython(`import sys; sys.path.insert(0, "${SITE}"); import boot; boot.warm(); boot.restored()`);
  python.runPython('import gc; gc.collect()');
  const modules = python.runPython(
    'import json; json.dumps([getattr(one, "__file__", None) or "" for one in list(sys.modules.values())])',
  );
  const loaded = new Set(JSON.parse(modules));
  const unloaded = [...files].filter(([name]) => !name.endsWith('.pyc') || !loaded.has(`${SITE}/${name}`));
  write('rest.pack', packed(new Map(unloaded)));
  const inLibrary = [...loaded].filter(name => name.startsWith(STDLIB)).map(name => name.slice(STDLIB.length + 1));
  write(
    'stdlib-rest.zip',
    call('without', new Uint8Array(fs.readFileSync(path.join(folder, 'stdlib.zip'))), inLibrary),
  );

  clearFreeMemory(python);
  const snapshot = python.makeMemorySnapshot();
  write('snapshot.pack', compressed(await withoutFresh(snapshot, settings)));
  return first(request => JSON.parse(python.globals.get('boot').answer(JSON.stringify(request))));
}
