/** Finds namespaces that a selector matches by name and that are not declared in any file, although objects in the workspace belong to them. */

import { nameLabel } from '../../engine/catalogue/name-labels.ts';
import type { GroupKind } from '../../engine/catalogue/types.ts';
import { evaluate } from '../../engine/index.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import { effectiveSelector } from '../../workspace/selection/effective-selector.ts';
import type { Selection } from '../../workspace/selection/model.ts';
import type { View } from '../view.ts';
import { contentsOf } from './namespace-contents.ts';

export interface ImpliedNamespace {
  readonly type: GroupKind;
  readonly name: string;
  readonly objects: number;
}

/** Returns the namespaces that the selector names in requirements on `kubernetes.io/metadata.name` and that contain objects of the workspace, except namespaces that are already in `found`. */
export function impliedNamespaces(
  view: View,
  site: SelectorSite,
  found: Pick<Selection, 'matches' | 'maybe' | 'elsewhere'>,
): readonly ImpliedNamespace[] {
  const type = site.fact.targets.find(({ group, kind }) =>
    view.catalogue.kind(group, '', kind)?.nameLabels?.includes(nameLabel),
  );
  const selector = effectiveSelector(site);
  if (type === undefined || selector?.kind !== 'all') return [];
  const named = selector.requirements.filter(({ key, operator }) => key === nameLabel && isEquality.has(operator));
  const names = new Set(named.flatMap(({ values }) => values.filter((value) => typeof value === 'string')));
  const declared = new Set(
    [...found.matches, ...found.maybe, ...found.elsewhere].map(({ object }) => object.name?.text),
  );
  return [...names].flatMap((name): readonly ImpliedNamespace[] => {
    if (declared.has(name) || evaluate(selector, { labels: { [nameLabel]: name }, open: true }) === 'no') return [];
    const objects = [...contentsOf(view, name).values()].reduce((sum, count) => sum + count, 0);
    return objects === 0 ? [] : [{ type, name, objects }];
  });
}

const isEquality: ReadonlySet<string> = new Set(['=', '==', 'in']);

/** Returns the explanation of why an undeclared namespace is shown: objects in the workspace belong to it. */
export function impliedReason({ objects }: ImpliedNamespace): string {
  const count =
    objects === 1 ? localize`1 object in this workspace is` : localize`${objects} objects in this workspace are`;
  return localize`no file declares this namespace, but ${count} in it`;
}
