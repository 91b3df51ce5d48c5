// What the browser keeps between visits. Private windows may keep nothing, and then nothing is kept.

/** What is kept under a name, or null. */
export function kept(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Keeps a text under a name. */
export function keep(name, text) {
  try {
    localStorage.setItem(name, text);
  } catch {
    // as above
  }
}
