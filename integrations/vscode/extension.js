// Starts `houserule lsp` and connects it with the editor. The server knows the language; this file only finds it.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { serverCommand } = require("./server-command");

/** Plain YAML is watched too: the server leaves alone what is neither a ruleset, a part nor a scene file. */
const DOCUMENTS = ["yaml", "houserule"].flatMap((language) =>
  ["file", "untitled"].map((scheme) => ({ scheme, language })),
);
const CHOOSE = "Choose the program…";
const SETTINGS = "Open the setting";
const OUTPUT = "Show the output";

let client;

async function start() {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const configured = vscode.workspace.getConfiguration("houserule").get("command");
  const { command, args, found } = serverCommand(configured, folder);
  if (!found) {
    notFound(command);
    return;
  }
  // Without a `transport`, a client talks over standard input and output, and adds no arguments to the command.
  const server = { command, args, options: folder ? { cwd: folder } : {} };
  const watched = vscode.workspace.createFileSystemWatcher("**/*.{yaml,yml}");
  const options = { documentSelector: DOCUMENTS, synchronize: { fileEvents: watched }, middleware: { provideCompletionItem } };
  const started = new LanguageClient("houserule", "houserule", server, options);
  client = started;
  try {
    await started.start();
  } catch {
    ended(started, [command, ...args].join(" "));
  }
}

/** Asks again after a key or a path was inserted: what may stand behind it is of interest next. */
async function provideCompletionItem(document, position, context, token, next) {
  const answer = await next(document, position, context, token);
  for (const item of answer?.items ?? answer ?? []) {
    if (/(: |\.)$/.test(item.insertText ?? "")) {
      item.command = { title: "Suggest", command: "editor.action.triggerSuggest", arguments: [{ auto: true }] };
    }
  }
  return answer;
}

/** Says that the server ended before it answered. */
async function ended(started, command) {
  const answer = await vscode.window.showErrorMessage(
    `\`${command}\` ended at once. Its output says why.`,
    OUTPUT,
    SETTINGS,
  );
  if (answer === OUTPUT) started.outputChannel.show();
  if (answer === SETTINGS) openSetting();
}

/** Says that there is no server, and helps to name one. */
async function notFound(command) {
  const answer = await vscode.window.showErrorMessage(
    `\`${command}\` was not found. In a clone of houserule, \`pip install '.[editor]'\` installs it; or choose where it lies.`,
    CHOOSE,
    SETTINGS,
  );
  if (answer === SETTINGS) openSetting();
  if (answer !== CHOOSE) return;
  const [chosen] = (await vscode.window.showOpenDialog({ title: "The program `houserule`" })) ?? [];
  if (chosen === undefined) return;
  await vscode.workspace
    .getConfiguration("houserule")
    .update("command", [chosen.fsPath, "lsp"], vscode.ConfigurationTarget.Global);
}

function openSetting() {
  vscode.commands.executeCommand("workbench.action.openSettings", "houserule.command");
}

async function stop() {
  const stopped = client;
  client = undefined;
  if (stopped?.isRunning()) await stopped.stop();
}

async function restart() {
  await stop();
  await start();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("houserule.restart", restart),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("houserule.command")) await restart();
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop, isRunning: () => client?.isRunning() ?? false, provideCompletionItem };
