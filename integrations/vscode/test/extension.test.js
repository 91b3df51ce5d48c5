// The extension without a window: its settings, and the server that it starts, asked by the client library of VS Code.
"use strict";

const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const Module = require("node:module");
const path = require("node:path");
const test = require("node:test");
const rpc = require("vscode-languageserver-protocol/node");

const { serverCommand, USUAL } = require("../server-command");
const manifest = require("../package.json");

const RULESET = `ruleset: lanterns
mechanics:
  climb:
    steps:
      rolled: {roll: 2d6, about: "🎲"}
      reach:  highest(roled)
`;

test("the setting of the command is used, and the usual one where it is none", () => {
  assert.deepEqual(manifest.contributes.configuration.properties["houserule.command"].default, USUAL);
  assert.deepEqual(serverCommand(["${workspaceFolder}/x", "lsp"], "/rules"), { command: "/rules/x", args: ["lsp"] });
  for (const none of [undefined, [], "houserule", [1]]) {
    assert.deepEqual(serverCommand(none, undefined), { command: "houserule", args: ["lsp"] });
  }
});

test("the extension starts one client for YAML, and stops it", async () => {
  const made = [];
  class LanguageClient {
    constructor(...parts) {
      made.push(this);
      this.parts = parts;
    }
    async start() {
      this.running = true;
    }
    async stop() {
      this.running = false;
    }
    isRunning() {
      return this.running;
    }
  }
  const commands = {};
  const vscode = {
    workspace: {
      workspaceFolders: [{ uri: { fsPath: "/rules" } }],
      getConfiguration: () => ({ get: () => ["${workspaceFolder}/houserule", "lsp"] }),
      createFileSystemWatcher: () => ({}),
      onDidChangeConfiguration: () => ({}),
    },
    commands: { registerCommand: (name, run) => (commands[name] = run) },
    window: { showErrorMessage: assert.fail },
  };
  const stubs = { vscode, "vscode-languageclient/node": { LanguageClient, TransportKind: { stdio: 0 } } };
  const load = Module._load;
  Module._load = (name, ...rest) => stubs[name] ?? load(name, ...rest);
  try {
    const extension = require("../extension");
    await extension.activate({ subscriptions: [] });
    assert.equal(made.length, 1);
    assert.equal(made[0].parts[2].command, "/rules/houserule");
    assert.deepEqual(new Set(made[0].parts[3].documentSelector.map((one) => one.language)), new Set(["yaml", "houserule"]));
    assert.deepEqual(Object.keys(commands), manifest.contributes.commands.map((one) => one.command));
    await commands["houserule.restart"]();
    assert.deepEqual(made.map((one) => one.running), [false, true]);
    await extension.deactivate();
    assert.equal(made[1].running, false);
  } finally {
    Module._load = load;
  }
});

test("the server answers the client library of VS Code", { timeout: 120000 }, async () => {
  const [command, ...args] = JSON.parse(process.env.HOUSERULE_COMMAND ?? JSON.stringify(USUAL));
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
