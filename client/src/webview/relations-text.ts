/** Says how an object is related to others, for screen readers: `selects 1, selected by 2`. */

import type { Relation } from '../../../server/src/drawing/graph.ts';

interface Line {
  readonly from: string;
  readonly to: string;
  readonly relation: Relation;
}

const words: Readonly<Record<Relation, readonly [outgoing: string, incoming: string]>> = {
  selects: ['selects', 'selected by'],
  routes: ['routes to', 'routed to by'],
  scales: ['scales', 'scaled by'],
  references: ['refers to', 'referred to by'],
  connects: ['may connect to', 'may be reached by'],
  peer: ['names as peers', 'named as a peer by'],
};

/** Returns the numbers of other objects by relation, in the order of `words`; without any line, says so. */
export function relationsText(id: string, lines: readonly Line[]): string {
  const parts: string[] = [];
  for (const [relation, [outgoing, incoming]] of Object.entries(words)) {
    const own = lines.filter((line) => line.relation === relation);
    const count = (others: readonly string[], word: string) => {
      if (others.length > 0) parts.push(`${word} ${new Set(others).size}`);
    };
    count(
      own.flatMap(({ from, to }) => (from === id ? [to] : [])),
      outgoing,
    );
    count(
      own.flatMap(({ from, to }) => (to === id ? [from] : [])),
      incoming,
    );
  }
  return parts.length === 0 ? 'without a line' : parts.join(', ');
}
