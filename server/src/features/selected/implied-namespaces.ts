/** Finds namespaces that a selector matches, or may match, and that are not declared in any file, although objects in the workspace belong to them. */

import { nameLabel } from '../../engine/catalogue/name-labels.ts';
import type { GroupKind } from '../../engine/catalogue/types.ts';
import type { Selector } from '../../engine/index.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { definitionOf, namespacesAround } from '../../workspace/references/namespaces-around.ts';
import { everyCluster, type Scope } from '../../workspace/scopes/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { effectiveSelector } from '../../workspace/selection/effective-selector.ts';
import { selectsNamespace } from '../../workspace/selection/endpoint-answers.ts';
import type { Selection } from '../../workspace/selection/model.ts';
import { appliedLead } from '../presentation/applied-name.ts';
import type { Line } from '../presentation/rich-text.ts';
import type { View } from '../view.ts';
import { contentsOf, totalOf } from './namespace-contents.ts';

export interface ImpliedNamespace {
  readonly type: GroupKind;
  readonly name: string;
  readonly objects: number;
  /** Whether the selector certainly matches: the labels of the namespace, except for its name, are unknown. */
  readonly isCertain: boolean;
}

/** The maximum number of namespaces, because the objects of each one are counted. */
const maximumNamespaces = 20;

/** Returns the namespaces that the selector matches, or may match, and that contain objects of the scope, except namespaces that are already in `found`. */
export function impliedNamespaces(
  view: View,
  owner: ObjectInFile,
  site: SelectorSite,
  found: Pick<Selection, 'matches' | 'maybe' | 'elsewhere'>,
): readonly ImpliedNamespace[] {
  const type = site.fact.targets.find(({ group, kind }) =>
    view.catalogue.kind(group, '', kind)?.nameLabels?.includes(nameLabel),
  );
  const selector = effectiveSelector(site);
  if (type === undefined || selector === undefined || selector.kind === 'nothing') return [];
  const declared = new Set(
    [...found.matches, ...found.maybe, ...found.elsewhere].map(({ object }) => object.name?.text),
  );
  const lead = appliedLead(view, owner);
  const known = namespacesAround(lead.workspace, placeOf(lead.owner));
  const used = [...known].flatMap(([name, { uri }]) => (uri === everyCluster ? [] : [name]));
  const names = new Set([...namesIn(selector), ...used]);
  const answers = [...names].flatMap((name) => {
    const answer = selectsNamespace(site, selector, name, { labels: { [nameLabel]: name }, open: true });
    return declared.has(name) || answer === 'no' ? [] : [{ name, isCertain: answer === 'yes' }];
  });
  return answers.slice(0, maximumNamespaces).flatMap(({ name, isCertain }): readonly ImpliedNamespace[] => {
    const written = totalOf(contentsOf(view, name));
    const built = lead.workspace.appliedBy === undefined ? 0 : builtIn(view, lead.workspace.appliedBy, name);
    const objects = Math.max(written, built);
    const isDeclared = definitionOf(view.workspace, name) !== '';
    return objects === 0 || isDeclared ? [] : [{ type, name, objects, isCertain }];
  });
}

/** Returns the number of objects that a scope builds into a namespace. */
function builtIn({ workspace, catalogue }: View, { path }: Scope, name: string): number {
  const objects = workspace.rendering(path, catalogue)?.objects ?? [];
  return objects.filter(({ object }) => object.namespace?.value === name).length;
}

/** Returns the names in requirements on `kubernetes.io/metadata.name`. */
function namesIn(selector: Selector): readonly string[] {
  const requirements = selector.kind === 'all' ? selector.requirements : [];
  return requirements
    .filter(({ key, operator }) => key === nameLabel && isEquality.has(operator))
    .flatMap(({ values }) => values.filter((value) => typeof value === 'string'));
}

const isEquality: ReadonlySet<string> = new Set(['=', '==', 'in']);

/** Returns the explanation of why an undeclared namespace is shown: objects in the workspace belong to it. */
export function impliedReason({ objects, isCertain }: ImpliedNamespace): string {
  const count =
    objects === 1 ? localize`1 object in this workspace is` : localize`${objects} objects in this workspace are`;
  return isCertain
    ? localize`no file declares this namespace, but ${count} in it`
    : localize`no file declares this namespace and its labels, but ${count} in it`;
}

/** Returns a line for each of the namespaces that certainly match, or of the others. */
export function impliedLines(namespaces: readonly ImpliedNamespace[], isCertain: boolean): readonly Line[] {
  return namespaces
    .filter((each) => each.isCertain === isCertain)
    .map((each) => [{ kind: 'code', text: each.name }, `: ${impliedReason(each)}`]);
}
