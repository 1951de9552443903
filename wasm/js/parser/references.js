// References in the syntax tree of an expression.

/**
 * Lists the references, in order: the names of each traversal, joined by dots, with the bytes where they start and end.
 * The variables of a `for` are not references. Of a `for`, its collection and its condition are searched.
 */
export function referencesIn(root) {
  const found = [];
  const work = [[root, []]];
  while (work.length > 0) {
    const [node, variables] = work.pop();
    if (node.type === "scopeTraversal") {
      const reference = referenceOf(node, variables);
      if (reference !== undefined) {
        found.push(reference);
      }
      continue;
    }
    let [searched, inner] = [node.children, variables];
    if (node.type === "for") {
      const { keyVar, valVar, collectionExpression, conditionalExpression } = node.meta;
      const childWith = (text) => node.children.filter((child) => child.meta?.value === text).slice(0, 1);
      searched = [...childWith(collectionExpression), ...childWith(conditionalExpression)];
      inner = [keyVar, valVar, ...variables];
    }
    for (let place = searched.length - 1; place >= 0; place -= 1) {
      work.push([searched[place], inner]);
    }
  }
  return found;
}

function referenceOf({ meta }, variables) {
  const [first] = meta.traversal;
  if (variables.includes(first.segment)) {
    return undefined;
  }
  // A key that is neither a text nor a number has no segment.
  const end = meta.traversal.findIndex((step) => step.segment === undefined);
  const steps = end < 0 ? meta.traversal : meta.traversal.slice(0, end);
  return {
    value: steps.map((step) => step.segment).join("."),
    startPosition: first.range.start.byte,
    endPosition: steps.at(-1).range.end.byte,
  };
}
