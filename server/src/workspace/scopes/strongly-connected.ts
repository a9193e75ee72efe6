/** Finds the strongly connected components of a graph, in each of which every node can be reached from every other node. */

interface Visited<Node> {
  readonly node: Node;
  readonly next: Iterator<Node>;
  readonly number: number;
  /** The smallest number of a node that can be reached and whose component is not yet complete. */
  lowest: number;
}

/** Returns the strongly connected components of a graph by Tarjan's algorithm, without recursion, in time that is linear in the number of nodes and edges. A component comes after the components that can be reached from it. */
export function stronglyConnected<Node>(
  nodes: Iterable<Node>,
  below: (node: Node) => Iterable<Node>,
): readonly (readonly Node[])[] {
  const components: Node[][] = [];
  const numbers = new Map<Node, number>();
  const open = new Set<Node>();
  const enter = (node: Node): Visited<Node> => {
    const number = numbers.size;
    numbers.set(node, number);
    open.add(node);
    stack.push(node);
    return { node, next: below(node)[Symbol.iterator](), number, lowest: number };
  };
  /** Nodes whose component is not yet complete. */
  const stack: Node[] = [];
  for (const start of nodes) {
    if (numbers.has(start)) continue;
    const way = [enter(start)];
    for (let last = way.at(-1); last !== undefined; last = way.at(-1)) {
      const { value, done } = last.next.next();
      if (done !== true) {
        const number = numbers.get(value);
        if (number === undefined) way.push(enter(value));
        else if (open.has(value)) last.lowest = Math.min(last.lowest, number);
        continue;
      }
      way.pop();
      const above = way.at(-1);
      if (above !== undefined) above.lowest = Math.min(above.lowest, last.lowest);
      if (last.lowest < last.number) continue;
      const component = stack.splice(stack.lastIndexOf(last.node));
      for (const node of component) open.delete(node);
      components.push(component);
    }
  }
  return components;
}
