// Opens pages of the command line in Chromium. SIMD_HCL is its binary.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";

const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const folder = mkdtempSync(join(tmpdir(), "picture-"));
let browser;
before(async () => (browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: flags })));
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

/** Writes files, and opens the page that the command line makes of them. */
async function open(files, ...command) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const html = execFileSync(process.env.SIMD_HCL, command, { cwd: folder, maxBuffer: 1 << 28 });
  writeFileSync(join(folder, "page.html"), html);
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  page.problems = [];
  page.requests = [];
  page.on("pageerror", (error) => page.problems.push(error.message));
  page.on("console", (message) => page.problems.push(message.text()));
  page.on("dialog", (dialog) => page.problems.push(dialog.message()));
  page.on("request", (request) => page.requests.push(request.url()));
  await page.goto(`file://${folder}/page.html`);
  await page.waitForFunction(() => window.picture || document.querySelector("main section"));
  return page;
}

const MODULES = {
  "a/main.tf": 'variable "v" {}\nresource "x_thing" "one" { n = var.v }\nresource "x_thing" "two" { n = x_thing.one.id }\nmodule "m" {\n  source = "../b"\n  n = x_thing.two.id\n}\n',
  "b/main.tf": 'variable "n" {}\nresource "x_thing" "three" { n = var.n }\n',
};

test("focus, depth and search work with the keyboard alone", async () => {
  const page = await open(MODULES, "graph", "a", "b", "--format", "html");
  const picture = page.getByRole("application");
  assert.match(await picture.getAttribute("aria-label"), /6 objects/);
  await picture.focus();
  for (const key of ["ArrowLeft", "ArrowDown", "+", "-", "0", "/"]) await page.keyboard.press(key);
  await page.keyboard.type("thing.o");
  assert.equal(await page.getByRole("option").count(), 1);
  assert.match(await page.getByRole("status").textContent(), /1 objects match/);
  await page.keyboard.press("ArrowDown");
  const search = page.getByRole("searchbox", { name: "Search objects" });
  assert.equal(await search.getAttribute("aria-activedescendant"), "picture-found-0");
  await page.keyboard.press("Enter");
  assert.deepEqual(await page.evaluate(() => window.picture.near()), { "a: var.v": -1, "a: x_thing.one": 0, "a: x_thing.two": 1 });
  const focus = page.getByRole("region", { name: "Focus" });
  await focus.getByRole("button", { name: "a: x_thing.two" }).waitFor();
  await page.getByRole("spinbutton").fill("4");
  assert.equal((await page.evaluate(() => window.picture.near()))["b: x_thing.three"], 3);
  await page.getByRole("checkbox").check();
  await focus.getByRole("button", { name: "End focus" }).press("Enter");
  assert.equal(await page.evaluate(() => window.picture.near()), null);
  assert.deepEqual(page.problems, []);
});

test("a plan lists its changes, and hides sensitive values", async () => {
  const block = (name, references) => ({ address: `x.${name}`, mode: "managed", type: "x", name, expressions: { n: { references } } });
  const change = (address, actions, before, after) => ({
    address, mode: "managed", type: "x", name: "a", provider_name: "p", ...(address.startsWith("module") && { module_address: "module.m" }),
    change: { actions, before, after, after_unknown: {}, before_sensitive: { s: true }, after_sensitive: { s: true } },
  });
  const plan = {
    format_version: "1.2",
    resource_changes: [
      change("x.a", ["delete", "create"], { n: "</script>", s: "hidden-one" }, { n: "2", s: "hidden-two" }),
      change("module.m.x.b", ["create"], null, { n: "3", s: "hidden-one" }),
      change("x.c", ["no-op"], { n: "1" }, { n: "1" }),
    ],
    configuration: { root_module: { resources: [block("a", ["module.m.o", "module.m"])], module_calls: { m: { expressions: {}, module: { resources: [block("b", [])], outputs: { o: { expression: { references: ["x.b.n", "x.b"] } } } } } } } },
  };
  const page = await open({ "plan.json": JSON.stringify(plan) }, "plan", "plan.json", "--format", "html");
  const changes = page.getByRole("region", { name: "Changes" });
  assert.equal(await changes.getByRole("group").count(), 2);
  // What is replaced comes first, and is open.
  assert.equal(await changes.getByRole("heading", { level: 2 }).first().textContent(), "Replace 1");
  const table = changes.getByRole("table").first();
  assert.match(await table.textContent(), /n"<\/script>""2"s\(sensitive\)\(sensitive\)/);
  assert.equal(await page.getByRole("application").count(), 0);
  await changes.getByRole("button", { name: "Show in the picture" }).first().click();
  assert.deepEqual(await page.evaluate(() => window.picture.near()), { "x.a": 0, "module.m.x.b": -1 });
  assert.ok(!(await page.content()).includes("hidden-"));
  assert.deepEqual(page.problems, []);
});

test("the list of a plan is filtered by words, actions and modules", async () => {
  const row = (address, actions) => ({ address, mode: "managed", type: "x", name: "a", provider_name: "p", change: { actions, before: actions[0] === "create" ? null : { size: 1 }, after: { size: 2 }, after_unknown: {} } });
  const plan = { format_version: "1.2", resource_changes: [row("x.web", ["update"]), row('module.app["a"].x.web', ["create"]), row('module.app["b"].x.db', ["create"])] };
  const page = await open({ "filter.json": JSON.stringify(plan) }, "plan", "filter.json", "--format", "html");
  const changes = page.getByRole("region", { name: "Changes" });
  const count = () => changes.locator(".change").count();
  assert.equal(await count(), 3);
  await page.keyboard.press("/");
  await page.keyboard.type("web app");
  assert.equal(await count(), 1);
  assert.match(await page.getByRole("status").textContent(), /^1 of 3/);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Create 2" }).click();
  assert.equal(await count(), 2);
  await page.getByRole("combobox", { name: "Module" }).selectOption({ label: 'module.app["b"]' });
  assert.equal(await count(), 1);
  await page.setViewportSize({ width: 420, height: 900 });
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 420);
  assert.deepEqual(page.problems, []);
});

test("instances of a module need what is in the same instance", async () => {
  const row = (address) => ({ address, mode: "managed", type: "x", name: "a", provider_name: "p", change: { actions: ["create"], before: null, after: {}, after_unknown: {} } });
  const block = (name, references) => ({ address: `x.${name}`, mode: "managed", type: "x", name, expressions: { n: { references } } });
  const plan = {
    format_version: "1.2",
    resource_changes: ["a", "b"].flatMap((key) => [row(`module.app["${key}"].x.service`), row(`module.app["${key}"].x.task`)]),
    configuration: { root_module: { module_calls: { app: { module: { resources: [block("service", ["x.task"]), block("task", [])] } } } } },
  };
  const page = await open({ "edges.json": JSON.stringify(plan) }, "plan", "edges.json", "--format", "html");
  await page.evaluate(() => window.picture.show('module.app["a"].x.service'));
  assert.deepEqual(await page.evaluate(() => window.picture.near()), { 'module.app["a"].x.service': 0, 'module.app["a"].x.task': -1 });
});

test("an overview is searched, sorted and opened by level", async () => {
  const files = { "o/net/main.tf": "resource \"x_y\" \"z\" {}\n", "o/old/main.tf": "locals {\n  a = var.none\n}\n" };
  for (const name of ["a", "b"]) files[`o/live-${name}/main.tf`] = 'terraform {\n  backend "local" {}\n}\nmodule "net" {\n  source = "../net"\n}\n';
  const page = await open(files, "overview", "o", "--format", "html", "--link", "https://example.com/{path}#L{line}");
  const modules = page.locator("#modules tbody tr");
  assert.equal(await modules.count(), 4);
  assert.match(await modules.first().textContent(), /o\/net/, "the module with most roots is first");
  await page.locator("#modules").getByRole("button", { name: "Path" }).click();
  assert.match(await modules.first().textContent(), /o\/live-a/);
  await page.locator("#map summary").first().click();
  assert.match(await page.locator("#map details[open] li").first().textContent(), /o\/net/);
  assert.equal(await page.locator("#findings a").first().getAttribute("href"), "https://example.com/o/old/main.tf#L2");
  await page.keyboard.press("/");
  await page.keyboard.type("live b");
  assert.equal(await modules.count(), 1);
  for (const width of [420, 1400]) {
    await page.setViewportSize({ width, height: 900 });
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
  }
  assert.deepEqual(page.problems, []);
  assert.equal(page.requests.length, 1);
});

test("the page of a state lists resources, and shows what they depend on", async () => {
  const resource = (name, dependencies) => ({ module: "module.m", mode: "managed", type: "x_thing", name, provider: 'provider["registry.terraform.io/x/x"]', instances: [{ schema_version: 0, attributes: { id: name }, dependencies }] });
  const state = { version: 4, terraform_version: "1.9.0", serial: 1, lineage: "l", outputs: { o: { value: 1, type: "number" } }, resources: [resource("one", []), resource("two", ["module.m.x_thing.one"])], check_results: null };
  const page = await open({ "a.tfstate": JSON.stringify(state) }, "state", "a.tfstate", "--values", "--format", "html");
  assert.match(await page.getByRole("heading", { level: 1 }).textContent(), /State: 2 resources/);
  assert.equal(await page.locator("details.change").count(), 3);
  assert.match(await page.locator("details.change").first().textContent(), /module\.m\.x_thing\.one.*id.*"one"/);
  await page.keyboard.press("/");
  await page.keyboard.type("two");
  assert.equal(await page.locator("details.change").count(), 1);
  await page.getByRole("button", { name: "Show in the picture" }).click();
  assert.deepEqual(await page.evaluate(() => window.picture.near()), { "module.m.x_thing.two": 0, "module.m.x_thing.one": -1 });
  for (const width of [420, 1400]) {
    await page.setViewportSize({ width, height: 900 });
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
  }
  assert.deepEqual(page.problems, []);
  assert.equal(page.requests.length, 1);
});

test("names cannot run scripts, and the page loads nothing", async () => {
  const name = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\u2028'\"&";
  const page = await open({ "hostile/main.tf.json": JSON.stringify({ locals: { [name]: 1 }, resource: { [name]: { [name]: {} } }, output: { constructor: { value: 1 } } }) }, "graph", "hostile", "--format", "html");
  await page.getByRole("searchbox").fill("alert");
  await page.getByRole("option").first().click();
  assert.equal(await page.locator("img").count(), 0);
  assert.equal(await page.locator("script").count(), 0);
  assert.deepEqual(page.problems, []);
  assert.equal(page.requests.length, 1);
  assert.equal(await page.evaluate(() => fetch("data:,x").then(() => "loaded", () => "refused")), "refused");
});

test("the same input gives the same page, and 10,000 objects are fast", async () => {
  const files = {};
  for (let module = 0; module < 100; module++) {
    let text = "";
    for (let number = 0; number < 100; number++) text += `resource "x_thing" "r${number}" { n = ${number ? `x_thing.r${number >> 1}.id` : 1} }\n`;
    files[`big/m${module}/main.tf`] = text;
  }
  const page = await open(files, "graph", "big", "--format", "html");
  const again = () => execFileSync(process.env.SIMD_HCL, ["graph", "big", "--format", "html"], { cwd: folder, maxBuffer: 1 << 28 });
  assert.ok(again().equals(again()));
  assert.ok(again().length < 2e6);
  assert.ok((await page.evaluate(() => window.picture.boxes())) < 400, "modules are closed at first");
  const times = await page.evaluate(() => {
    const time = (work) => {
      const start = performance.now();
      work();
      return performance.now() - start;
    };
    const opened = time(() => window.picture.openAll(true));
    const moved = [1, 2, 3, 4, 5].map(() => time(() => window.picture.move())).sort((one, other) => one - other)[2];
    return { opened, moved, boxes: window.picture.boxes() };
  });
  assert.ok(times.boxes > 10_000);
  // A tenth of these on an idle machine.
  assert.ok(times.opened < 5000 && times.moved < 500, JSON.stringify(times));
  console.log(`10,000 objects: opened in ${times.opened.toFixed(0)} ms, a frame in ${times.moved.toFixed(0)} ms`);
  assert.deepEqual(page.problems, []);
});
