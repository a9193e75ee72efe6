/** Finds crowded scopes, whose selectors, taken together, would be compared with too many objects. Each file of such a scope may be small, so a limit for each file does not limit a check of the workspace. */

import { LabelIndex, type Selector } from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { kindKey } from '../index/file-outline.ts';
import { sumOf } from '../index/iterate.ts';
import type { LabeledObjectId, ObjectInFile, Workspace, WorkspaceFile } from '../model.ts';
import { placeOf } from '../scopes/scope-facts.ts';
import { filesInSiblings } from '../scopes/sibling-folders.ts';
import { allAround } from './around.ts';
import type { CandidateIndex } from './candidate-index.ts';
import { type Comparisons, missesPerMatch } from './comparison-budget.ts';
import { alternativesOf } from './effective-selector.ts';
import { maximumCorrected } from './near-misses.ts';

/** The maximum number of comparisons that all selectors of a scope for one kind may require; this number takes about one or two seconds. */
export const maximumOfScope = 500_000;

/** The number of objects of a kind, including objects in neighboring folders, below which a scope is not crowded. */
const fewObjects = 200;

/** The number of labeled objects of one kind in an object, which nearly no object exceeds. */
const maximumTemplates = 4;

/** The objects of one kind in the files around a position. */
interface Crowd {
  readonly objects: LabelIndex<LabeledObjectId>;
  /** Returns the index of the objects, which is created when it is first used. */
  index(): CandidateIndex;
  /** The number of objects, including the objects in neighboring folders, which are also searched for near misses. */
  readonly sizeWithSiblings: number;
  /** The number of comparisons for each file with selectors. */
  readonly share: number;
  /** The first file with selectors, which has the finding about the scope. */
  readonly first: string;
}

/** The crowds by the files around a position and by kind; empty for a scope that is not crowded. */
const crowds = new WeakMap<Workspace, Map<ReadonlySet<string>, Map<string, readonly Crowd[]>>>();

/** Whether a check skips a selector, because its scope is crowded and the check has made enough comparisons. The answer depends only on the file, its scope and the neighboring folders, not on earlier checks or other scopes, so it is not a question about all files. */
export function isLeftOutInCrowd(
  workspace: Workspace,
  owner: ObjectInFile,
  site: SelectorSite,
  comparisons: Comparisons,
): boolean {
  if (!comparisons.mindsCrowds) return false;
  const crowded = crowdsOf(workspace, owner, site);
  if (crowded.length === 0) return false;
  const share = Math.min(...crowded.map((crowd) => crowd.share));
  let planned = 0;
  for (const crowd of crowded) for (const each of alternativesOf(site)) planned += costOf(crowd, each, share);
  return comparisons.leaveOutInCrowd(planned, share);
}

/** The first files of the crowded scopes of a file: one of them reports that selectors of the scope are skipped. */
export function firstInCrowds(
  workspace: Workspace,
  { uri, manifest }: Pick<WorkspaceFile, 'uri' | 'manifest'>,
): ReadonlySet<string> {
  const found = manifest.objects.flatMap((object) =>
    object.selectorSites.flatMap((site) => crowdsOf(workspace, { file: { uri }, object }, site)),
  );
  return new Set(found.map(({ first }) => first));
}

type Owner = Parameters<typeof placeOf>[0];

function crowdsOf(workspace: Workspace, owner: Owner, site: SelectorSite): readonly Crowd[] {
  const place = placeOf(owner);
  // A Template is a scope in one file, to which the limit for files applies.
  if (place !== owner.file.uri) return [];
  const byFiles = getOrAdd(crowds, workspace, () => new Map<ReadonlySet<string>, Map<string, readonly Crowd[]>>());
  const byTarget = getOrAdd(byFiles, workspace.scopes().filesAround(place), () => new Map<string, readonly Crowd[]>());
  return site.fact.targets
    .map(kindKey)
    .flatMap((each) => getOrAdd(byTarget, each, () => crowdsAround(workspace, place, each)));
}

function crowdsAround(workspace: Workspace, place: string, target: string): readonly Crowd[] {
  const scopes = workspace.scopes();
  const labeledObjectsOf = (uri: string) => (scopes.isPatch(uri) ? [] : workspace.labeledObjectsIn(uri, [target]));
  const files = scopes.filesAround(place);
  const siblings = filesInSiblings(scopes, place);
  // Most scopes have so few objects that their labels need not be collected.
  const objectsIn = (uri: string) => workspace.files.get(uri)?.objects ?? 0;
  if (sumOf(files, objectsIn) + sumOf(siblings, objectsIn) <= fewObjects / maximumTemplates) return [];
  const here = [...files].flatMap(labeledObjectsOf);
  const beside = sumOf(siblings, (uri) => labeledObjectsOf(uri).length);
  const sizeWithSiblings = here.length + beside;
  if (sizeWithSiblings <= fewObjects) return [];
  const objects = new LabelIndex<LabeledObjectId>();
  for (const { id, labelSet } of here) objects.add(id, labelSet);
  const crowd = { objects, sizeWithSiblings, index: () => allAround(workspace, files, [target]).index() };
  const selecting = [...files].filter((uri) => workspace.selectorsIn(uri, target).length > 0).sort();
  const share = Math.floor(maximumOfScope / selecting.length);
  let cost = 0;
  for (const uri of selecting) {
    for (const selector of workspace.selectorsIn(uri, target)) {
      cost += costOf(crowd, selector, maximumOfScope);
      if (cost > maximumOfScope) return [{ ...crowd, share, first: selecting[0] ?? uri }];
    }
  }
  return [];
}

/** Returns the approximate number of objects with which a selector is compared: its possible matches. If there are none, an index finds the objects for which one requirement is misspelled, and several requirements are compared with all objects. Counting stops at the maximum. */
function costOf(
  { objects, sizeWithSiblings, index }: Pick<Crowd, 'objects' | 'sizeWithSiblings' | 'index'>,
  selector: Selector,
  maximum: number,
): number {
  if (selector.kind !== 'all') return objects.size;
  let found = 0;
  for (const _ of objects.labelSets(selector)) if (++found > maximum) break;
  if (found > 0) return found;
  const [only, ...others] = selector.requirements;
  if (only === undefined || others.length > 0) return sizeWithSiblings / missesPerMatch;
  return only.values.length > maximumCorrected ? 1 : 1 + index().resembling(only).length;
}
