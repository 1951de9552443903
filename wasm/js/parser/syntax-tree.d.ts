/** Lines count from 0. Columns count from 0 in the first line, from 1 in others. Bytes are those of UTF-8. */
export type CodeMarker = { byte: number; line: number; column: number };
export type CodeRange = { start: CodeMarker; end: CodeMarker };

type TraversalPart = { segment: string; range: CodeRange };
export type TerraformNameTraversalPart = TraversalPart & { type: "nameTraversal" };
export type TerraformIndexTraversalPart = TraversalPart & { type: "indexTraversal" };
export type TerraformTraversalPart = TerraformNameTraversalPart | TerraformIndexTraversalPart;

/** `value` is the text of the expression. */
export type ExpressionMeta = { value: string };
export type ForExpressionMeta = ExpressionMeta & {
  keyVar: string;
  valVar: string;
  collectionExpression: string;
  conditionalExpression?: string;
  valueExpression: string;
  keyExpression?: string;
  groupedValue: boolean;
  openRange: CodeRange;
  openRangeValue: string;
  closeRange: CodeRange;
  closeRangeValue: string;
};
export type FunctionCallMeta = ExpressionMeta & {
  name: string;
  expandedFinalArgument: boolean;
  nameRange: CodeRange;
  openParenRange: CodeRange;
  closeParenRange: CodeRange;
  argsRanges: CodeRange[];
};
export type ScopeTraversalExpressionMeta = ExpressionMeta & {
  fullAccessor: string;
  traversal: TerraformTraversalPart[];
};
export type RelativeTraversalExpressionMeta = ExpressionMeta & {
  fullAccessor: string;
  traversal: TerraformTraversalPart[];
  sourceExpression: string;
};
export type LiteralValueExpressionMeta = ExpressionMeta & {
  type: string;
};
export type IndexExpressionMeta = ExpressionMeta & {
  keyExpression: string;
  collectionExpression: string;
};
export type SplatExpressionMeta = ExpressionMeta & {
  sourceExpression: string;
  eachExpression: string;
  anonSymbolExpression: string;
  markerRange: CodeRange;
};
export type ConditionalExpressionMeta = ExpressionMeta & {
  conditionExpression: string;
  trueExpression: string;
  falseExpression: string;
};
export type UnaryOpExpressionMeta = ExpressionMeta & {
  operator: string;
  valueExpression: string;
  symbolRange: CodeRange;
  returnType: string;
};
export type BinaryOpExpressionMeta = ExpressionMeta & {
  operator: string;
  returnType: string;
  lhsExpression: string;
  rhsExpression: string;
};
export type ObjectExpressionMeta = ExpressionMeta & {
  items: Record<string, string>;
};

type Node<Type extends string, Meta> = {
  type: Type;
  meta: Meta;
  /** Where the expression starts: for a call up to its parenthesis, for an operation its first operand. */
  range: CodeRange;
  children: ExpressionType[];
};
export type TemplateWrapExpression = Node<"templateWrap", ExpressionMeta>;
export type TemplateExpression = Node<"template", ExpressionMeta>;
export type TupleExpression = Node<"tuple", ExpressionMeta>;
export type ForExpression = Node<"for", ForExpressionMeta>;
export type FunctionCallExpression = Node<"function", FunctionCallMeta>;
export type ScopeTraversalExpression = Node<"scopeTraversal", ScopeTraversalExpressionMeta>;
export type RelativeTraversalExpression = Node<"relativeTraversal", RelativeTraversalExpressionMeta>;
export type LiteralValueExpression = Node<"literalValue", LiteralValueExpressionMeta>;
export type IndexExpression = Node<"index", IndexExpressionMeta>;
export type SplatExpression = Node<"splat", SplatExpressionMeta>;
export type ConditionalExpression = Node<"conditional", ConditionalExpressionMeta>;
export type UnaryOpExpression = Node<"unaryOp", UnaryOpExpressionMeta>;
export type BinaryOpExpression = Node<"binaryOp", BinaryOpExpressionMeta>;
export type ObjectExpression = Node<"object", ObjectExpressionMeta>;
export type ExpressionType =
  | TemplateWrapExpression
  | TemplateExpression
  | TupleExpression
  | ForExpression
  | FunctionCallExpression
  | ScopeTraversalExpression
  | RelativeTraversalExpression
  | LiteralValueExpression
  | IndexExpression
  | SplatExpression
  | ConditionalExpression
  | UnaryOpExpression
  | BinaryOpExpression
  | ObjectExpression;

export type CommonExpressionAst = Pick<ExpressionType, "children" | "range">;
export type MetaType =
  | ExpressionMeta
  | ForExpressionMeta
  | FunctionCallMeta
  | ScopeTraversalExpressionMeta
  | RelativeTraversalExpressionMeta
  | LiteralValueExpressionMeta
  | IndexExpressionMeta
  | SplatExpressionMeta
  | ConditionalExpressionMeta
  | UnaryOpExpressionMeta
  | BinaryOpExpressionMeta
  | ObjectExpressionMeta;
/** Any node. Parentheses, the keys of objects and the element of a splat have an empty type and no `meta`. */
export type ExpressionAst = Node<string, MetaType>;

export function isTemplateWrapExpression(node: ExpressionType): node is TemplateWrapExpression;
export function isTemplateExpression(node: ExpressionType): node is TemplateExpression;
export function isTupleExpression(node: ExpressionType): node is TupleExpression;
export function isForExpression(node: ExpressionType): node is ForExpression;
export function isFunctionCallExpression(node: ExpressionType): node is FunctionCallExpression;
export function isScopeTraversalExpression(node: ExpressionType): node is ScopeTraversalExpression;
export function isRelativeTraversalExpression(node: ExpressionType): node is RelativeTraversalExpression;
export function isLiteralValueExpression(node: ExpressionType): node is LiteralValueExpression;
export function isIndexExpression(node: ExpressionType): node is IndexExpression;
export function isSplatExpression(node: ExpressionType): node is SplatExpression;
export function isConditionalExpression(node: ExpressionType): node is ConditionalExpression;
export function isUnaryOpExpression(node: ExpressionType): node is UnaryOpExpression;
export function isBinaryOpExpression(node: ExpressionType): node is BinaryOpExpression;
export function isObjectExpression(node: ExpressionType): node is ObjectExpression;
export function isNameTraversalPart(part: TerraformTraversalPart): part is TerraformNameTraversalPart;
export function isIndexTraversalPart(part: TerraformTraversalPart): part is TerraformIndexTraversalPart;
/** Returns the first child whose text is `value`. */
export function getChildWithValue(node: ExpressionType, value: string): ExpressionType | null | undefined;
