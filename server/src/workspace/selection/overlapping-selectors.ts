/** Finds controllers whose selectors overlap with the selector of another controller, and the pods that a controller adopts. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { type LabelSet, overlap, type Requirement, type Selector } from '../../engine/index.ts';
import type { ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { selectorAt } from '../../manifests/sites/site-at.ts';
import { kindKey } from '../index/file-outline.ts';
import { selectorWith } from '../index/index-entries.ts';
import type { Candidate, IsWanted, ObjectInFile, SiteInFile, Workspace } from '../model.ts';
import { identityOf, placeOf } from '../scopes/scope-facts.ts';
import { effectiveSelector } from './effective-selector.ts';
import { effectiveNamespace } from './namespaces.ts';

/** The selector of another controller in the same namespace that can match the same labels. */
export interface OverlappingSelector extends SiteInFile {
  /** Labels that both selectors match: `app=agent,extra=1`. */
  readonly witness: string;
  /** Whether pods in the scope have labels that both selectors match. */
  readonly matchesPods: boolean;
}

/** The maximum number of returned selectors. */
const maximumOverlaps = 50;

/** Returns the selectors of other controllers in the scope of an applied object that overlap with the controller's selector at `path`, if that selector is known. Selectors that match common pods come first. Selectors without a common key are omitted, since any two of them overlap. */
export function overlappingSelectors(
  workspace: Workspace,
  catalogue: Catalogue,
  owner: ObjectInFile,
  path: string,
): readonly OverlappingSelector[] {
  const site = selectorAt(owner.object.selectorSites, path);
  const own = site && controllerSelector(site);
  if (site === undefined || own === undefined) return [];
  const from = placeOf(owner);
  const scopes = workspace.scopes();
  const around = scopes.filesAround(from);
  const namespace = effectiveNamespace(workspace, catalogue, owner)?.text;
  const identity = identityOf(owner.object);
  const found: OverlappingSelector[] = [];
  let common = 0;
  for (const { id, selector } of site.fact.targets.flatMap((target) => [
    ...workspace.selectingIds(kindKey(target), { labels: {}, open: true }, around),
  ])) {
    if (!around.has(id.uri) || !haveCommonKey(own, selector) || !overlap(own, selector).overlaps) continue;
    const other = selectorWith(workspace, id);
    const theirs = other && controllerSelector(other.site);
    if (other === undefined || theirs === undefined || scopes.relation(from, placeOf(other), other) !== 'here')
      continue;
    if (other.object === owner.object || (identity !== undefined && identityOf(other.object) === identity)) continue;
    if (effectiveNamespace(workspace, catalogue, other)?.text !== namespace) continue;
    const requirements = [...own.requirements, ...theirs.requirements];
    const isThere = (each: Candidate) =>
      scopes.relation(from, placeOf(each.where), each) === 'here' &&
      effectiveNamespace(workspace, catalogue, each.where)?.text === namespace;
    const pods = firstPodMatching(workspace, site, { kind: 'all', requirements }, { files: around, isThere });
    const labels = pods?.labelSet.labels ?? overlap(own, theirs).witness ?? {};
    found.push({ ...other, witness: requiredLabels({ labels }, requirements), matchesPods: pods !== undefined });
    // Selectors that match common pods come first, so the others are not needed.
    if (pods !== undefined && ++common === maximumOverlaps) break;
  }
  return found.toSorted((a, b) => Number(b.matchesPods) - Number(a.matchesPods)).slice(0, maximumOverlaps);
}

/** Whether two selectors have requirements on the same key. Selectors without a common key can always match the same labels. */
export function haveCommonKey(a: Selector, b: Selector): boolean {
  if (a.kind !== 'all' || b.kind !== 'all') return false;
  const keys = new Set(a.requirements.map(({ key }) => key));
  return b.requirements.some(({ key }) => keys.has(key));
}

type KnownSelector = Selector & { readonly kind: 'all' };

/** Returns the known selector that a controller has for the pods of its template; undefined for any other selector. */
export function controllerSelector(site: SelectorSite): KnownSelector | undefined {
  const { fact, state, open, defaults } = site;
  if (!fact.mustMatchTemplate || !fact.plain || open || (state !== 'present' && defaults === undefined))
    return undefined;
  const selector = effectiveSelector(site);
  if (selector?.kind !== 'all' || selector.open) return undefined;
  const isKnown = ({ values }: Requirement) => values.every((value) => typeof value === 'string');
  return selector.requirements.every(isKnown) ? selector : undefined;
}

/** Returns the first object of the selected kinds in some files that certainly matches and fulfills a condition. */
function firstPodMatching(
  workspace: Workspace,
  { fact }: SelectorSite,
  selector: Selector,
  { files, isThere }: { readonly files: ReadonlySet<string>; isThere(each: Candidate): boolean },
): Candidate | undefined {
  const isWanted: IsWanted = (uri, _, answer) => answer === 'yes' && files.has(uri);
  for (const target of fact.targets)
    for (const each of workspace.find(kindKey(target), selector, isWanted, files)) if (isThere(each)) return each;
  return undefined;
}

/** Returns the labels in requirements: `app=redis,tier=cache`. */
export function requiredLabels({ labels }: LabelSet, requirements: readonly Requirement[]): string {
  const keys = [...new Set(requirements.map(({ key }) => key))].sort();
  return keys.flatMap((key) => (typeof labels[key] === 'string' ? [`${key}=${labels[key]}`] : [])).join(',');
}

const claiming: ReadonlySet<string> = new Set(['/ReplicationController', 'apps/ReplicaSet', 'apps/DaemonSet']);

/** Whether a controller adopts every pod that its selector matches and that no controller owns, as `ClaimPods` of `PodControllerRefManager` in k8s.io/kubernetes/pkg/controller does. A Job does so only if it sets its own selector. The ReplicaSets of a Deployment also require the label `pod-template-hash`. */
export function claimsPods({ group, kind }: ManifestObject, site: SelectorSite): boolean {
  if (controllerSelector(site) === undefined) return false;
  return claiming.has(`${group}/${kind}`) || (group === 'batch' && kind === 'Job' && site.state === 'present');
}

/** Whether a controller adopts a pod that its selector matches. A StatefulSet adopts only pods with the names that it generates. */
export function adopts(controller: ManifestObject, site: SelectorSite, pod: ManifestObject): boolean {
  if (!isBarePod(pod)) return false;
  const isSet = controller.group === 'apps' && controller.kind === 'StatefulSet';
  if (!isSet || controllerSelector(site) === undefined) return claimsPods(controller, site);
  return isNameOfMember(controller.name?.value, pod.name?.value);
}

function isBarePod({ group, kind, controller }: ManifestObject): boolean {
  return group === '' && kind === 'Pod' && controller === undefined;
}

function isNameOfMember(controller: unknown, pod: unknown): boolean {
  if (typeof controller !== 'string' || typeof pod !== 'string' || !pod.startsWith(`${controller}-`)) return false;
  return /^(?:0|[1-9]\d{0,8})$/.test(pod.slice(controller.length + 1));
}
