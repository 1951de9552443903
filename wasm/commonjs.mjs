// Writes modules as CommonJS: node commonjs.mjs DIRECTORY FILE.js... makes FILE.cjs beside each file.
// It knows the forms that the files of `js/parser` have, and fails for any other.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [directory, ...names] = process.argv.slice(2);

function converted(text, name) {
  const exported = [];
  const path = (from) => (from.startsWith("./") ? from.replace(/\.js$/, ".cjs") : from);
  const out = text
    .replace(/^import \* as (\w+) from "([^"]+)";$/gm, (_, local, from) => `const ${local} = require("${path(from)}");`)
    .replace(/^import (\{[^}]+\}) from "([^"]+)";$/gm, (_, locals, from) => `const ${locals} = require("${path(from)}");`)
    .replace(/^export default /gm, "module.exports.default = ")
    .replace(/^export \{([^}]+)\};$/gm, (_, locals) => {
      exported.push(...locals.split(",").map((local) => local.trim()));
      return "";
    })
    .replace(/^export ((?:async )?function|class|const) (\w+)/gm, (_, kind, local) => {
      exported.push(local);
      return `${kind} ${local}`;
    })
    .replaceAll("import.meta.url", 'require("node:url").pathToFileURL(__filename)');
  const left = /^(import|export)\b.*|import\.meta/m.exec(out);
  if (left) {
    throw new Error(`${name}: no form that is known: ${left[0]}`);
  }
  const names = `Object.assign(module.exports, { ${exported.join(", ")} });`;
  // Functions of files that import one another are there before either is used.
  return `"use strict";\n\n${out}\n${names}\nObject.defineProperty(module.exports, "__esModule", { value: true });\n`;
}

for (const name of names) {
  const text = readFileSync(join(directory, name), "utf-8");
  writeFileSync(join(directory, name.replace(/\.js$/, ".cjs")), converted(text, name));
}
