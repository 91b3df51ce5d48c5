// Starts `houserule lsp` and connects it with the editor. The server knows the language; this file only finds it.
"use strict";

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");
const { serverCommand } = require("./server-command");

/** Plain YAML is watched too: the server leaves alone what is neither a ruleset, a part nor a scene file. */
const DOCUMENTS = ["yaml", "houserule"].flatMap((language) =>
  ["file", "untitled"].map((scheme) => ({ scheme, language })),
);

let client;

async function start() {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const configured = vscode.workspace.getConfiguration("houserule").get("command");
  const { command, args } = serverCommand(configured, folder);
  const server = { command, args, transport: TransportKind.stdio, options: folder ? { cwd: folder } : {} };
  const watched = vscode.workspace.createFileSystemWatcher("**/*.{yaml,yml}");
  const options = { documentSelector: DOCUMENTS, synchronize: { fileEvents: watched } };
  client = new LanguageClient("houserule", "houserule", server, options);
  try {
    await client.start();
  } catch (error) {
    const help = "Install it with `pip install 'houserule[editor]'`, or set `houserule.command`.";
    vscode.window.showErrorMessage(`The language server \`${command}\` did not start: ${error.message} ${help}`);
  }
}

async function stop() {
  const stopped = client;
  client = undefined;
  if (stopped?.isRunning()) await stopped.stop();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("houserule.restart", async () => {
      await stop();
      await start();
    }),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("houserule.command")) {
        await stop();
        await start();
      }
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
