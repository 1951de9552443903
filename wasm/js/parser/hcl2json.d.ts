import type * as TFExpressionSyntaxTree from "./syntax-tree.js";

export type { HclDiagnostic } from "./core.js";
export { HclError } from "./core.js";
export * as TFExpressionSyntaxTree from "./syntax-tree.js";

export interface Reference {
  value: string;
  /** In bytes of UTF-8, from the start of the expression. */
  startPosition: number;
  endPosition: number;
}

/**
 * Returns a native file as JSON. `filename` is in messages.
 * @throws {HclError} The text has errors.
 */
export function parse(filename: string, contents: string): Promise<Record<string, any>>;

/** Returns the files `*.tf` and `*.tf.json` of a directory as one JSON document. Needs a file system. */
export function convertFiles(workingDirectory: string): Promise<Record<string, any>>;

/** Lists the references in an expression, which is put into quotes unless it has some. */
export function getReferencesInExpression(filename: string, expression: string): Promise<Reference[]>;

/** Returns the syntax tree of an expression. */
export function getExpressionAst(
  filename: string,
  expression: string,
): Promise<TFExpressionSyntaxTree.ExpressionType | null>;

/** Puts an expression into quotes, unless it is a literal, a list, an object or a heredoc. */
export function wrapTerraformExpression(input: string): { wrap: string; wrapOffset: number };

declare const hcl2json: {
  HclError: typeof import("./core.js").HclError;
  TFExpressionSyntaxTree: typeof TFExpressionSyntaxTree;
  convertFiles: typeof convertFiles;
  getExpressionAst: typeof getExpressionAst;
  getReferencesInExpression: typeof getReferencesInExpression;
  parse: typeof parse;
  wrapTerraformExpression: typeof wrapTerraformExpression;
};
export default hcl2json;
