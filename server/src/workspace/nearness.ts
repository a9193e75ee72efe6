/** What is nearer to a place? Fewer folders lie between. */

import { inOrderOf } from './by-folder.ts';
import { fileOfPlace } from './scope-facts.ts';
import { distanceFrom } from './uri.ts';

interface InSomeFile {
  readonly file: { readonly uri: string };
}

/** Orders what was found by how far it is from a place; without one, as it was found. */
export function byDistance(from: string | undefined): (a: InSomeFile, b: InSomeFile) => number {
  if (from === undefined) return () => 0;
  const farOf = rankFrom(fileOfPlace(from));
  // A sort asks for each of them many times.
  const known = new Map<string, number>();
  const rankOf = ({ file: { uri } }: InSomeFile): number => {
    const far = known.get(uri) ?? farOf(uri);
    known.set(uri, far);
    return far;
  };
  return (a, b) => rankOf(a) - rankOf(b);
}

/** The same order for very many. */
export function nearestFirst<T extends InSomeFile>(found: readonly T[], from: string | undefined): readonly T[] {
  if (from === undefined) return found;
  const rankOf = rankFrom(fileOfPlace(from));
  return inOrderOf(found, (each) => rankOf(each.file.uri));
}

/** How far other files are from one: 0 for the file itself. */
export function rankFrom(from: string): (uri: string) => number {
  const far = distanceFrom(from);
  return (uri) => (uri === from ? 0 : 1 + far(uri));
}
