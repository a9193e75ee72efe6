/**
 * Orders results by the number of folders between them and a position. Equally near results are in the order of files
 * and of their text.
 */

import { compareText, inOrder } from '../../text/order.ts';
import { inOrderOf } from '../index/folder-index.ts';
import { fileOfSpan } from '../scopes/scope-facts.ts';
import { distanceFrom } from '../uri.ts';

interface InSomeFile {
  readonly file: { readonly uri: string };
  /** The position in the file; objects are in the order of these numbers. */
  readonly id: { readonly object: number; readonly labeledObject: number };
}

type Compare = (a: InSomeFile, b: InSomeFile) => number;

/** The order of files and of their text, independent of everything else. */
const byPosition: Compare = (a, b) =>
  compareText(a.file.uri, b.file.uri) || a.id.object - b.id.object || a.id.labeledObject - b.id.labeledObject;

/** Orders results by their distance from a position; without one, by file and text. */
export function byDistance(from: string | undefined): Compare {
  if (from === undefined) return byPosition;
  const farOf = rankFrom(fileOfSpan(from));
  // Cached, because sorting needs each distance many times.
  const known = new Map<string, number>();
  const rankOf = ({ file: { uri } }: InSomeFile): number => {
    const far = known.get(uri) ?? farOf(uri);
    known.set(uri, far);
    return far;
  };
  return (a, b) => rankOf(a) - rankOf(b) || byPosition(a, b);
}

/** Like a sort with `byDistance`, but fast for very many results. */
export function nearestFirst<T extends InSomeFile>(found: readonly T[], from: string | undefined): readonly T[] {
  const ordered = inOrder(found, byPosition);
  if (from === undefined) return ordered;
  const rankOf = rankFrom(fileOfSpan(from));
  return inOrderOf(ordered, (each) => rankOf(each.file.uri));
}

/** The distance of other files from one: 0 for the file itself. */
export function rankFrom(from: string): (uri: string) => number {
  const far = distanceFrom(from);
  return (uri) => (uri === from ? 0 : 1 + far(uri));
}
