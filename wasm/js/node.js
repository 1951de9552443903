// For Node: the compiled library is beside this file, and is loaded at once.

import { readFileSync } from "node:fs";

import { initSync } from "./bindings.js";
import { loaded } from "./functions.js";

export { check, convert, events, format, graph, inspect, plan, redact, references, state } from "./functions.js";

initSync({ module: readFileSync(new URL("./bindings_bg.wasm", import.meta.url)) });
loaded();

export default async function init() {}
