// The functions of @cdktf/hcl2json, with the same results.

import { HclError, call } from "./core.js";
import { merge } from "./merge.js";
import { referencesIn } from "./references.js";
import * as TFExpressionSyntaxTree from "./syntax-tree.js";
import { filesOf } from "#platform";

export { HclError, TFExpressionSyntaxTree };

export async function parse(filename, contents) {
  return JSON.parse(call("file", filename, contents, 6));
}

function documentOf([name, text]) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new HclError([{ severity: "error", summary: `${name}: ${error.message}` }]);
  }
}

export async function convertFiles(directory) {
  const files = filesOf(directory, (name) => name.endsWith(".tf") || name.endsWith(".tf.json"));
  const isNative = ([name]) => name.endsWith(".tf");
  const native = files.filter(isNative).map(([, text]) => `${text}\n`);
  const documents = files.filter((file) => !isNative(file)).map(documentOf);
  if (files.length === 0) {
    console.error(`No '.tf' or '.tf.json' files found in ${directory}`);
    return {};
  }
  const result = await parse("hcl2json.tf", native.join("")).catch(async (error) => {
    // The file and the line of an error, unless it is about several files.
    for (const [name, text] of files.filter(isNative)) {
      await parse(name, text);
    }
    throw error;
  });
  documents.forEach((document) => merge(result, document));
  return result;
}

export async function getExpressionAst(filename, expression) {
  return JSON.parse(call("expression", filename, expression));
}

export async function getReferencesInExpression(filename, expression) {
  if (typeof expression !== "string") {
    throw new TypeError(`the expression must be a string, not ${typeof expression}`);
  }
  const isQuoted = expression.startsWith('"');
  const { wrap, wrapOffset } = wrapTerraformExpression(isQuoted ? expression : `"${expression}"`);
  const offset = wrapOffset + (isQuoted ? 0 : 1);
  const found = referencesIn(await getExpressionAst(filename, wrap));
  if (wrap === expression) {
    return found;
  }
  const moved = ({ value, startPosition, endPosition }) => ({
    value,
    startPosition: startPosition - offset,
    endPosition: endPosition - offset,
  });
  return found.map(moved);
}

/** Escapes the quotes in a quoted text without interpolations. */
function withEscapedQuotes(text) {
  const quoted = /^(\s*")(.*)("\s*)$/.exec(text);
  if (quoted === null || /(^|[^$])\$\{/.test(text)) {
    return text;
  }
  const [, open, inner, close] = quoted;
  return open + inner.replaceAll('"', '\\"') + close;
}

export function wrapTerraformExpression(expression) {
  const text = withEscapedQuotes(expression);
  const asIs = { wrap: text, wrapOffset: 0 };
  if (text.startsWith('"') && text.includes("\n")) {
    return { wrap: `<<EOE\n${text.slice(1, -1)}\nEOE\n`, wrapOffset: 5 };
  }
  if (text.startsWith("<<")) {
    // A heredoc ends with a line break.
    return text.endsWith("\n") ? asIs : { wrap: `${text}\n`, wrapOffset: 0 };
  }
  const isLiteral = text === "true" || text === "false" || !Number.isNaN(Number(text));
  return isLiteral || /^["[{]/.test(text) ? asIs : { wrap: `"${text}"`, wrapOffset: 1 };
}

export default {
  HclError,
  TFExpressionSyntaxTree,
  convertFiles,
  getExpressionAst,
  getReferencesInExpression,
  parse,
  wrapTerraformExpression,
};
