// Kinds of nodes of syntax trees.

export const isForExpression = (node) => node.type === "for";
export const isTemplateWrapExpression = (node) => node.type === "templateWrap";
export const isTemplateExpression = (node) => node.type === "template";
export const isFunctionCallExpression = (node) => node.type === "function";
export const isScopeTraversalExpression = (node) => node.type === "scopeTraversal";
export const isRelativeTraversalExpression = (node) => node.type === "relativeTraversal";
export const isLiteralValueExpression = (node) => node.type === "literalValue";
export const isIndexExpression = (node) => node.type === "index";
export const isSplatExpression = (node) => node.type === "splat";
export const isConditionalExpression = (node) => node.type === "conditional";
export const isUnaryOpExpression = (node) => node.type === "unaryOp";
export const isBinaryOpExpression = (node) => node.type === "binaryOp";
export const isTupleExpression = (node) => node.type === "tuple";
export const isObjectExpression = (node) => node.type === "object";
export const isNameTraversalPart = (part) => part.type === "nameTraversal";
export const isIndexTraversalPart = (part) => part.type === "indexTraversal";

/** Returns the first child whose text is `value`. */
export function getChildWithValue(node, value) {
  return node.children ? node.children.find((child) => child.meta?.value === value) : null;
}
