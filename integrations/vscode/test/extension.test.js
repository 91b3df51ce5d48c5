// The extension without a window: its settings, and the server that it starts, asked by the client library of VS Code.
"use strict";

const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const Module = require("node:module");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const test = require("node:test");
const rpc = require("vscode-languageserver-protocol/node");

const { serverCommand, USUAL } = require("../server-command");
const manifest = require("../package.json");
const { windowWith } = require("./window");

const RULESET = `ruleset: lanterns
mechanics:
  climb:
    steps:
      rolled: {roll: 2d6, about: "🎲"}
      reach:  highest(roled)
`;

const COMMAND = JSON.parse(process.env.HOUSERULE_COMMAND ?? JSON.stringify(USUAL));

/** An empty folder, and in it the files with these paths. */
function folderWith(...files) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "rules-"));
  for (const file of files) {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    fs.writeFileSync(path.join(folder, file), "");
  }
  return folder;
}

test("the setting of the command is used, and the usual one where it is none", () => {
  assert.deepEqual(manifest.contributes.configuration.properties["houserule.command"].default, USUAL);
  const folder = folderWith("x");
  const named = serverCommand(["${workspaceFolder}/x", "lsp"], folder);
  assert.deepEqual(named, { command: path.join(folder, "x"), args: ["lsp"], found: true });
  const nowhere = { env: { PATH: folder }, platform: "linux" };
  assert.equal(serverCommand(["${workspaceFolder}/y"], folder, nowhere).found, false);
  for (const none of [undefined, [], "houserule", [1]]) {
    assert.deepEqual(serverCommand(none, undefined, nowhere), { command: "houserule", args: ["lsp"], found: false });
  }
});

test("the program is found in the nearest environment, then on the PATH", () => {
  const outer = folderWith(".venv/bin/houserule", "game/venv/bin/houserule", "game/rules/x", "tools/houserule");
  const system = { env: { PATH: path.join(outer, "tools") }, platform: "linux" };
  const found = (folder) => path.relative(outer, serverCommand(USUAL, folder, system).command);
  assert.equal(found(path.join(outer, "game", "rules")), path.join("game", "venv", "bin", "houserule"));
  assert.equal(found(path.join(outer, "tools")), path.join(".venv", "bin", "houserule"));
  assert.equal(found(undefined), path.join("tools", "houserule"));
  const windows = folderWith(".venv/Scripts/houserule.exe");
  assert.equal(serverCommand(USUAL, windows, { env: {}, platform: "win32" }).found, true);
});

/** The extension in a window that is not there, with the real client library. */
function extensionIn(window) {
  const load = Module._load;
  Module._load = (name, ...rest) => (name === "vscode" ? window.vscode : load(name, ...rest));
  try {
    for (const file of Object.keys(require.cache)) {
      if (file.endsWith("extension.js") || file.includes("vscode-languageclient")) delete require.cache[file];
    }
    return require("../extension");
  } finally {
    Module._load = load;
  }
}

test("the extension starts the server, starts it again and stops it", { timeout: 120000 }, async () => {
  const window = windowWith({ command: COMMAND, folder: folderWith(), told: assert.fail });
  const extension = extensionIn(window);
  assert.equal(extension.isRunning(), false);
  await extension.activate({ subscriptions: [] });
  assert.equal(extension.isRunning(), true);
  for (const { command } of manifest.contributes.commands) assert.ok(command in window.commands);
  await window.commands["houserule.restart"]();
  assert.equal(extension.isRunning(), true);
  await extension.deactivate();
  assert.equal(extension.isRunning(), false);
});

test("what is wrong with the command is said, and the next one is tried", { timeout: 120000 }, async () => {
  const messages = [];
  const setting = ["no-such-program"];
  const window = windowWith({ command: setting, told: (message) => messages.push(message) });
  const extension = extensionIn(window);
  await extension.activate({ subscriptions: [] });
  assert.match(messages.join("\n"), /`no-such-program` was not found.*pip install '\.\[editor\]'/);
  setting.splice(0, 1, ...COMMAND);
  await window.commands["houserule.restart"]();
  assert.equal(extension.isRunning(), true);
  await extension.deactivate();
});

test("after a key was inserted, the editor asks what may stand behind it", async () => {
  const extension = extensionIn(windowWith({ command: COMMAND, told: assert.fail }));
  const items = [{ insertText: "type: " }, { insertText: "mechanics." }, { insertText: "sum(" }, { insertText: "mechanics:\n  " }];
  const answered = await extension.provideCompletionItem(0, 0, 0, 0, async () => items);
  assert.deepEqual(answered.map((one) => one.command !== undefined), [true, true, false, false]);
});

test("the server answers the client library of VS Code", { timeout: 120000 }, async () => {
  const [command, ...args] = COMMAND;
  const server = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const connection = rpc.createProtocolConnection(server.stdout, server.stdin);
  connection.listen();
  const uri = `file://${path.join(__dirname, "lanterns.yaml")}`;
  try {
    const started = await connection.sendRequest(rpc.InitializeRequest.type, {
      processId: process.pid,
      rootUri: null,
      capabilities: {},
    });
    assert.equal(started.capabilities.hoverProvider !== undefined, true);
    await connection.sendNotification(rpc.InitializedNotification.type, {});
    const told = new Promise((resolve) =>
      connection.onNotification(rpc.PublishDiagnosticsNotification.type, (one) => resolve(one.diagnostics)),
    );
    await connection.sendNotification(rpc.DidOpenTextDocumentNotification.type, {
      textDocument: { uri, languageId: "yaml", version: 1, text: RULESET },
    });
    const [slip] = await told;
    assert.equal(slip.code, "HR301");
    assert.deepEqual(slip.range, { start: { line: 5, character: 22 }, end: { line: 5, character: 27 } });
    const hover = await connection.sendRequest(rpc.HoverRequest.type, {
      textDocument: { uri },
      position: { line: 4, character: 17 },
    });
    assert.match(hover.contents.value, /^Throws dice/);
    await connection.sendRequest(rpc.ShutdownRequest.type);
    await connection.sendNotification(rpc.ExitNotification.type);
  } finally {
    connection.dispose();
    server.kill();
  }
});
