// The page of `overview --format html`. Texts of the repository only become text nodes.
"use strict";
(() => {
const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets = [sheet];
const data = JSON.parse(document.getElementById("data").textContent);
const FIRST = 100;
const FIRST_FINDINGS = 12;

const h = (tag, properties, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null));
  return element;
};
const many = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
const size = (bytes) => bytes < 1e3 ? `${bytes} B` : bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
const path = (name, line) => {
  const text = line ? `${name}:${line}` : name;
  if (!data.link) return h("code", { class: "path" }, text);
  const encoded = name.split("/").map(encodeURIComponent).join("/");
  const href = data.link.replaceAll("{path}", () => encoded).replaceAll("{line}", () => line ?? 1);
  return h("a", { class: "path", href, rel: "noreferrer" }, text);
};
const versions = (rows) => rows.map((row) => h("span", { class: "tag" }, `${row.version ?? "any"} · ${row.count}`));
const words = () => search.value.toLowerCase().split(/\s+/).filter(Boolean);
const fits = (text, all) => { const lower = text.toLowerCase(); return all.every((word) => lower.includes(word)); };

// Modules: [path, files, bytes, resources, calls, callers, is root, roots behind it, is uncalled].
const modules = data.modules.map(([name, files, bytes, resources, calls, callers, isRoot, roots, isUnused], at) =>
  ({ at, name, files, bytes, resources, calls, callers, isRoot, roots, isUnused, to: [], from: [] }));
for (let at = 0; at < data.calls.length; at += 2) {
  modules[data.calls[at]].to.push(data.calls[at + 1]);
  modules[data.calls[at + 1]].from.push(data.calls[at]);
}

// A part of the page, which is drawn again after each change of the search.
const parts = [];
const part = (id, title, note, draw) => {
  const count = h("span", { class: "faint" });
  const body = h("div");
  const element = h("section", { id }, h("div", { class: "head" }, h("h2", null, title), count, h("span", { class: "note" }, note)), body);
  const update = () => { const [text, content] = draw(update); count.textContent = text; body.replaceChildren(content); };
  parts.push({ id, title, element, update });
  return { element, update };
};

// A table: columns are [title, key for sorting, cell, classes].
const table = (id, title, note, rows, columns, text, start) => {
  let [sorted, down] = start;
  let shown = FIRST;
  return part(id, title, note, (update) => {
    const found = rows.filter((row) => fits(text(row), words()));
    const key = columns[sorted][1];
    const compare = (one, other) => { const [a, b] = [key(one), key(other)]; return a < b ? -1 : a > b ? 1 : 0; };
    found.sort((one, other) => down ? compare(other, one) : compare(one, other));
    const head = columns.map(([name, , , classes], at) => h("th", { class: classes, scope: "col", "aria-sort": at === sorted && (down ? "descending" : "ascending") },
      h("button", { click: () => { [sorted, down] = [at, at === sorted ? !down : classes?.includes("n") ?? false]; update(); } }, name)));
    const body = found.slice(0, shown).map((row) => h("tr", null, columns.map(([, , cell, classes]) => h("td", { class: classes }, cell(row)))));
    const more = found.length > shown && h("button", { class: "more", click: () => { shown *= 10; update(); } }, `Show more of ${many(found.length, "row")}`);
    return [found.length === rows.length ? many(rows.length, "row") : `${found.length} of ${rows.length}`,
      h("div", { class: "wide" }, found.length ? h("table", null, h("thead", null, h("tr", null, head)), h("tbody", null, body)) : h("p", { class: "empty" }, rows.length ? "Nothing matches the search." : "None."), more || null)];
  });
};

// The map: directories of root modules, root modules, and the modules that each calls.
const drawMap = () => {
  let upward = false;
  const units = data.units.filter(([, , , module]) => module >= 0);
  return part("map", "Map", "what calls what; open a level to see the next", (update) => {
    const all = words();
    const matching = new Set(modules.filter((module) => fits(module.name, all)).map((module) => module.at));
    const next = (at) => upward ? modules[at].from : modules[at].to;
    const back = (at) => upward ? modules[at].to : modules[at].from;
    // What leads to a match.
    const leading = new Set(matching);
    for (const work = [...matching]; work.length > 0;) for (const at of back(work.pop())) if (!leading.has(at)) { leading.add(at); work.push(at); }
    const list = (items, draw) => {
      const ul = h("ul");
      const add = (from) => {
        ul.append(...items.slice(from, from + FIRST).map(draw));
        if (items.length > from + FIRST) {
          const li = h("li", { class: "leaf" }, h("button", { class: "more", click: () => { li.remove(); add(from + FIRST); } }, `${items.length - from - FIRST} more`));
          ul.append(li);
        }
      };
      add(0);
      return ul;
    };
    const branch = (label, children) => {
      const details = h("details", { toggle: () => { if (details.open && !details.dataset.open) { details.dataset.open = "1"; details.append(children()); } } }, h("summary", null, label));
      return h("li", null, details);
    };
    const module = (at, above, label, isFound) => {
      const found = isFound || matching.has(at);
      const to = new Map();
      for (const called of next(at)) if (found || leading.has(called)) to.set(called, (to.get(called) ?? 0) + 1);
      const facts = [];
      if (modules[at].resources) facts.push(many(modules[at].resources, "resource"));
      if (to.size) facts.push(upward ? many(to.size, "caller") : many(to.size, "module"));
      const title = [label ?? h("code", { class: "path" }, modules[at].name), " ", h("span", { class: "faint" }, facts.join(", "))];
      if (above.includes(at)) return h("li", { class: "leaf" }, title, h("span", { class: "faint" }, " (a cycle)"));
      if (!to.size) return h("li", { class: "leaf" }, title);
      return branch(title, () => list([...to], ([called, count]) => module(called, [...above, at], count > 1 ? [h("code", { class: "path" }, modules[called].name), ` × ${count}`] : undefined, found)));
    };
    // Starts by directory: many are grouped by their folders.
    const starts = upward
      ? modules.filter((it) => it.from.length && leading.has(it.at)).map((it) => [it.name, () => module(it.at, [])])
      : [...modules.filter((it) => it.isRoot && leading.has(it.at)).map((it) => [it.name, () => module(it.at, [])]),
        ...units.filter(([name, , , to]) => leading.has(to) || fits(name, all)).map(([name, , , to]) => [name, () => branch([h("code", { class: "path" }, name), " ", h("span", { class: "faint" }, "unit")], () => list([to], (at) => module(at, [], undefined, true)))])];
    starts.sort((one, other) => one[0] < other[0] ? -1 : 1);
    const level = (items, depth) => {
      if (items.length <= 20) return list(items, ([, draw]) => draw());
      const groups = new Map();
      for (const item of items) {
        const name = item[0].split("/")[depth] ?? "";
        if (groups.has(name)) groups.get(name).push(item);
        else groups.set(name, [item]);
      }
      if (groups.size === 1 && items.some(([name]) => name.split("/").length > depth + 1)) return level(items, depth + 1);
      return list([...groups.values()], (group) => group.length === 1 ? group[0][1]()
        : branch([h("code", { class: "path" }, group[0][0].split("/").slice(0, depth + 1).join("/")), " ", h("span", { class: "faint" }, many(group.length, upward ? "module" : "root"))], () => level(group, depth + 1)));
    };
    const turn = h("button", { click: () => { upward = !upward; update(); } }, upward ? "From roots to modules" : "From modules to callers");
    return [upward ? many(starts.length, "called module") : many(starts.length, "root"),
      h("div", { class: "map" }, turn, starts.length ? level(starts, 0) : h("p", { class: "empty" }, all.length ? "Nothing matches the search." : "No root modules: none has a backend or a provider block."))];
  });
};

// Findings: [code, is error, path, line, message, excerpt, its first line, start and end of the mark].
let rule = "";
const drawFindings = () => {
  let shown = FIRST_FINDINGS;
  return part("findings", "Findings", "", (update) => {
    const all = words();
    const rules = data.rules.filter((row) => fits(`${row.code} ${row.summary} ${row.worst.map((it) => it.path).join(" ")}`, all) || data.findings.some((it) => it[0] === row.code && fits(`${it[0]} ${it[2]} ${it[4]}`, all)));
    const found = data.findings.filter(([code, , name, , message]) => (!rule || code === rule) && fits(`${code} ${name} ${message}`, all));
    const tags = rules.map((row) => h("button", { "aria-pressed": rule === row.code ? "true" : "false", title: row.summary, click: () => { rule = rule === row.code ? "" : row.code; shown = FIRST_FINDINGS; update(); } },
      h("span", { class: row.severity }, row.code), ` ${row.count}`, rule === row.code ? " ✕" : ""));
    const list = found.slice(0, shown).map(([code, isError, name, line, message, excerpt, first, start, end]) =>
      h("details", { class: "finding" }, h("summary", null, h("span", { class: isError ? "error" : "warning" }, code), " ", path(name, line), h("div", { class: "faint" }, message)),
        excerpt === null ? h("p", { class: "note" }, "No excerpt.") : h("pre", null, excerpt.slice(0, start), h("mark", null, excerpt.slice(start, end)), excerpt.slice(end))));
    const more = found.length > shown && h("button", { class: "more", click: () => { shown *= 10; update(); } }, `Show more of ${found.length}`);
    const hidden = data.hidden > 0 && h("p", { class: "note" }, `${many(data.hidden, "more finding")} are not on this page: simd-hcl check prints all.`);
    return [many(found.length, "finding"), h("div", null, h("div", { class: "rules" }, tags), list.length ? list : h("p", { class: "empty" }, "None."), more || null, hidden || null)];
  });
};

const search = h("input", { type: "search", placeholder: "Search ( / )", "aria-label": "Search", input: () => parts.forEach((it) => it.update()) });
const sum = (key) => modules.reduce((all, it) => all + it[key], 0);
const total = (severity) => data.rules.filter((it) => it.severity === severity).reduce((all, it) => all + it.count, 0);
const text = (value) => (row) => value(row);
const number = (key) => (row) => row[key];
const card = (count, name, target, classes) => h("a", { class: "card", href: `#${target}` }, h("b", { class: classes }, typeof count === "number" ? count.toLocaleString("en") : count), h("span", null, name));

drawFindings();
drawMap();
if (data.providers.length) table("providers", "Providers", "most divergent first", data.providers, [
  ["Provider", text((it) => it.source), (it) => h("code", null, it.source)],
  ["Constraints", (it) => it.constraints.length, (it) => versions(it.constraints)],
  ["Locked", (it) => it.locked.length, (it) => versions(it.locked)],
  ["Modules", number("modules"), (it) => it.modules, "n"],
], (it) => it.source, [Math.max(...data.providers.map((it) => it.locked.length)) > 1 ? 2 : 1, true]);
if (data.sources.length) table("sources", "Module sources", "most divergent first", data.sources, [
  ["Source", text((it) => it.source), (it) => h("code", null, it.source)],
  ["Versions", (it) => it.versions.length, (it) => versions(it.versions)],
  ["Calls", number("calls"), (it) => it.calls, "n"],
], (it) => it.source, [1, true]);
table("modules", "Modules", "roots: the root modules and units that a change touches", modules, [
  ["Path", number("name"), (it) => [path(it.name), it.isRoot ? [" ", h("span", { class: "tag" }, "root")] : null, it.isUnused ? [" ", h("span", { class: "tag warning" }, "not called")] : null]],
  ["Roots", number("roots"), (it) => it.roots, "n"],
  ["Callers", number("callers"), (it) => it.callers, "n"],
  ["Calls", number("calls"), (it) => it.calls, "n hide"],
  ["Resources", number("resources"), (it) => it.resources, "n"],
  ["Files", number("files"), (it) => it.files, "n hide"],
  ["Size", number("bytes"), (it) => size(it.bytes), "n hide"],
], (it) => `${it.name}${it.isRoot ? " root" : ""}${it.isUnused ? " not called" : ""}`, [1, true]);
if (data.units.length) table("units", "Units", "of Terragrunt", data.units, [
  ["Path", (it) => it[0], (it) => path(it[0])],
  ["Kind", (it) => it[1], (it) => it[1]],
  ["Source", (it) => it[2] ?? "", (it) => h("code", null, it[2] ?? "")],
], (it) => `${it[0]} ${it[2] ?? ""}`, [0, false]);
if (data.tools.length) table("tools", "Tools", "the lowest version that has everything that is used", data.tools, [
  ["Tool", number("name"), (it) => it.name],
  ["Needs", (it) => it.version ?? "", (it) => it.because ? [it.version ?? "no version will do", h("span", { class: "faint" }, ` for ${it.because.kind} ${it.because.name} `), path(it.because.range.filename, it.because.range.start.line)] : it.version ?? ""],
  ["Asked for", (it) => it.constraints.length, (it) => versions(it.constraints)],
  ["Modules", number("modules"), (it) => it.modules, "n"],
], (it) => it.name, [0, false]);
if (data.incomplete.length) table("incomplete", "Incomplete", "what could not be read, resolved or known", data.incomplete, [
  ["Why", (it) => it[0], (it) => it[0]],
  ["Where", (it) => it[1], (it) => [it[2].map((place) => h("div", null, h("code", { class: "path" }, place))), it[1] > it[2].length ? h("div", { class: "faint" }, `and ${it[1] - it[2].length} more`) : null]],
], (it) => `${it[0]} ${it[2].join(" ")}`, [1, true]);

document.body.replaceChildren(
  h("header", null, h("div", { class: "bar" }, h("h1", null, data.title), h("nav", { "aria-label": "Parts" }, parts.map((it) => h("a", { href: `#${it.id}` }, it.title))), search)),
  h("main", null,
    h("div", { class: "cards" },
      card(modules.filter((it) => it.isRoot).length, "root modules", "map"),
      card(modules.length, "modules", "modules"),
      data.units.length ? card(data.units.length, "units", "units") : null,
      card(sum("resources"), "resources", "modules"),
      card(sum("files"), `files, ${size(sum("bytes"))}`, "modules"),
      card(total("error"), "errors", "findings", total("error") ? "error" : ""),
      card(total("warning"), "warnings", "findings", total("warning") ? "warning" : ""),
      data.incomplete.length ? card(data.incomplete.reduce((all, it) => all + it[1], 0), "not read or known", "incomplete", "warning") : null),
    parts.map((it) => it.element),
    h("section", { class: "next" }, h("h2", null, "Next"), h("ul", null, data.next.map(([command, why]) => h("li", null, h("code", null, command), " ", h("span", { class: "faint" }, why)))))));
parts.forEach((it) => it.update());
addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== search) { event.preventDefault(); search.focus(); search.select(); }
  if (event.key === "Escape" && document.activeElement === search) { search.value = ""; parts.forEach((it) => it.update()); }
});
})();
