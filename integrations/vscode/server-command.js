"use strict";

const fs = require("node:fs");
const path = require("node:path");

const USUAL = ["houserule", "lsp"];
const ENVIRONMENTS = [".venv", "venv"];

/**
 * The program and the arguments of the setting `houserule.command`; `found` says whether there is such a program.
 *
 * For the usual command, `houserule` is looked for in the environments of the first open folder and of the folders
 * above it, and then on the PATH: an editor that was not started in a terminal does not see the PATH of that terminal.
 */
function serverCommand(configured, folder, system = process) {
  const isCommand = Array.isArray(configured) && configured.length > 0 && configured.every((one) => typeof one === "string");
  const [named, ...args] = (isCommand ? configured : USUAL).map((one) =>
    one.replaceAll("${workspaceFolder}", folder ?? "."),
  );
  const own = named === USUAL[0] && folder !== undefined ? environmentsAbove(folder, system.platform) : [];
  const program = [...own, ...onPath(named, system)].find(isFile);
  return { command: program ?? named, args, found: program !== undefined };
}

/** Where `houserule` lies if it is installed in an environment of a folder, or of one above it; the nearest first. */
function environmentsAbove(folder, platform) {
  const inside = platform === "win32" ? ["Scripts", "houserule.exe"] : ["bin", "houserule"];
  const places = ENVIRONMENTS.map((name) => path.join(folder, name, ...inside));
  const above = path.dirname(folder);
  return above === folder ? places : [...places, ...environmentsAbove(above, platform)];
}

/** The files that a program of this name may be: itself if it is a path, else one in each folder of the PATH. */
function onPath(named, { env, platform }) {
  const endings = platform === "win32" ? ["", ".exe", ".cmd", ".bat"] : [""];
  const folders = named.includes("/") || named.includes(path.sep) ? [""] : (env.PATH ?? env.Path ?? "").split(path.delimiter);
  return folders.flatMap((folder) => endings.map((ending) => path.join(folder, named + ending)));
}

function isFile(file) {
  return fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}

module.exports = { serverCommand, USUAL };
