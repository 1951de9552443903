// The functions of hcl2-parser, with the same results: pairs of a value and an error.

import { HclError, call } from "./core.js";

export { HclError };

const ESCAPES = {
  "<": "\\u003c",
  ">": "\\u003e",
  "&": "\\u0026",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029",
  "\\b": "\\u0008",
  "\\f": "\\u000c",
};

export function parseToString(input) {
  try {
    // As Go escapes texts.
    const json = call("file", "", input, 3);
    return [json.replace(/\\.|[<>&\u2028\u2029]/g, (found) => ESCAPES[found] ?? found), null];
  } catch (error) {
    return failed("", error);
  }
}

export function parseToObject(input) {
  try {
    return [JSON.parse(call("file", "", input, 3)), null];
  } catch (error) {
    return failed({}, error);
  }
}

function failed(value, error) {
  if (error instanceof HclError) {
    return [value, error];
  }
  throw error;
}

export default { HclError, parseToObject, parseToString };
