// Sessions with the client of the Model Context Protocol's own package: the answers are those of the command
// line. SIMD_HCL names the program.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import test from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const program = process.env.SIMD_HCL ?? "simd-hcl";

const files = {
  "app/main.tf": 'module "net" {\n  source = "../net"\n  size   = "x"\n}\n\noutput "id" {\n  value = module.net.nothing\n}\n',
  "net/main.tf":
    'variable "size" {\n  type = number\n}\n\nvariable "token" {\n  sensitive = true\n  default   = "hunter2-hunter2"\n}\n\noutput "id" {\n  value = var.size\n}\n',
};

async function session(work) {
  const root = await mkdtemp(join(tmpdir(), "simd-hcl-"));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command: program, args: ["mcp", root] }));
  const call = async (name, args) => {
    const result = await client.callTool({ name, arguments: args });
    return { isError: result.isError ?? false, text: result.content[0].text };
  };
  try {
    await work({ client, call, root });
  } finally {
    await client.close();
    await rm(root, { recursive: true });
  }
}

/** The answer of a command, which may find something. */
function command(root, ...args) {
  return new Promise((resolve) => {
    execFile(program, [...args, "--format", "json"], { cwd: root }, (_, stdout) => resolve(JSON.parse(stdout)));
  });
}

test("tools are described, and say whether they write", async () => {
  await session(async ({ client }) => {
    const { tools } = await client.listTools();
    assert.ok(tools.length >= 10 && tools.length <= 12, `${tools.length} tools`);
    const writing = tools.filter((tool) => !tool.annotations?.readOnlyHint).map((tool) => tool.name);
    assert.deepEqual(writing.toSorted(), ["rename", "set"]);
    for (const { name, description, inputSchema } of tools) {
      assert.ok(description.length > 20, name);
      assert.equal(inputSchema.type, "object", name);
    }
  });
});

test("answers are those of the command line", async () => {
  await session(async ({ call, root }) => {
    const { diagnostics } = JSON.parse((await call("check", {})).text);
    const places = (found) => found.map(({ code, file, range, line }) => [code, file ?? range.filename, line ?? range.start.line]);
    const expected = await command(root, "check");
    assert.ok(expected.diagnostics.length >= 2);
    assert.deepEqual(places(diagnostics), places(expected.diagnostics));

    const dependents = JSON.parse((await call("dependents", { address: "net:var.size" })).text);
    const all = await command(root, "dependents", "net:var.size");
    const named = ({ dependents }) => dependents.map(({ module, address }) => `${module}:${address}`);
    assert.deepEqual(named(dependents), named(all));
  });
});

test("secrets are hidden, wrong arguments and paths outside are errors", async () => {
  await session(async ({ call }) => {
    const query = await call("query", { pattern: "variable.*", paths: ["net"] });
    assert.ok(!query.text.includes("hunter2"), query.text);
    for (const [name, args] of [
      ["query", {}],
      ["check", { paths: ["../.."] }],
      ["why", { address: "var.none", directory: "net" }],
    ]) {
      const { isError, text } = await call(name, args);
      assert.ok(isError && text.length > 0, `${name}: ${text}`);
    }
  });
});

test("rename writes on request only", async () => {
  await session(async ({ call, root }) => {
    const arguments_ = { address: "var.size", new: "length", path: "net" };
    assert.ok(!(await call("rename", arguments_)).isError);
    assert.equal(await readFile(join(root, "app/main.tf"), "utf8"), files["app/main.tf"]);
    const { isError, text } = await call("rename", { ...arguments_, write: true });
    assert.ok(!isError, text);
    assert.match(await readFile(join(root, "app/main.tf"), "utf8"), /length +=  *"x"/);
  });
});
