// The form of a snapshot of Python's memory, as the build writes it and the worker reads it.
//
// It begins with a head, of which a word says where the memory begins; Pyodide leaves another one free. Of the first
// part of the memory it holds only what differs from a fresh module, since that part comes with the module.

export const HEAD_WORDS = 4;
export const OFFSET = 1; // the word of the head that says where the memory begins, in bytes
export const FREE = 3;
export const FRESH_WORDS = 3 << 18; // up to what is random in a fresh module

/** A number that differs, in all likelihood, for another memory (Fowler, Noll and Vo, 1991, with words for bytes). */
export function checkSum(words) {
  let sum = 0x811c9dc5;
  for (const word of words) sum = Math.imul(sum ^ word, 0x01000193);
  return sum >>> 0;
}

/** Puts the fresh memory of a module into a snapshot again. Throws if it is not the memory that was taken out. */
export function complete(snapshot, fresh) {
  const head = new Uint32Array(snapshot.buffer, 0, HEAD_WORDS);
  const words = fresh.subarray(0, FRESH_WORDS);
  if (checkSum(words) !== head[FREE]) throw new Error('the memory of the module is another one than at the build');
  const memory = new Uint32Array(snapshot.buffer, head[OFFSET], FRESH_WORDS);
  for (let place = 0; place < FRESH_WORDS; place += 1) memory[place] ^= words[place];
  head[FREE] = 0;
}
