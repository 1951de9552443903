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

export function check(files, { dialect } = {}) {
  ready();
  return bindings.check(files, dialect);
}

export function inspect(files, { dialect } = {}) {
  ready();
  return bindings.inspect(files, dialect);
}

export function references(files, { dialect } = {}) {
  ready();
  return bindings.references(files, dialect);
}

export function graph(files, { dialect } = {}) {
  ready();
  return bindings.graph(files, dialect);
}

export function plan(content, { name = "plan.json", showSensitive = false } = {}) {
  ready();
  return bindings.plan(content, name, showSensitive);
}

export function state(content, { name = "state.json", showSensitive = false } = {}) {
  ready();
  return bindings.state(content, name, showSensitive);
}

export function convert(content, { name = "main.tf" } = {}) {
  ready();
  return bindings.convert(content, name);
}

export function format(content, { name = "main.tf" } = {}) {
  ready();
  return bindings.format(content, name);
}

export function events(content, { name = "main.tf" } = {}) {
  ready();
  return bindings.events(content, name);
}
