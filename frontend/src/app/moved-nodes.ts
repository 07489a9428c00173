/**
 * Makes React's DOM changes work on nodes that another program has moved. Page translators wrap each text in an element
 * or replace it (react issue 11538). Without this React throws and removes the page.
 */
export function tolerateMovedNodes(): void {
  // oxlint-disable-next-line typescript/unbound-method -- both are called on the right node below
  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function removeMoved<Child extends Node>(this: Node, child: Child): Child {
    const wrapped = outermostWrapper(this, child);
    if (wrapped.parentNode) removeChild.call(wrapped.parentNode, wrapped);
    return child;
  };
  Node.prototype.insertBefore = function insertBeforeMoved<Inserted extends Node>(
    this: Node,
    node: Inserted,
    next: Node | null,
  ): Inserted {
    insertBefore.call(this, node, next && childAround(this, next));
    return node;
  };
}

/** Returns the outermost element below a parent that contains only a node, or the node itself. */
function outermostWrapper(parent: Node, node: Node): Node {
  let outermost = node;
  while (outermost.parentNode && outermost.parentNode !== parent && outermost.parentNode.childNodes.length === 1)
    outermost = outermost.parentNode;
  return outermost;
}

/** @returns the child of a parent that contains a node; null if there is none */
function childAround(parent: Node, node: Node): Node | null {
  let child: Node | null = node;
  while (child && child.parentNode !== parent) child = child.parentNode;
  return child;
}
