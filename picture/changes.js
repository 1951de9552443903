// The changes of a plan as a list, by what happens to them and by module, with the picture beside it on demand; the
// resources of a state likewise.
//
// A change or a resource is `{ title, kind, section, module, notes, node, leaves: [[PATH, BEFORE, AFTER, NOTE]…] }`. What is destroyed or
// replaced comes first.

import css from "./changes.css";
import { colour, element, mount as mountPicture, swatch } from "./picture.js";

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);

/** The order of sections and kinds. */
const SECTIONS = [
  ["check", "Checks"],
  ["change", ""],
  ["resource", ""],
  ["output", "Outputs"],
  ["drift", "Changed outside of the plan"],
  ["deferred", "Deferred to a later plan"],
  ["action", "Actions to invoke"],
];
const KINDS = ["delete", "replace", "forget and replace", "forget", "other", "update", "create", "read", "no-op"];
const NAMES = { resource: "Resources", data: "Data sources" };
const SIGNS = { delete: "-", replace: "-/+", "forget and replace": "./+", forget: ".", update: "~", create: "+", read: "<=", check: "!", action: "!" };
/** Changes with at most so many values are open, as long as all together have few. */
const OPEN = 12;
const OPEN_IN_ALL = 600;
/** The changes that are shown at first. */
const FIRST = 300;

const place = (list, name) => {
  const found = list.indexOf(name);
  return found < 0 ? list.length : found;
};
const many = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Shows a plan or a state in an element. Returns functions for scripts and tests. */
export function mountChanges(root, data) {
  const sections = SECTIONS.map(([name]) => name);
  const changes = data.changes
    .map((change, number) => ({ ...change, number, text: `${change.title} ${change.kind} ${change.notes.join(" ")} ${change.leaves.map(([path]) => path).join(" ")}`.toLowerCase() }))
    .sort((one, other) => place(sections, one.section) - place(sections, other.section) || place(KINDS, one.kind) - place(KINDS, other.kind)
      || (one.module < other.module ? -1 : one.module > other.module ? 1 : one.number - other.number));
  const noun = data.noun || "change";
  const groupOf = (change) => (SECTIONS.some(([name, title]) => name === change.section && title === "") ? change.kind : change.section);
  const nameOf = (group) => NAMES[group] || SECTIONS.find(([name]) => name === group)?.[1] || group[0].toUpperCase() + group.slice(1);
  const counts = new Map();
  for (const change of changes) counts.set(groupOf(change), (counts.get(groupOf(change)) ?? 0) + 1);

  const chosen = new Set();
  let limit = FIRST;
  let picture = null;

  const status = element("span", { class: "count", role: "status" });
  const search = element("input", { type: "search", placeholder: "Search ( / )", "aria-label": `Search ${noun}s`, oninput: () => { limit = FIRST; list(); } });
  const chips = [...counts].map(([group, count]) => {
    const chip = element("button", { type: "button", class: "chip", "aria-pressed": "false", onclick: () => {
      if (!chosen.delete(group)) chosen.add(group);
      chip.setAttribute("aria-pressed", String(chosen.has(group)));
      limit = FIRST;
      list();
    } }, swatch(colour(group)), `${nameOf(group)} ${count}`);
    return chip;
  });
  const names = [...new Set(changes.map((change) => change.module))].sort();
  const modules = element("select", { "aria-label": "Module", onchange: () => { limit = FIRST; list(); } }, element("option", { value: "" }, "All modules"),
    ...names.map((name, at) => element("option", { value: String(at + 1) }, name || "root module")));
  const body = element("main", { "aria-label": "Changes", role: "region" });
  const beside = element("div", { class: "beside", hidden: true });
  const toggle = element("button", { type: "button", "aria-expanded": "false", onclick: () => show(beside.hidden) }, "Picture");

  /** Shows or hides the picture. */
  function show(isShown, node) {
    beside.hidden = !isShown;
    page.classList.toggle("with-picture", isShown);
    toggle.setAttribute("aria-expanded", String(isShown));
    if (isShown) {
      picture ??= mountPicture(beside, { ...data, title: "Picture", isBeside: true, changes: undefined });
      if (node !== undefined) picture.focusNode(node);
    }
  }

  function values(leaves) {
    // A column that has no value takes no room.
    const [hasBefore, hasAfter] = [1, 2].map((side) => leaves.some((leaf) => leaf[side]));
    const cell = (tag, text, note) => element("td", {}, ...(text ? [element(noun === "change" ? tag : "span", {}, text)] : []), ...(note ? [element("span", { class: "forces" }, ` ${note}`)] : []));
    const rows = leaves.map(([path, before, after, note]) => element("tr", {}, element("th", { scope: "row" }, path),
      ...(hasBefore ? [cell("del", before, hasAfter ? "" : note)] : []), ...(hasAfter ? [cell("ins", after, note)] : [])));
    return element("table", {}, element("tbody", {}, ...rows));
  }

  function row(change, isOpen) {
    const sign = element("span", { class: "sign", "aria-hidden": "true" }, SIGNS[change.kind] ?? "");
    sign.style.color = colour(change.kind);
    const title = [...(noun === "change" ? [sign] : []), element("code", {}, change.title), " ",
      element("span", { class: "dim" }, [change.kind === groupOf(change) ? "" : change.kind, ...change.notes].filter(Boolean).join(" "))];
    const view = change.node === null ? [] : [element("button", { type: "button", class: "show", onclick: () => show(true, change.node) }, "Show in the picture")];
    if (change.leaves.length === 0) return element("div", { class: "change" }, ...title, ...view);
    const made = element("details", { class: "change", open: isOpen }, element("summary", {}, ...title, isOpen ? "" : element("span", { class: "dim" }, ` ${many(change.leaves.length, "value")}`)));
    const fill = () => { if (made.children.length === 1) made.append(values(change.leaves), ...view); };
    if (isOpen) fill();
    else made.addEventListener("toggle", fill);
    made.fill = fill;
    return made;
  }

  function list() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const module = modules.value && names[Number(modules.value) - 1];
    const found = changes.filter((change) => (chosen.size === 0 || chosen.has(groupOf(change))) && (module === "" || change.module === module) && words.every((word) => change.text.includes(word)));
    status.textContent = found.length === changes.length ? data.summary : `${found.length} of ${many(changes.length, "entry").replace("entrys", "entries")}`;
    const made = [];
    let room = OPEN_IN_ALL;
    let [group, inner, last] = [null, null, null];
    for (const change of found.slice(0, limit)) {
      if (groupOf(change) !== group) {
        group = groupOf(change);
        const count = found.filter((other) => groupOf(other) === group).length;
        inner = element("section", { class: "kind", "aria-label": nameOf(group) }, element("h2", {}, swatch(colour(group)), `${nameOf(group)} `, element("span", { class: "dim" }, String(count))));
        made.push(inner);
        last = null;
      }
      if (change.module !== last) {
        last = change.module;
        if (last !== "") inner.append(element("h3", {}, last));
      }
      const { length } = change.leaves;
      const isOpen = change.kind !== "delete" && length <= OPEN && length <= room;
      if (isOpen) room -= length;
      inner.append(row(change, isOpen));
    }
    if (found.length === 0) made.push(element("p", { class: "dim" }, changes.length === 0 ? `No ${noun}s.` : "Nothing matches."));
    if (found.length > limit) made.push(element("button", { type: "button", class: "more", onclick: () => { limit *= 4; list(); } }, `Show more (${found.length - limit})`));
    body.replaceChildren(...made);
  }

  const page = element("div", { class: "changes" },
    element("header", {}, element("h1", {}, data.title), status, search, modules, ...(data.nodes.length > 0 ? [toggle] : []), element("div", { class: "chips", role: "toolbar", "aria-label": "Actions" }, ...chips)),
    body, beside);
  const onKey = (event) => {
    if (event.key === "/" && !event.ctrlKey && !event.metaKey && !event.target.closest?.("input, select, textarea")) {
      event.preventDefault();
      search.focus();
      search.select();
    } else if (event.key === "Escape" && event.target === search) {
      search.value = "";
      list();
    }
  };
  // Paper shows all values.
  const onPrint = () => body.querySelectorAll("details").forEach((details) => { details.fill(); details.open = true; });
  document.addEventListener("keydown", onKey);
  addEventListener("beforeprint", onPrint);
  root.replaceChildren(page);
  list();
  return {
    show: (label) => { show(true); picture.focus(label); },
    near: () => picture?.near() ?? null,
    close: () => {
      document.removeEventListener("keydown", onKey);
      removeEventListener("beforeprint", onPrint);
      picture?.close();
    },
  };
}
