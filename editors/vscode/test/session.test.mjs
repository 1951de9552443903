// A session with the client of the protocol's own package: types a module letter by letter, and compares what
// the server says at the end with the command line. SIMD_HCL names the program.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdtemp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";
import protocol from "vscode-languageserver-protocol/node.js";

const program = process.env.SIMD_HCL ?? "simd-hcl";

const files = {
  "app/main.tf": 'module "net" {\n  source = "../net"\n  size   = 1\n}\n',
  "app/more.tf.json": '{"locals": {"a": "${module.net.id}"}}\n',
  "net/main.tf": 'variable "size" {\n  type = number\n}\n',
};

async function session(work) {
  const root = await mkdtemp(join(tmpdir(), "simd-hcl-"));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const server = spawn(program, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve) => server.on("exit", resolve));
  const client = protocol.createProtocolConnection(
    new protocol.StreamMessageReader(server.stdout),
    new protocol.StreamMessageWriter(server.stdin),
  );
  client.listen();
  const uri = (path) => pathToFileURL(join(root, path)).href;
  const result = await client.sendRequest(protocol.InitializeRequest.type, {
    processId: process.pid,
    rootUri: null,
    workspaceFolders: [{ uri: pathToFileURL(root).href, name: "root" }],
    capabilities: { textDocument: { diagnostic: {} } },
  });
  await client.sendNotification(protocol.InitializedNotification.type, {});
  try {
    await work({ client, uri, root, result });
    await client.sendRequest(protocol.ShutdownRequest.type);
    await client.sendNotification(protocol.ExitNotification.type);
    assert.equal(await ended, 0);
  } finally {
    server.kill();
    await rm(root, { recursive: true });
  }
}

/** The codes that `check` finds, by file. */
async function checked(root) {
  const output = await new Promise((resolve) => {
    execFile(program, ["check", "--format", "json", root], (_, stdout) => resolve(stdout));
  });
  const codes = {};
  for (const { code, range } of JSON.parse(output).diagnostics) {
    (codes[pathToFileURL(range.filename).href] ??= []).push(code);
  }
  return codes;
}

test("what is typed has the diagnostics of the command line", async () => {
  await session(async ({ client, uri, root, result }) => {
    assert.ok(result.capabilities.diagnosticProvider.interFileDependencies);
    const text = 'variable "length" {\n  type = list(string)\n}\noutput "id" {\n  value = var.lenght\n}\n';
    const document = { uri: uri("net/main.tf"), languageId: "opentofu", version: 1, text: "" };
    await client.sendNotification(protocol.DidOpenTextDocumentNotification.type, { textDocument: document });
    for (let at = 0; at < text.length; at++) {
      const line = text.slice(0, at).split("\n");
      const position = { line: line.length - 1, character: line.at(-1).length };
      await client.sendNotification(protocol.DidChangeTextDocumentNotification.type, {
        textDocument: { uri: document.uri, version: at + 2 },
        contentChanges: [{ range: { start: position, end: position }, text: text[at] }],
      });
      const report = await client.sendRequest(protocol.DocumentDiagnosticRequest.type, {
        textDocument: { uri: document.uri },
      });
      assert.equal(report.kind, "full");
    }
    await writeFile(join(root, "net/main.tf"), text);
    await client.sendNotification(protocol.DidSaveTextDocumentNotification.type, { textDocument: document });
    const all = await client.sendRequest(protocol.WorkspaceDiagnosticRequest.type, { previousResultIds: [] });
    const codes = Object.fromEntries(all.items.map((item) => [item.uri, item.items.map((it) => it.code)]));
    assert.deepEqual(codes, await checked(root));
    assert.ok(codes[uri("app/main.tf")].length >= 2);
  });
});

test("formatting is that of the command line", async () => {
  await session(async ({ client, uri, root }) => {
    const text = "locals {\na=1\nlong=2\n}\n";
    await writeFile(join(root, "net/main.tf"), text);
    const textDocument = { uri: uri("net/main.tf"), languageId: "opentofu", version: 1, text };
    await client.sendNotification(protocol.DidOpenTextDocumentNotification.type, { textDocument });
    const edits = await client.sendRequest(protocol.DocumentFormattingRequest.type, {
      textDocument,
      options: { tabSize: 2, insertSpaces: true },
    });
    const lines = text.split("\n");
    for (const { range, newText } of edits.toReversed()) {
      lines.splice(range.start.line, range.end.line - range.start.line, ...newText.split("\n").slice(0, -1));
    }
    await new Promise((resolve) => execFile(program, ["fmt", root], resolve));
    assert.equal(lines.join("\n"), await readFile(join(root, "net/main.tf"), "utf8"));
  });
});
