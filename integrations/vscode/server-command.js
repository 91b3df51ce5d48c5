"use strict";

const USUAL = ["houserule", "lsp"];

/** The program and the arguments of the setting `houserule.command`; the usual ones for a setting that is none. */
function serverCommand(configured, folder) {
  const isCommand = Array.isArray(configured) && configured.length > 0 && configured.every((one) => typeof one === "string");
  const [command, ...args] = (isCommand ? configured : USUAL).map((one) =>
    one.replaceAll("${workspaceFolder}", folder ?? "."),
  );
  return { command, args };
}

module.exports = { serverCommand, USUAL };
