// A window of VS Code that is not there: enough of the module `vscode` for the real client library to start a server.
"use strict";

const off = { dispose() {} };
const event = () => off;

/** A value that may be called, constructed, extended and asked for any field. */
function anything() {
  return new Proxy(class {}, {
    get: (target, name) => {
      if (name === Symbol.toPrimitive) return () => "";
      if (name === "then") return undefined;
      return (target[name] ??= anything());
    },
    apply: anything,
  });
}

/** These fields, events that never happen, and makers of things that do nothing. */
function part(fields) {
  const made = { ...off, append() {}, appendLine() {}, show() {}, onDidCreate: event, onDidChange: event, onDidDelete: event };
  return new Proxy(fields, {
    get: (target, name) => {
      if (name in target || typeof name !== "string") return target[name];
      if (/^on[A-Z]/.test(name)) return event;
      return /^(register|create)/.test(name) ? () => made : anything();
    },
  });
}

/** The module `vscode`, with a setting, an open folder and a function that is told of each error message. */
function windowWith({ command, folder, told }) {
  const commands = {};
  const vscode = anything();
  return {
    commands,
    vscode: Object.assign(vscode, {
      version: "1.90.0",
      env: { appName: "test", language: "en" },
      EventEmitter: class {
        event = event;
        fire() {}
        dispose() {}
      },
      Disposable: { from: () => off },
      languages: part({}),
      commands: part({ registerCommand: (name, run) => ((commands[name] = run), off) }),
      window: part({
        visibleTextEditors: [],
        activeTextEditor: undefined,
        tabGroups: part({ all: [] }),
        showErrorMessage: async (message) => told(message),
      }),
      workspace: part({
        textDocuments: [],
        notebookDocuments: [],
        workspaceFolders: folder ? [{ name: "rules", uri: { fsPath: folder, toString: () => `file://${folder}` } }] : undefined,
        getConfiguration: () => ({ get: (key) => (key === "command" ? command : undefined) }),
      }),
    }),
  };
}

module.exports = { windowWith };
