// Compiled by tsc only: the types fit their use.

import init, { check, convert, events, graph, inspect, plan, state } from "simd-hcl";
import type { CheckResult, Diagnostic } from "simd-hcl";

await init();
const result: CheckResult = check({ "main.tf": "", "a.tf.json": new Uint8Array() }, { dialect: "terraform" });
const lines: number[] = result.diagnostics.map((found: Diagnostic) => found.range.start.line);
const read = plan("{}");
if (read.changes === undefined) {
  const why: string | undefined = read.diagnostics[0]?.detail;
  console.log(why);
} else {
  console.log(read.summary.create, read.changes[0]?.differences[0]?.after, lines);
}
const resources = state("{}").resources?.length;
const text: string | null = convert("", { name: "a.tf" }).text;
console.log(resources, text, graph({}).nodes, inspect({}).modules, events("").syntax);
// @ts-expect-error: not a dialect
check({}, { dialect: "other" });
// @ts-expect-error: not a content
check({ "main.tf": 1 });
