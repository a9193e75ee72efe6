/** Orders results by the number of folders between them and a position. Results at equal distances are ordered by file and by position in the file. */

import { compareText, inOrder } from '../../text/order.ts';
import { inOrderOf } from '../index/folder-index.ts';
import { fileOfPlace } from '../scopes/scope-facts.ts';
import { distanceFrom } from '../uri.ts';

interface InSomeFile {
  readonly file: { readonly uri: string };
  /** The numbers of the object and labeled object in the file, which determine the order in the file. */
  readonly id: { readonly object: number; readonly labeledObject: number };
}

type Compare = (a: InSomeFile, b: InSomeFile) => number;

/** Compares results by file and by position in the file, independently of any distance. */
const byPosition: Compare = (a, b) =>
  compareText(a.file.uri, b.file.uri) || a.id.object - b.id.object || a.id.labeledObject - b.id.labeledObject;

/** Orders results by their distance from a position or, without a position, by file and position in the file. */
export function byDistance(from: string | undefined): Compare {
  if (from === undefined) return byPosition;
  const farOf = rankFrom(fileOfPlace(from));
  // Caches distances, because sorting needs each distance many times.
  const known = new Map<string, number>();
  const rankOf = ({ file: { uri } }: InSomeFile): number => {
    const far = known.get(uri) ?? farOf(uri);
    known.set(uri, far);
    return far;
  };
  return (a, b) => rankOf(a) - rankOf(b) || byPosition(a, b);
}

/** Sorts results like `byDistance`, but is fast for very many results. */
export function nearestFirst<T extends InSomeFile>(found: readonly T[], from: string | undefined): readonly T[] {
  const ordered = inOrder(found, byPosition);
  if (from === undefined) return ordered;
  const rankOf = rankFrom(fileOfPlace(from));
  return inOrderOf(ordered, (each) => rankOf(each.file.uri));
}

/** Returns a function that computes the distance of a file from the given file: 0 for the given file itself. */
export function rankFrom(from: string): (uri: string) => number {
  const far = distanceFrom(from);
  return (uri) => (uri === from ? 0 : 1 + far(uri));
}
