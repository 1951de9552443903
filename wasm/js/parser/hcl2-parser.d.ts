import type { HclError } from "./core.js";

export type { HclDiagnostic } from "./core.js";
export { HclError } from "./core.js";

/** Returns a native file as JSON text, or an empty text and what is wrong. */
export function parseToString(input: string): [string, HclError | null];

/** Returns a native file as JSON, or an empty object and what is wrong. */
export function parseToObject(input: string): [any, HclError | null];

declare const parser: {
  HclError: typeof import("./core.js").HclError;
  parseToObject: typeof parseToObject;
  parseToString: typeof parseToString;
};
export default parser;
