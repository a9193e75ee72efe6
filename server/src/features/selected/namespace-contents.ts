/** Counts the contents of a namespace by kind, as files write them and as overlays and charts apply them. */

import { nameLabel } from '../../engine/catalogue/name-labels.ts';
import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { isEdited, isRendered, type Scope } from '../../workspace/scopes/model.ts';
import { leadFirst } from '../../workspace/scopes/perspective.ts';
import { identityOf } from '../../workspace/scopes/scope-facts.ts';
import type { View } from '../view.ts';

/** Whether an object is a namespace, that is, of a kind for which the API server sets the label `nameLabel` to the name of the object. */
export function isNamespace(catalogue: Catalogue, { group, version, kind }: ManifestObject): boolean {
  return catalogue.kind(group, version, kind)?.nameLabels?.includes(nameLabel) === true;
}

/** The numbers of objects by kind, with the most frequent kind first. */
export type KindCounts = ReadonlyMap<string, number>;

/** Counts the objects in a namespace by kind, as their files write it. The namespace of a cluster-scoped object is ignored. Copies of an object in several files are counted once, but each object with `generateName` is an object of its own. */
export function contentsOf(view: View, namespace: string): KindCounts {
  return counted([...writtenIn(view, namespace).values()].flat());
}

/** The objects in a namespace as they are applied. */
export interface AppliedContents {
  /** The overlay or chart through which a position is seen, if it creates objects in the namespace. */
  readonly lead?: { readonly scope: Scope; readonly counts: KindCounts };
  /** The other objects. */
  readonly others: KindCounts;
  /** Whether the other objects are counted as their files write them, because building all overlays is too much work. */
  readonly areWritten: boolean;
}

/** The maximum number of overlays and charts that are built to count the objects in a namespace. */
const maximumBuilt = 30;

/** Counts the objects in a namespace as overlays and charts create them; objects of other files are counted as written. */
export function appliedContentsOf(view: View, namespace: string, place: string): AppliedContents {
  const { workspace, catalogue, perspective } = view;
  const scopes = workspace.scopes();
  const builtIn = (scope: Scope) => [
    ...(workspace.rendering(scope.path, catalogue)?.objects ?? []).flatMap(({ object }) =>
      object.forCluster && object.namespace?.text === namespace ? (identityOf(object) ?? []) : [],
    ),
  ];
  const [seenThrough] = leadFirst(
    scopes.of(place).flatMap((scope) => (isRendered(scope) ? [{ scope }] : [])),
    perspective,
  );
  const own = seenThrough === undefined ? [] : builtIn(seenThrough.scope).filter(isNamespaced(view));
  const lead = seenThrough !== undefined &&
    own.length > 0 && { scope: seenThrough.scope, counts: counted(new Set(own)) };
  const written = writtenIn(view, namespace);
  const building = scopes
    .all()
    .filter((scope) => isEdited(scope) || (isRendered(scope) && isWrittenIn(scope, written)));
  const areWritten = building.length > maximumBuilt;
  const identities = new Set<string>();
  const others: string[] = [];
  const add = (found: readonly string[]) => {
    for (const identity of found) {
      if (own.includes(identity) || identities.has(identity)) continue;
      // Objects with generated names have no name in their identity.
      if (!identity.endsWith('\n')) identities.add(identity);
      others.push(identity);
    }
  };
  if (!areWritten) for (const scope of building) add(builtIn(scope).filter(isNamespaced(view)));
  for (const [uri, found] of written) if (areWritten || !scopes.ofFile(uri).some(isRendered)) add(found);
  return { ...(lead === false ? {} : { lead }), others: counted(others), areWritten };
}

function isWrittenIn({ files }: Scope, written: ReadonlyMap<string, readonly string[]>): boolean {
  return [...written.keys()].some((uri) => files.has(uri));
}

function isNamespaced({ catalogue }: View): (identity: string) => boolean {
  return (identity) => {
    const [group = '', kind = ''] = identity.split('\n', 2);
    return catalogue.kind(group, '', kind)?.namespaced !== false;
  };
}

/** Returns the identities of the objects that files write in a namespace, by file. A repeated object belongs to the first of its files. */
function writtenIn(view: View, namespace: string): ReadonlyMap<string, readonly string[]> {
  const seen = new Set<string>();
  const found = new Map<string, string[]>();
  const isSeparate = isNamespaced(view);
  const isInside = (identity: string) => identity.split('\n', 3)[2] === namespace && isSeparate(identity);
  const scopes = view.workspace.scopes();
  for (const [uri, { identities, templates, unnamed = [] }] of scopes.facts()) {
    if (scopes.isPatch(uri)) continue;
    const named = [...identities, ...templates.flatMap((each) => each.identities)].filter(
      (identity) => isInside(identity) && !seen.has(identity),
    );
    for (const identity of named) seen.add(identity);
    const all = [...new Set(named), ...unnamed.filter(isInside)];
    if (all.length > 0) found.set(uri, all);
  }
  return found;
}

function counted(identities: Iterable<string>): KindCounts {
  const counts = new Map<string, number>();
  for (const identity of identities) {
    const [, kind = ''] = identity.split('\n', 2);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return new Map([...counts].toSorted(([a, one], [b, other]) => other - one || a.localeCompare(b)));
}

/** Returns the number of all counted objects. */
export function totalOf(counts: KindCounts): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
