// Compares what Renovate's manager for Terraform extracts with @cdktf/hcl2json and with pkg-hcl2json in its place.
//
//     npm install --prefix RENOVATE --ignore-scripts renovate@39
//     node renovate.mjs RENOVATE DIRECTORY…
//
// Reads every `.tf`, `.tf.json` and `.hcl` file below the directories. Prints the files that differ and the times; the exit
// status is 1 if any differs.

import { readdirSync, readFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";

const [renovate, ...directories] = process.argv.slice(2);
if (!renovate || directories.length === 0) {
  console.error("usage: node renovate.mjs RENOVATE DIRECTORY…");
  process.exit(2);
}
const require = createRequire(join(resolve(renovate), "package.json"));
const ours = createRequire(fileURLToPath(new URL("pkg-hcl2json/package.json", import.meta.url))).resolve("@simd-hcl/hcl2json");

const files = directories.flatMap((directory) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tf|tf\.json|hcl)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name)),
);

/** What the manager extracts from each file, and the milliseconds that it takes. */
async function extract(replaces) {
  const resolveFilename = Module._resolveFilename;
  Module._resolveFilename = (request, ...rest) =>
    replaces && request === "@cdktf/hcl2json" ? ours : resolveFilename(request, ...rest);
  for (const name of Object.keys(require.cache)) delete require.cache[name];
  const { GlobalConfig } = require("renovate/dist/config/global.js");
  GlobalConfig.set({ localDir: "/nowhere", cacheDir: "/nowhere" });
  const { extractPackageFile } = require("renovate/dist/modules/manager/terraform/extract.js");
  const run = async () => {
    const found = new Map();
    for (const file of files) {
      found.set(file, await extractPackageFile(readFileSync(file, "utf8"), basename(file), {}));
    }
    return found;
  };
  // The first run also starts the parser.
  await run();
  const start = performance.now();
  const found = await run();
  const time = performance.now() - start;
  Module._resolveFilename = resolveFilename;
  return { found, time };
}

const theirs = await extract(false);
const own = await extract(true);
const differing = files.filter((file) => !isDeepStrictEqual(theirs.found.get(file), own.found.get(file)));
for (const file of differing) {
  console.log(file, JSON.stringify(theirs.found.get(file)), JSON.stringify(own.found.get(file)));
}
const withSome = files.filter((file) => own.found.get(file)?.deps).length;
console.log(`${files.length} files, ${withSome} with dependencies, ${differing.length} different`);
console.log(`@cdktf/hcl2json ${theirs.time.toFixed(0)} ms, @simd-hcl/hcl2json ${own.time.toFixed(0)} ms`);
process.exitCode = differing.length > 0 ? 1 : 0;
