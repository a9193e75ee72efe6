/** What is nearer to a place? Fewer folders lie between. */

import { fileOfPlace } from './scope-facts.ts';
import { distance } from './uri.ts';
import type { CarrierInFile } from './workspace.ts';

/** Orders what was found by how far it is from a place; without one, as it was found. */
export function byDistance(from: string | undefined): (a: CarrierInFile, b: CarrierInFile) => number {
  if (from === undefined) return () => 0;
  const file = fileOfPlace(from);
  // A sort asks for each of them many times.
  const known = new Map<string, number>();
  const rankOf = ({ file: { uri } }: CarrierInFile): number => {
    const far = known.get(uri) ?? rank(file, uri);
    known.set(uri, far);
    return far;
  };
  return (a, b) => rankOf(a) - rankOf(b);
}

/** How far another file is: 0 for the file itself. */
export function rank(from: string, uri: string): number {
  return from === uri ? 0 : 1 + distance(from, uri);
}
