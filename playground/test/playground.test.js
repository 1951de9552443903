// Uses the playground in Chromium, from a file.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const address = new URL("../dist/index.html", import.meta.url).href;
let browser;
before(async () => (browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: flags })));
after(() => browser?.close());

async function open() {
  const page = await browser.newPage({ viewport: { width: 1400, height: 850 } });
  page.problems = [];
  page.requests = [];
  page.on("pageerror", (error) => page.problems.push(error.message));
  page.on("console", (message) => page.problems.push(message.text()));
  page.on("request", (request) => request.url().startsWith("data:image/") || page.requests.push(request.url()));
  await page.goto(address);
  await page.locator("body[data-ready]").waitFor();
  return page;
}

/** Replaces the text of the editor, as a paste does. */
async function paste(page, text) {
  await page.getByRole("textbox", { name: /Editor/ }).focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(text);
}

test("findings are in the editor and in a list, which goes to their places", async () => {
  const page = await open();
  const findings = page.getByRole("tabpanel", { name: "Findings" });
  const finding = findings.getByRole("button", { name: /main\.tf:15:11 .*privat/ });
  await finding.waitFor();
  assert.ok((await page.locator(".cm-lintRange-error").count()) > 0);
  await finding.press("Enter");
  await page.keyboard.press("Control+ArrowRight");
  await paste(page, 'locals { ok = "ü" }\noutput "o" { value = local.ok }\n');
  await findings.getByText("No findings.").waitFor();
  assert.match(await page.getByRole("status").first().textContent(), /main\.tf: configuration, 0 errors/);
  assert.equal(await page.locator(".cm-lintRange-error").count(), 0);
  assert.deepEqual(page.problems, []);
});

test("tabs work with the keyboard, and show the graph and the events", async () => {
  const page = await open();
  await page.getByRole("tab", { name: "Findings" }).focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.getByRole("tab", { name: "Graph" }).getAttribute("aria-selected"), "true");
  const picture = page.getByRole("application");
  assert.match(await picture.getAttribute("aria-label"), /Dependencies: 4 objects/);
  await picture.focus();
  await page.keyboard.type("/vpc");
  await page.keyboard.press("Enter");
  await page.getByRole("region", { name: "Focus" }).getByRole("button", { name: "aws_subnet.private" }).waitFor();
  await page.getByRole("tab", { name: "Graph" }).focus();
  await page.keyboard.press("ArrowRight");
  assert.ok((await page.getByRole("tabpanel", { name: "Events" }).getByRole("row").count()) > 10);
  if (process.env.SIMD_HCL_SCREENSHOT) {
    await page.getByRole("tab", { name: "Graph" }).click();
    await page.waitForTimeout(400);
    await page.screenshot({ path: process.env.SIMD_HCL_SCREENSHOT });
  }
  assert.deepEqual(page.problems, []);
});

test("plans and states are recognised, and hide sensitive values", async () => {
  const page = await open();
  const change = { actions: ["update"], before: { s: "hidden-one", n: 1 }, after: { s: "hidden-two", n: 2 }, after_unknown: {}, before_sensitive: { s: true }, after_sensitive: { s: true } };
  await paste(page, JSON.stringify({ format_version: "1.2", resource_changes: [{ address: "x.a", mode: "managed", type: "x", name: "a", provider_name: "p", change }] }));
  await page.getByText("main.tf.json: plan, 0 errors").waitFor();
  await page.getByRole("tab", { name: "Graph" }).click();
  const changes = page.getByRole("region", { name: "Changes" });
  await changes.getByText("x.a update").click();
  assert.match(await changes.getByRole("table").textContent(), /n12/);
  assert.ok(!(await changes.textContent()).includes("hidden-"));
  await paste(page, JSON.stringify({ version: 4, terraform_version: "1.9.0", serial: 1, lineage: "l", outputs: {}, resources: [{ mode: "managed", type: "x", name: "a", provider: 'provider["p"]', instances: [{ schema_version: 0, attributes: {} }] }] }));
  await page.getByText("main.tf.json: state, 0 errors").waitFor();
  assert.match(await page.getByRole("application").getAttribute("aria-label"), /Resources: 1 objects/);
  assert.deepEqual(page.problems, []);
});

test("several files are opened, and nothing leaves the page", async () => {
  const page = await open();
  const file = (name, text) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.getByLabel("Open").setInputFiles([file("b.tf", "output \"o\" { value = local.no }\n"), file("a.tf", "locals { no = 1 }\n"), file("<img src=x>.tf", "x {}")]);
  await page.getByLabel("File").selectOption("b.tf");
  await page.getByText("b.tf: configuration").waitFor();
  assert.equal(await page.locator("img").count(), 0);
  assert.deepEqual(page.problems, []);
  assert.deepEqual(page.requests.map((url) => fileURLToPath(url)), [fileURLToPath(address)]);
  for (const target of ["https://example.com/", "data:text/plain,x"]) {
    assert.equal(await page.evaluate((target) => fetch(target).then(() => "sent", () => "refused"), target), "refused");
  }
  assert.ok(page.problems.every((text) => text.includes("Content Security Policy")), page.problems.join("\n"));
});
