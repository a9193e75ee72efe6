/** Finds the unchanged objects whose selectors choose namespaces that differ from the base. */

import { labeledObjectsOf } from '../manifests/label-sets.ts';
import type { Base, Side } from '../workspace/base.ts';
import { kindKey } from '../workspace/index/file-outline.ts';
import type { ObjectInFile } from '../workspace/model.ts';
import {
  changedSince,
  counterpartOf,
  differencesSince,
  isBuilt,
  type ObjectDifference,
  objectsIn,
  type ScopePair,
  scopesWith,
} from './paired-objects.ts';

/** Objects of a scope that select in namespaces that differ, and do not differ themselves. */
export interface Choosing {
  readonly scope: ScopePair;
  readonly objects: readonly ObjectDifference[];
}

/** Returns the unchanged objects whose namespace selectors may match the labels that a Namespace had in the base, or has now, by scope. */
export function choosingChangedNamespaces(base: Base, now: Side): readonly Choosing[] {
  const { side } = base;
  const uris = filesChoosing(base, now);
  if (uris.size === 0) return [];
  return [...scopesWith(now.workspace, [...uris])].flatMap((scope): readonly Choosing[] => {
    const before = counterpartOf(scope, side.workspace);
    if (before === undefined || !isBuilt(side, before) || !isBuilt(now, scope)) return [];
    const isChoosing = (uri: string) => uris.has(uri);
    const old = objectsIn(side, before, isChoosing);
    const objects = [...objectsIn(now, scope, isChoosing)].flatMap(([key, [applied, ...others]]) => {
      const [was, ...earlier] = old.get(key) ?? [];
      if (applied === undefined || was === undefined || others.length + earlier.length > 0) return [];
      return isChoosing(applied.file.uri) ? [{ key, before: was, now: applied }] : [];
    });
    return objects.length === 0 ? [] : [{ scope: { before, now: scope }, objects }];
  });
}

function filesChoosing(base: Base, now: Side): ReadonlySet<string> {
  const sides = [base.side, now];
  const written = changedSince(base, now).flatMap((uri) =>
    sides.flatMap(({ workspace }) => {
      const file = workspace.files.get(uri);
      const isOwn = file?.scope.identities.some((identity) => identity.startsWith('\nNamespace\n')) === true;
      return isOwn ? file.manifest.objects.map((object): ObjectInFile => ({ file, object })) : [];
    }),
  );
  const applied = differencesSince(base, now).flatMap(({ objects }) =>
    objects.flatMap((each) => [each.before ?? [], each.now ?? []].flat()),
  );
  const labels = [...written, ...applied].flatMap(({ object }) =>
    object.group === '' && object.kind === 'Namespace' ? labeledObjectsOf(object) : [],
  );
  const found = labels.flatMap((each) =>
    sides.flatMap(({ workspace }) => [...workspace.selectingIds(kindKey(each.target), each)]),
  );
  return new Set(found.map(({ id }) => id.uri));
}
