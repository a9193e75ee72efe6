/** Describes the overlays, namespaces or scopes in which several objects with one name are. */

import { compareText } from '../../text/order.ts';
import { relativeFolder } from '../../workspace/uri.ts';
import { type Named, whereIs } from '../objects/compared-names.ts';
import { counted } from '../output/counts.ts';
import { capitalized } from '../output/names.ts';
import type { Tree } from '../trees/tree.ts';

export interface Places {
  readonly noun: 'overlay' | 'namespace' | 'scope';
  readonly names: readonly string[];
}

/** Returns a function that finds the places of objects. */
export function placesIn(trees: readonly Tree[]): (objects: readonly Named[]) => Places {
  const overlays = new Set(
    trees.flatMap(({ session, root }) =>
      session
        .snapshot()
        .scopes()
        .all()
        .flatMap(({ kind, path }) => (kind === 'kustomization' ? relativeFolder(root, path) : [])),
    ),
  );
  return (objects) => ({
    noun: objects.every((each) => overlays.has(whereIs(each) ?? ''))
      ? 'overlay'
      : objects.every((each) => whereIs(each) === undefined)
        ? 'namespace'
        : 'scope',
    names: [...new Set(objects.map((each) => whereIs(each) ?? each.namespace ?? ''))].toSorted(compareText),
  });
}

const mostPlaces = 3;

/** Returns a phrase such as `in 40 overlays (a, b, c and 37 more)`. */
export function shownPlaces({ noun, names }: Places): string {
  return `in ${counted(names.length, noun)}${exampleNames(names)}`;
}

/** Returns a sentence that holds in several places. */
export function statedIn(places: Places, sentence: string): string {
  return `${capitalized(shownPlaces(places))}: ${sentence}`;
}

/** Returns the first names in parentheses, after a space. */
export function exampleNames(names: readonly string[]): string {
  const more = names.length > mostPlaces ? ` and ${names.length - mostPlaces} more` : '';
  return ` (${names.slice(0, mostPlaces).join(', ')}${more})`;
}
