// Calls the compiled parser.

import { instance, reset } from "#platform";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Thrown for a text with errors. `diagnostics` has all of them, with their places. */
export class HclError extends Error {
  constructor(diagnostics) {
    super(diagnostics.map(messageOf).join("\n"));
    this.name = "HclError";
    this.diagnostics = diagnostics;
  }
}

function messageOf({ summary, detail, range }) {
  if (range === undefined) {
    return summary;
  }
  const { line, column } = range.start;
  return `${range.filename}:${line}:${column}: ${summary}; ${detail}`;
}

/** Returns the JSON that a function of the library makes of a text. */
export function call(name, filename, text, version = 0) {
  for (const [what, value] of Object.entries({ filename, text })) {
    if (typeof value !== "string") {
      throw new TypeError(`the ${what} must be a string, not ${value === null ? "null" : typeof value}`);
    }
  }
  const library = instance();
  let isRead;
  let result;
  try {
    const head = encoder.encode(filename);
    const body = encoder.encode(text);
    const start = library.input(head.length + body.length) >>> 0;
    const memory = new Uint8Array(library.memory.buffer);
    memory.set(head, start);
    memory.set(body, start + head.length);
    isRead = library[name](head.length, version);
    const length = library.output_len() >>> 0;
    result = decoder.decode(new Uint8Array(library.memory.buffer, library.output() >>> 0, length));
    library.release();
  } catch (error) {
    // It ran out of memory: the next call gets a new instance.
    reset();
    throw error;
  }
  if (!isRead) {
    throw new HclError(JSON.parse(result));
  }
  return result;
}
