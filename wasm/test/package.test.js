// The built package in Node. `npm test` builds it first.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { check, convert, events, format, graph, inspect, plan, redact, references, state } from "simd-hcl";

const root = new URL("../../", import.meta.url);
const corpus = (path) => readFileSync(new URL(`corpus/${path}`, root));

/** The files below a folder of the corpus. */
function filesOf(path) {
  const files = {};
  for (const entry of readdirSync(new URL(`corpus/${path}/`, root), { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) {
      const full = `${entry.parentPath ?? entry.path}/${entry.name}`;
      files[full.slice(full.indexOf(`corpus/${path}/`) + `corpus/${path}/`.length)] = readFileSync(full);
    }
  }
  return files;
}

const MODULES = {
  "main.tf": 'variable "size" {}\nmodule "net" {\n  source = "./net"\n  size   = var.size\n}\n',
  "net/main.tf.json": '{"variable": {"size": {}}, "output": {"id": {"value": "${var.size}-${var.missing}"}}}',
};

test("check reports errors with their places", () => {
  const result = check(MODULES);
  assert.equal(result.valid, false);
  assert.equal(result.error_count, 1);
  const [found] = result.diagnostics;
  assert.equal(found.code, "undeclared-reference");
  assert.equal(found.range.filename, "net/main.tf.json");
  assert.deepEqual(found.range.start.line, 1);
  const text = MODULES["net/main.tf.json"];
  assert.match(text.slice(found.range.start.byte, found.range.end.byte), /^var\.missing/);
  assert.deepEqual(result.incomplete, []);
});

test("check says what it did not read", () => {
  const result = check({ "README.md": "# x", "broken.tf.json": "{" });
  assert.deepEqual(result.incomplete.map((gap) => gap.where).sort(), ["README.md", "broken.tf.json"]);
  assert.equal(result.valid, false);
});

test("a called module that is not given is missing", () => {
  const result = check({ "main.tf": 'module "x" {\n  source = "./x"\n}\n' });
  assert.equal(result.error_count, 1);
});

test("the example repository has no errors", () => {
  const result = check(filesOf("monorepo"));
  assert.deepEqual(result.diagnostics, []);
  assert.equal(result.valid, true);
});

test("inspect, references and graph", () => {
  const { modules } = inspect(MODULES);
  assert.deepEqual(modules.map((module) => module.path), [".", "net"]);
  assert.equal(modules[0].dialect, "opentofu");
  const found = references(MODULES).references;
  assert.ok(found.some((it) => it.from === "module.net" && it.to === "var.size" && it.range.start.line === 4));
  const { nodes, edges } = graph(MODULES);
  const ids = new Set(nodes.map((node) => node.id));
  assert.ok(ids.has("var.size") && ids.has("net:output.id"));
  assert.ok(edges.every(({ from, to }) => ids.has(from) && ids.has(to)));
  assert.ok(edges.some(({ from, to }) => from === "net:output.id" && to === "net:var.size"));
});

test("packer", () => {
  const result = check({ "a.pkr.hcl": 'source "null" "a" {}\nbuild {\n  sources = ["source.null.b"]\n}\n' });
  assert.equal(result.error_count > 0, true);
  assert.throws(() => check({}, { dialect: "other" }), TypeError);
});

test("wrong arguments are exceptions", () => {
  for (const files of [[], ["a = 1"], new Map([["main.tf", "a = "]]), new Set(), null, undefined, "a = 1", 1]) {
    assert.throws(() => check(files), { name: "TypeError", message: /files must be an object/ });
  }
  assert.equal(check(Object.assign(Object.create(null), { "main.tf": "" })).valid, true);
  for (const options of [{ Dialect: "packer" }, { showSensitive: true }, [], "packer", new Map(), null]) {
    assert.throws(() => check({}, options), TypeError);
  }
  assert.throws(() => check({}, { dialekt: "packer" }), /unknown option "dialekt": the options are dialect/);
  assert.throws(() => check({ "main.tf": 1 }), TypeError);
  assert.throws(() => plan("{}", { showsensitive: true }), /unknown option "showsensitive"/);
  assert.throws(() => plan("{}", { showSensitive: "no" }), TypeError);
  assert.throws(() => convert("", { name: 1 }), TypeError);
  assert.throws(() => format("", { dialect: "packer" }), /unknown option "dialect"/);
});

test("convert and format", () => {
  const native = 'locals {\n  a = var.b\n}\n';
  const { text } = convert(native);
  assert.deepEqual(JSON.parse(text), { locals: { a: "${var.b}" } });
  assert.equal(convert(text, { name: "main.tf.json" }).text, native);
  assert.equal(format("locals {\na=1\nlong=2}").text, null);
  assert.equal(format("a=1\nlong=2\n").text, "a    = 1\nlong = 2\n");
  const broken = convert("a = [\n");
  assert.equal(broken.text, null);
  assert.equal(broken.diagnostics[0].range.start.line, 1);
});

test("events", () => {
  const json = events('{"a": [1, null]}', { name: "a.json" });
  assert.deepEqual(
    json.events.map((event) => [event.kind, event.depth]).slice(0, 4),
    [["StartObject", 0], ["Key", 1], ["StartArray", 1], ["Number", 2]],
  );
  const native = events('a "b" {\n  c = 1\n}\n');
  assert.deepEqual(native.events.map((event) => event.kind).slice(0, 3), ["Block", "Label", "StartBody"]);
  assert.equal(events("{", { name: "a.json" }).diagnostics.length, 1);
});

const SECRET = "do-not-print-this-secret";

test("plans, without what is sensitive", () => {
  const change = {
    actions: ["update"],
    before: { password: "older-secret-value", size: 1 },
    after: { password: SECRET, size: 2 },
    after_unknown: {},
    before_sensitive: { password: true },
    after_sensitive: { password: true },
  };
  const document = JSON.stringify({
    format_version: "1.2",
    resource_changes: [
      { address: "aws_db_instance.main", mode: "managed", type: "aws_db_instance", name: "main", change },
    ],
  });
  const hidden = plan(document);
  assert.equal(hidden.summary.update, 1);
  assert.ok(!JSON.stringify(hidden).includes(SECRET) && !JSON.stringify(hidden).includes("older-secret"));
  const size = hidden.changes[0].differences.find((it) => it.path === "size");
  assert.deepEqual([size.before, size.after], [1, 2]);
  assert.ok(JSON.stringify(plan(document, { showSensitive: true })).includes(SECRET));

  const real = plan(corpus("show/plan-1.2-opentofu.json"));
  const expected = JSON.parse(corpus("show/plan-1.2-opentofu.json")).resource_changes;
  assert.deepEqual(real.changes.map((it) => it.address), expected.map((it) => it.address));
});

test("redact changes only sensitive values", () => {
  const outputs = { key: { sensitive: true, value: SECRET }, url: { sensitive: false, value: `x:${SECRET}@y` } };
  const text = JSON.stringify({ format_version: "1.2", planned_values: { outputs } }, null, 1);
  const expected = text.replaceAll(SECRET, "REDACTED_SENSITIVE");
  assert.deepEqual(redact(text), { text: expected, diagnostics: [] });
  assert.equal(redact(new TextEncoder().encode(text)).text, expected);
  const kept = redact(text, { keep: ["repeated-text"] }).text;
  assert.equal(kept, text.replace(`"${SECRET}"`, '"REDACTED_SENSITIVE"'));

  const old = text.replace("1.2", "0.1");
  assert.equal(redact(old).text, null);
  assert.equal(redact(old).diagnostics[0].code, "no-sensitive-marks");
  assert.ok(!redact(old, { force: true }).text.includes(SECRET));

  for (const options of [{ keep: "defaults" }, { keep: ["all"] }, { force: 1 }, { name: 1 }, { showSensitive: true }]) {
    assert.throws(() => redact(text, options), TypeError);
  }
  for (const providerSchemas of ["{}", "[]", "x", text]) {
    const refused = redact(text, { providerSchemas });
    assert.deepEqual([refused.text, refused.diagnostics[0].range.filename], [null, "schemas.json"]);
  }
  assert.throws(() => redact(text, { providerSchemas: 1 }), TypeError);
  const file = redact(corpus("show/tfstate-4.json"), { name: "terraform.tfstate" });
  assert.equal(JSON.parse(file.text).version, 4);
});

test("diagnostics of documents have no text of them", () => {
  // Each is refused, or has a warning at a line with the secret.
  const start = `{"format_version":"1.2","planned_values":{"outputs":{"key":{"sensitive":true,"value":"${SECRET}"}}}`;
  const documents = [start, `${start},}`, `${start}} x`, `${start}}\nx ${SECRET}`, `${SECRET}\n${start}}`, start.replace("1.2", "9.0") + "}"];
  for (const text of documents) {
    for (const read of [plan, state, redact]) {
      const answer = read(text);
      assert.ok(!JSON.stringify(answer).includes(SECRET), `${read.name}: ${JSON.stringify(answer)}`);
    }
  }
});

test("states", () => {
  const raw = state(corpus("show/tfstate-4.json"));
  assert.ok(raw.resources.length > 0);
  const refused = plan(corpus("show/tfstate-4.json"));
  assert.equal(refused.changes, undefined);
  assert.equal(refused.diagnostics[0].severity, "error");
});

test("rows are those of the library", () => {
  // Every cell of every row, hidden ones included: the library's tests write the file.
  const documents = JSON.parse(corpus("show/expected/rows.json"));
  let compared = 0;
  const compare = (name, rows, expected) => {
    assert.equal(rows.length, expected.length, name);
    expected.forEach((cells, place) => {
      for (const [column, cell] of Object.entries(cells)) {
        if (column === "attributes") continue;
        if (column === "differences") {
          compare(name, rows[place].differences, cell);
          continue;
        }
        assert.deepEqual(rows[place][column] ?? null, cell, `${name}: ${column}`);
        compared += 1;
      }
    });
  };
  for (const [name, expected] of Object.entries(documents)) {
    const isPlan = "changes" in expected;
    if (!isPlan && !("resources" in expected)) continue;
    const found = isPlan ? plan(corpus(name)) : state(corpus(name));
    // A document that may be misread has no rows.
    if (found.changes === undefined && found.resources === undefined) continue;
    compare(name, found.outputs, expected.outputs);
    if (isPlan) {
      assert.deepEqual(found.summary, expected.summary, name);
      compare(name, found.changes, expected.changes);
      compare(name, found.drift, expected.drift);
      compare(name, found.variables, expected.variables);
    } else {
      compare(name, found.resources, expected.resources);
    }
  }
  assert.ok(compared > 500);
});

test("broken inputs have diagnostics, not exceptions", () => {
  for (const name of readdirSync(new URL("corpus/broken/", root))) {
    const result = check(filesOf(`broken/${name}`));
    assert.equal(result.error_count, result.diagnostics.filter((it) => it.severity === "error").length);
  }
  const deep = "[".repeat(20000);
  assert.equal(events(deep, { name: "a.json" }).diagnostics.length, 1);
  assert.equal(check({ "a.tf": `a = ${deep}` }).valid, false);
});
