// Node, Deno and Bun: the compiled parser is beside this file, and is loaded on first use.

import { lstatSync, readFileSync, readdirSync } from "node:fs";
import { resolve } from "node:path";

let library;

export function instance() {
  if (library === undefined) {
    const module = new WebAssembly.Module(readFileSync(new URL("./parser.wasm", import.meta.url)));
    library = new WebAssembly.Instance(module).exports;
  }
  return library;
}

export function reset() {
  library = undefined;
}

/** The names and texts of the files in a directory, in the order of the file system. */
export function filesOf(directory, isWanted) {
  const paths = readdirSync(directory).filter(isWanted).map((name) => [name, resolve(directory, name)]);
  const files = paths.filter(([, path]) => !lstatSync(path).isDirectory());
  return files.map(([name, path]) => [name, readFileSync(path, "utf-8")]);
}
