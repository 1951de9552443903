// The packages that replace @cdktf/hcl2json and hcl2-parser, in Node.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import parser, { parseToObject, parseToString } from "@simd-hcl/hcl2json/hcl2-parser";
import hcl2json, {
  HclError,
  TFExpressionSyntaxTree,
  convertFiles,
  getExpressionAst,
  getReferencesInExpression,
  parse,
  wrapTerraformExpression,
} from "@simd-hcl/hcl2json";

const require = createRequire(import.meta.url);

test("a file", async () => {
  const text = 'resource "a" "b" {\n  name = "x-${var.name}"\n  size = 3\n  tags = { on = !false }\n}\n';
  const expected = { resource: { a: { b: [{ name: "x-${var.name}", size: 3, tags: { on: true } }] } } };
  assert.deepEqual(await parse("main.tf", text), expected);
  assert.deepEqual(parseToObject(text), [expected, null]);
  assert.deepEqual(await parse("main.tf", ""), {});
});

test("texts are returned byte by byte", async () => {
  const text = `a = "é \u{1f600} \\u0001 <&>\u2028"\n__proto__ = { __proto__ = 1 }\n`;
  const parsed = await parse("ä.tf", text);
  assert.equal(parsed.a, "é \u{1f600} \u0001 <&>\u2028");
  assert.equal(Object.hasOwn(parsed, "__proto__"), true);
  assert.equal(JSON.stringify(parsed), parseToString(text)[0].replace(/\\u(?!0001)(.{4})/g, (_, code) => String.fromCharCode(parseInt(code, 16))));
});

test("errors have places", async () => {
  const error = await parse("main.tf", "a = 1\nb = [\n").catch((error) => error);
  assert.ok(error instanceof HclError && error instanceof Error);
  assert.match(error.message, /^main\.tf:2:5: /);
  assert.equal(error.diagnostics[0].code, "unterminated-tuple");
  assert.deepEqual(error.diagnostics[0].range.start, { line: 2, column: 5, byte: 10 });
  const [value, why] = parseToObject("a = [");
  assert.deepEqual(value, {});
  assert.ok(why instanceof HclError);
  assert.equal(parseToString("a = [")[0], "");
  await assert.rejects(parse("main.tf"), TypeError);
  await assert.rejects(parse("main.tf", new Uint8Array()), TypeError);
  assert.throws(() => parseToObject(), TypeError);
});

test("expressions", async () => {
  const [first, second] = await getReferencesInExpression("main.tf", '"${var.a[0].b} ${[for k in local.c : k if data.d]}"');
  assert.deepEqual(first, { value: "var.a.0.b", startPosition: 3, endPosition: 13 });
  assert.equal(second.value, "local.c");
  const tree = await getExpressionAst("main.tf", "var.a ? 1 : b");
  assert.equal(tree.type, "conditional");
  assert.equal(TFExpressionSyntaxTree.isConditionalExpression(tree), true);
  assert.equal(TFExpressionSyntaxTree.getChildWithValue(tree, "b").type, "scopeTraversal");
  await assert.rejects(getExpressionAst("main.tf", "1 +"), HclError);
  assert.deepEqual(wrapTerraformExpression("foo\nbar"), { wrap: '"foo\nbar"', wrapOffset: 1 });
  assert.deepEqual(wrapTerraformExpression('"a\nb"'), { wrap: "<<EOE\na\nb\nEOE\n", wrapOffset: 5 });
  assert.deepEqual(wrapTerraformExpression('"a"b"'), { wrap: '"a\\"b"', wrapOffset: 0 });
});

test("directories", async () => {
  const directory = mkdtempSync(join(tmpdir(), "hcl2json-"));
  const put = (name, text) => writeFileSync(join(directory, name), text);
  put("a.tf", 'variable "a" {}');
  put("b.tf", 'variable "b" {}\n');
  put("c.tf.json", '{"variable": {"a": [{}], "__proto__": {"polluted": [1]}}, "output": {"o": {}}}');
  put("d.json", "{");
  mkdirSync(join(directory, "e.tf"));
  try {
    const expected = JSON.parse('{"variable": {"a": [{}, {}], "b": [{}], "__proto__": {"polluted": [1]}}}');
    assert.deepEqual(await convertFiles(directory), expected);
    assert.equal({}.polluted, undefined);
    put("f.tf", "a = ");
    await assert.rejects(convertFiles(directory), HclError);
    await assert.rejects(convertFiles(join(directory, "missing")), { code: "ENOENT" });
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("both kinds of modules have the same exports", async () => {
  for (const name of ["@simd-hcl/hcl2json", "@simd-hcl/hcl2json/hcl2-parser", "simd-hcl/hcl2json", "simd-hcl/hcl2-parser"]) {
    const [esm, cjs] = [await import(name), require(name)];
    assert.deepEqual(Object.keys(cjs).sort(), Object.keys(esm).sort(), name);
    assert.deepEqual(Object.keys(cjs.default).sort(), Object.keys(cjs).filter((it) => it !== "default").sort());
  }
  assert.equal(hcl2json.parse, parse);
  assert.equal(parser.parseToObject, parseToObject);
  assert.deepEqual(await require("@simd-hcl/hcl2json").parse("a.tf", "a = 1"), { a: 1 });
  assert.deepEqual(require("simd-hcl/hcl2-parser").parseToObject("a = 1"), [{ a: 1 }, null]);
});

test("a large file, then small ones", async () => {
  const large = 'resource "a" "b" {\n  c = "${d}"\n}\n'.repeat(30_000);
  assert.equal((await parse("main.tf", large)).resource.a.b.length, 30_000);
  for (let turn = 0; turn < 1000; turn += 1) {
    assert.deepEqual(await parse("main.tf", `a = ${turn}`), { a: turn });
  }
});

const SCRIPT = `
const { parse } = await import("@simd-hcl/hcl2json");
if (JSON.stringify(await parse("a.tf", "a = [b]")) !== '{"a":["\${b}"]}') throw new Error("wrong");
const { parseToObject } = await import("@simd-hcl/hcl2json/hcl2-parser");
if (parseToObject("a = 1")[0].a !== 1) throw new Error("wrong");
console.log("fine");
`;

for (const [runtime, ...options] of [["deno", "run", "--allow-read", "--node-modules-dir=manual"], ["bun", "run"]]) {
  test(`in ${runtime}`, (context) => {
    const script = fileURLToPath(new URL("./runtime.mjs", import.meta.url));
    writeFileSync(script, SCRIPT);
    const run = spawnSync(runtime, [...options, script], { encoding: "utf-8" });
    rmSync(script);
    if (run.error) {
      context.skip(`no ${runtime}`);
      return;
    }
    assert.equal(run.stdout, "fine\n", run.stderr);
  });
}
