// Compiled by tsc only: the types fit their use.

import init, { check, convert, events, graph, inspect, plan, redact, state } from "simd-hcl";
import type { CheckResult, Diagnostic } from "simd-hcl";
import hcl2json, { HclError, TFExpressionSyntaxTree, parse } from "@simd-hcl/hcl2json";
import { parseToObject } from "@simd-hcl/hcl2json/hcl2-parser";
import { getExpressionAst, getReferencesInExpression } from "simd-hcl/hcl2json";

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
const copy: string | null = redact("{}", { keep: ["defaults"], force: true }).text;
console.log(copy);
// @ts-expect-error: not a dialect
check({}, { dialect: "other" });
// @ts-expect-error: not a content
check({ "main.tf": 1 });

const file: Record<string, unknown> = await parse("main.tf", "a = 1").catch((error: unknown) => {
  const line = error instanceof HclError ? error.diagnostics[0]?.range?.start.line : undefined;
  return { line };
});
const [value, problem]: [unknown, HclError | null] = parseToObject("a = 1");
const tree = await getExpressionAst("main.tf", "a[0]");
if (tree !== null && TFExpressionSyntaxTree.isScopeTraversalExpression(tree)) {
  const names: string[] = tree.meta.traversal.map((part) => part.segment);
  console.log(names, tree.range.start.byte);
}
const [reference] = await getReferencesInExpression("main.tf", "${a.b}");
console.log(file, value, problem, reference?.startPosition, await hcl2json.convertFiles("."));
// @ts-expect-error: not a text
parseToObject(new Uint8Array());
