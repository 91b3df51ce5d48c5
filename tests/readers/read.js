// Reads a JSON list of YAML texts from standard input, and writes for each text and each reader the tree of its text,
// or the error. A tree has objects, lists and strings, whatever type a reader takes a string for.
"use strict";

const fs = require("fs");
const five = require("js-yaml");
const four = require("js-yaml-4");
const yaml = require("yaml");

const texts = JSON.parse(fs.readFileSync(0, "utf8"));

function plain(value) {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map) return [...value].reduce((made, [key, one]) => add(made, plain(key), plain(one)), {});
  if (typeof value === "object") return Object.entries(value).reduce((made, [key, one]) => add(made, key, plain(one)), {});
  return String(value);
}

function add(made, key, value) {
  return Object.defineProperty(made, key, { value, enumerable: true, configurable: true, writable: true });
}

/** How many entries and items a value has, with those inside. */
function size(value) {
  if (value instanceof Date || value === null || typeof value !== "object") return 0;
  const parts = Array.isArray(value) ? value : value instanceof Map ? [...value.values()] : Object.values(value);
  return parts.reduce((sum, one) => sum + 1 + size(one), 0);
}

function strictly(text, options) {
  const found = yaml.parseDocument(text, { ...options, logLevel: "silent" });
  const problem = found.errors[0] || found.warnings[0];
  if (problem) throw problem;
  return found.toJS({ mapAsMap: true });
}

const READERS = {
  "js-yaml 5": [
    (text) => five.load(text, { schema: five.FAILSAFE_SCHEMA }),
    (text) => five.load(text),
    (text) => five.load(text, { schema: five.YAML11_SCHEMA }),
  ],
  "js-yaml 4": [(text) => four.load(text, { schema: four.FAILSAFE_SCHEMA }), (text) => four.load(text)],
  "yaml 1.1": [
    (text) => strictly(text, { version: "1.1", schema: "failsafe" }),
    (text) => strictly(text, { version: "1.1" }),
  ],
  "yaml 1.2": [(text) => strictly(text, { schema: "failsafe" }), (text) => strictly(text, {})],
};

/** The tree of a text, read without types; an error also if a reading with types fails or has another size. */
function read([untyped, ...typed], text) {
  try {
    const tree = untyped(text);
    for (const one of typed) {
      const found = size(one(text));
      if (found !== size(tree)) return { error: `${found} entries and items with types, not ${size(tree)}` };
    }
    return { tree: plain(tree) };
  } catch (error) {
    return { error: String(error.message).split("\n")[0] };
  }
}

const found = texts.map((text) =>
  Object.fromEntries(Object.entries(READERS).map(([name, reader]) => [name, read(reader, text)])),
);
process.stdout.write(JSON.stringify(found));
