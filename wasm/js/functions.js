// The functions of the package. `index.js` and `node.js` load the compiled library for them.

import * as bindings from "./bindings.js";

/** Thrown where a function is called before `init`. */
function ready() {
  if (!isReady) {
    throw new Error("simd-hcl is not loaded yet: await init() first");
  }
}

let isReady = false;

export function loaded() {
  isReady = true;
}

/** Whether a value is made by `{…}`: a map or an array has no members that are meant. */
function isPlain(value) {
  if (typeof value !== "object" || value === null) {
    return false;
  }
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Returns the options, or throws if one of them does not exist. */
function optionsOf(given, names) {
  if (!isPlain(given)) {
    throw new TypeError("options must be an object");
  }
  for (const name of Object.keys(given)) {
    if (!names.includes(name)) {
      throw new TypeError(`unknown option ${JSON.stringify(name)}: the options are ${names.join(" and ")}`);
    }
  }
  return given;
}

function ofFiles(read, files, options) {
  ready();
  if (!isPlain(files)) {
    throw new TypeError("files must be an object of names and contents, not an array, a Map or another value");
  }
  return read(files, optionsOf(options, ["dialect"]).dialect);
}

function ofDocument(read, content, options, defaultName) {
  ready();
  const { name = defaultName, showSensitive = false } = optionsOf(options, ["name", "showSensitive"]);
  if (typeof showSensitive !== "boolean") {
    throw new TypeError("showSensitive must be true or false");
  }
  return read(content, nameOf(name), showSensitive);
}

function ofText(read, content, options) {
  ready();
  const { name = "main.tf" } = optionsOf(options, ["name"]);
  return read(content, nameOf(name));
}

function nameOf(name) {
  if (typeof name !== "string") {
    throw new TypeError("name must be a string");
  }
  return name;
}

export function check(files, options = {}) {
  return ofFiles(bindings.check, files, options);
}

export function inspect(files, options = {}) {
  return ofFiles(bindings.inspect, files, options);
}

export function references(files, options = {}) {
  return ofFiles(bindings.references, files, options);
}

export function graph(files, options = {}) {
  return ofFiles(bindings.graph, files, options);
}

export function plan(content, options = {}) {
  return ofDocument(bindings.plan, content, options, "plan.json");
}

export function state(content, options = {}) {
  return ofDocument(bindings.state, content, options, "state.json");
}

/** What `redact` can keep. */
const KEPT = ["defaults", "provider-config", "repeated-text"];

export function redact(content, options = {}) {
  ready();
  const { name = "plan.json", providerSchemas, keep = [], force = false } = optionsOf(options, [
    "name",
    "providerSchemas",
    "keep",
    "force",
  ]);
  if (!Array.isArray(keep) || !keep.every((what) => KEPT.includes(what))) {
    throw new TypeError(`keep must be an array of ${KEPT.join(", ")}`);
  }
  if (typeof force !== "boolean") {
    throw new TypeError("force must be true or false");
  }
  return bindings.redact(content, nameOf(name), providerSchemas, keep.join(" "), force);
}

export function convert(content, options = {}) {
  return ofText(bindings.convert, content, options);
}

export function format(content, options = {}) {
  return ofText(bindings.format, content, options);
}

export function events(content, options = {}) {
  return ofText(bindings.events, content, options);
}
