/**
 * Keeps Emotion from moving the prerendered styles of the head to its end. They apply wherever they are, and the browser
 * would compute the styles of the whole page again. Must be called before Emotion loads.
 */
export function keepPrerenderedStyles(): void {
  const { head } = document;
  head.insertBefore = <Inserted extends Node>(node: Inserted, next: Node | null): Inserted =>
    node.nodeName === 'STYLE' && node.parentNode === head
      ? node
      : Node.prototype.insertBefore.call<Node, [Inserted, Node | null], Inserted>(head, node, next);
}
