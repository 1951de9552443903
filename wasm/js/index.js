// For browsers and bundlers: `await init()` fetches the compiled library.

import load from "./bindings.js";
import { loaded } from "./functions.js";

export { check, convert, events, format, graph, inspect, plan, redact, references, state } from "./functions.js";

let loading;

export default function init(module) {
  loading ??= load({ module_or_path: module ?? new URL("./bindings_bg.wasm", import.meta.url) }).then(
    loaded,
    (error) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}
