// The playground: an editor for files, and what the library says about them. Nothing leaves the page.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import init, { check, events, graph, plan, state } from "../wasm/pkg/index.js";
import library from "../wasm/pkg/bindings_bg.wasm";
import { mountChanges } from "../picture/changes.js";
import { mount } from "../picture/picture.js";

const EXAMPLE = `variable "region" {
  default = "eu-central-1"
}

resource "aws_vpc" "main" {
  cidr_block = "10.0.0.0/16"
}

resource "aws_subnet" "private" {
  vpc_id            = aws_vpc.main.id
  availability_zone = "\${var.region}a"
}

output "subnet" {
  value = aws_subnet.privat.id
}
`;
const LIMIT = 2000;
const DELAY = 250;

const get = (id) => document.getElementById(id);
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

let files = { "main.tf": EXAMPLE };
let current = "main.tf";
let picture;

/** What a text is: a plan, a state, or a part of a configuration. */
function kindOf(text) {
  if (!/^\s*\{/.test(text)) return "configuration";
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return "configuration";
  }
  if ("resource_changes" in value || "planned_values" in value) return "plan";
  if ("values" in value || ("serial" in value && "lineage" in value) || ("terraform_version" in value && "resources" in value)) return "state";
  return "configuration";
}

/** A pasted text has the name that its syntax needs. */
function nameOf(name, text) {
  if (name !== "main.tf" && name !== "main.tf.json") return name;
  return /^\s*\{/.test(text) ? "main.tf.json" : "main.tf";
}

/** Returns offsets in the editor of offsets in UTF-8, which are sorted. */
function offsets(text, bytes) {
  const found = new Map();
  const wanted = [...new Set(bytes)].sort((one, other) => one - other);
  let [at, byte, next] = [0, 0, 0];
  while (next < wanted.length) {
    while (next < wanted.length && byte >= wanted[next]) found.set(wanted[next++], at);
    if (at >= text.length) break;
    const code = text.codePointAt(at);
    byte += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    at += code < 0x10000 ? 1 : 2;
  }
  for (; next < wanted.length; next++) found.set(wanted[next], text.length);
  return found;
}

const editor = new EditorView({
  parent: get("editor"),
  state: EditorState.create({
    doc: EXAMPLE,
    extensions: [
      lineNumbers(),
      lintGutter(),
      history(),
      drawSelection(),
      highlightActiveLine(),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": "Editor: configuration, a plan or a state" }),
      keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged && !isLoading) {
          files[current] = update.state.doc.toString();
          later();
        }
      }),
    ],
  }),
});
let isLoading = false;
let timer;
function later() {
  clearTimeout(timer);
  timer = setTimeout(refresh, DELAY);
}

function show(name) {
  current = name;
  isLoading = true;
  editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: files[name] } });
  isLoading = false;
}

function goTo(filename, byte) {
  if (filename in files && filename !== current) {
    show(filename);
    refresh();
  }
  const at = offsets(files[current], [byte]).get(byte);
  editor.dispatch({ selection: { anchor: at }, scrollIntoView: true });
  editor.focus();
}

function refresh() {
  const renamed = nameOf(current, files[current]);
  if (renamed !== current && !(renamed in files)) {
    files = Object.fromEntries(Object.entries(files).map(([name, text]) => [name === current ? renamed : name, text]));
    current = renamed;
  }
  get("file").replaceChildren(...Object.keys(files).map((name) => element("option", { value: name }, name)));
  get("file").value = current;
  const text = files[current];
  const kind = kindOf(text);
  let diagnostics = [];
  let data;
  try {
    if (kind === "configuration") {
      const configuration = Object.fromEntries(Object.entries(files).filter(([, text]) => kindOf(text) === "configuration"));
      diagnostics = check(configuration).diagnostics;
      data = pictureOfGraph(graph(configuration));
    } else {
      const answer = (kind === "plan" ? plan : state)(text, { name: current });
      diagnostics = answer.diagnostics;
      data = pictureOfRows(kind, answer.changes ?? answer.resources ?? []);
    }
  } catch (error) {
    diagnostics = [{ severity: "error", code: "failed", detail: String(error.message ?? error), range: null }];
  }
  listFindings(diagnostics, kind);
  mark(diagnostics, text);
  listEvents(text);
  picture?.close();
  data ??= pictureOfRows(kind, []);
  picture = (data.changes ? mountChanges : mount)(get("picture"), data);
}

function listFindings(diagnostics, kind) {
  const count = (severity) => diagnostics.filter((one) => one.severity === severity).length;
  get("status").textContent = `${current}: ${kind}, ${count("error")} errors, ${count("warning")} warnings`;
  get("findings").replaceChildren(
    diagnostics.length === 0
      ? element("p", { class: "dim" }, "No findings.")
      : element("ul", { class: "list", "aria-label": "Findings" }, ...diagnostics.slice(0, LIMIT).map((one) => {
          const place = one.range ? `${one.range.filename}:${one.range.start.line}:${one.range.start.column} ` : "";
          const button = element("button", { type: "button", onclick: () => one.range && goTo(one.range.filename, one.range.start.byte) }, place, element("span", { class: one.severity }, `${one.severity}[${one.code}] `), one.detail, ...(one.help ? [element("div", { class: "dim" }, `help: ${one.help}`)] : []));
          return element("li", {}, button);
        })),
  );
}

function mark(diagnostics, text) {
  const own = diagnostics.filter((one) => one.range?.filename === current).slice(0, LIMIT);
  const at = offsets(text, own.flatMap((one) => [one.range.start.byte, one.range.end.byte]));
  const limit = (offset) => Math.min(offset, editor.state.doc.length);
  const marks = own.map((one) => ({ from: limit(at.get(one.range.start.byte)), to: limit(at.get(one.range.end.byte)), severity: one.severity, message: `${one.detail} [${one.code}]` }));
  editor.dispatch(setDiagnostics(editor.state, marks.sort((one, other) => one.from - other.from)));
}

function listEvents(text) {
  let found = [];
  try {
    found = events(text, { name: current }).events;
  } catch {
    // The findings say why.
  }
  const rows = found.slice(0, LIMIT).map((one) => element("tr", {}, ...[String(one.start), "  ".repeat(one.depth) + one.kind, (one.text ?? "").slice(0, 120)].map((cell) => element("td", {}, cell))));
  get("events").replaceChildren(
    element("p", { class: "dim" }, found.length > LIMIT ? `The first ${LIMIT} of ${found.length} events.` : `${found.length} events.`),
    element("table", {}, element("thead", {}, element("tr", {}, ...["byte", "event", "text"].map((name) => element("th", { scope: "col" }, name)))), element("tbody", {}, ...rows)),
  );
}

/** Groups nodes: `add` takes a label, a kind and the names of nested groups. */
function grouped(title, separator) {
  const [modules, nodes, places] = [[], [], new Map()];
  const add = (label, kind, group) => {
    const key = JSON.stringify(group);
    if (!places.has(key)) places.set(key, modules.push(group) - 1);
    return nodes.push([label, kind, places.get(key)]) - 1;
  };
  return [{ title, separator, modules, nodes, edges: [] }, add];
}

function pictureOfGraph({ nodes, edges }) {
  const [data, add] = grouped("Dependencies", "/");
  const places = new Map(nodes.map((node) => [node.id, add(node.address, node.kind, node.module.split("/").filter((part) => part && part !== "."))]));
  for (const { from, to } of edges) if (places.has(from) && places.has(to)) data.edges.push(places.get(from), places.get(to));
  return data;
}

function pictureOfRows(kind, rows) {
  const [data, add] = grouped(kind === "plan" ? "Changes" : "Resources", ".");
  const text = (value) => (value === undefined ? "" : JSON.stringify(value));
  const changes = [];
  for (const row of rows) {
    if (row.action === "no_op") continue;
    const group = row.module_address ? [row.module_address] : [];
    const address = row.address ?? "(no address)";
    const label = row.module_address && address.startsWith(`${row.module_address}.`) ? address.slice(row.module_address.length + 1) : address;
    const node = add(label, row.action ?? (row.mode === "data" ? "data" : "resource"), group);
    if (kind === "plan") {
      const leaves = row.differences.map((one) => [one.path, text(one.before), one.unknown ? "(known after apply)" : text(one.after), one.forces_replacement ? "# forces replacement" : ""]);
      changes.push({ title: address, kind: row.action.replaceAll("_", "-"), section: "change", module: row.module_address ?? "", notes: [], node, leaves });
    }
  }
  if (kind === "plan") {
    data.changes = changes;
    data.summary = `${changes.length} changes`;
  }
  return data;
}

// Tabs: arrow keys select, as the pattern of ARIA says.
const tabs = [...document.querySelectorAll('[role="tab"]')];
function select(tab) {
  for (const other of tabs) {
    const isIt = other === tab;
    other.setAttribute("aria-selected", String(isIt));
    other.tabIndex = isIt ? 0 : -1;
    get(other.getAttribute("aria-controls")).hidden = !isIt;
  }
}
for (const [number, tab] of tabs.entries()) {
  tab.addEventListener("click", () => select(tab));
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = tabs[(number + step + tabs.length) % tabs.length];
    select(next);
    next.focus();
    event.preventDefault();
  });
}

async function read(list) {
  const read = await Promise.all([...list].map(async (file) => [file.webkitRelativePath || file.name, await file.text()]));
  if (read.length === 0) return;
  files = Object.fromEntries(read.sort(([one], [other]) => (one < other ? -1 : 1)));
  show(Object.keys(files)[0]);
  refresh();
}
get("file").addEventListener("change", () => {
  show(get("file").value);
  refresh();
});
get("open").addEventListener("change", () => read(get("open").files));
addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("drop");
});
addEventListener("dragleave", () => document.body.classList.remove("drop"));
// In the capture phase, before the editor inserts the text of the file.
addEventListener("drop", (event) => {
  document.body.classList.remove("drop");
  if (event.dataTransfer.files.length === 0) return;
  event.preventDefault();
  event.stopPropagation();
  read(event.dataTransfer.files);
}, true);

await init(library);
refresh();
document.body.dataset.ready = "";
