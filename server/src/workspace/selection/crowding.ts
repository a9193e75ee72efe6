/**
 * Finds crowded scopes: those whose selectors, all together, would be compared with too many objects. No file of such a
 * scope need be large, so that a bound for each file does not bound a check of the workspace.
 */

import type { Selector } from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { kindKey } from '../index/file-outline.ts';
import type { ObjectInFile, Workspace } from '../model.ts';
import { placeOf } from '../scopes/scope-facts.ts';
import { filesInSiblings } from '../scopes/sibling-folders.ts';
import { type Comparisons, maximumInCrowd } from './comparison-budget.ts';
import { alternativesOf } from './effective-selector.ts';

/** The comparisons of all selectors of a scope, over one kind: about a second or two. */
export const maximumOfScope = 500_000;

/** No scope is crowded by fewer objects of a kind, in all of the workspace. */
const fewObjects = 200;

/** As many objects of other scopes are skipped in search of those of one. */
const maximumSkipped = 1000;

/** The objects of one kind in the files around a place. */
interface Crowd {
  readonly files: ReadonlySet<string>;
  readonly target: string;
  readonly size: number;
  /** With those in the folders beside it, among which near misses are looked for too. */
  readonly sizeWithSiblings: number;
}

/** By the files around a place and the kind; empty for a scope that is not crowded. */
const crowds = new WeakMap<Workspace, Map<ReadonlySet<string>, Map<string, readonly Crowd[]>>>();

/**
 * Whether a selector is left out of a check, because its scope is crowded and the check compared enough. The answer depends
 * on the snapshot and the file alone, not on what was checked before.
 */
export function isLeftOutInCrowd(
  workspace: Workspace,
  owner: ObjectInFile,
  site: SelectorSite,
  comparisons: Comparisons,
): boolean {
  if (!comparisons.mindsCrowds) return false;
  const targets = site.fact.targets.map(kindKey).filter((each) => workspace.labelCounts(each).size > fewObjects);
  if (targets.length === 0) return false;
  const place = placeOf(owner);
  const byFiles = getOrAdd(crowds, workspace, () => new Map<ReadonlySet<string>, Map<string, readonly Crowd[]>>());
  const byTarget = getOrAdd(byFiles, workspace.scopes().filesAround(place), () => new Map<string, readonly Crowd[]>());
  const crowded = targets.flatMap((each) => getOrAdd(byTarget, each, () => crowdsAround(workspace, place, each)));
  if (crowded.length === 0) return false;
  let planned = 0;
  for (const crowd of crowded)
    for (const each of alternativesOf(site)) planned += costOf(workspace, crowd, each, maximumInCrowd);
  return comparisons.leaveOutInCrowd(planned);
}

function crowdsAround(workspace: Workspace, place: string, target: string): readonly Crowd[] {
  const sizeOf = (uris: Iterable<string>) => {
    let size = 0;
    for (const uri of uris) size += workspace.carriersIn(uri, [target]).length;
    return size;
  };
  const files = workspace.scopes().filesAround(place);
  const size = sizeOf(files);
  const crowd = { files, target, size, sizeWithSiblings: size + sizeOf(filesInSiblings(workspace.scopes(), place)) };
  let cost = 0;
  for (const uri of crowd.sizeWithSiblings > fewObjects ? files : []) {
    for (const selector of workspace.selectorsIn(uri, target)) {
      cost += costOf(workspace, crowd, selector);
      if (cost > maximumOfScope) return [crowd];
    }
  }
  return [];
}

/**
 * About how many objects a selector is compared with: those that it may match, and if there are none, all. What exceeds a
 * maximum is not counted to its end.
 */
function costOf(
  workspace: Workspace,
  { files, target, size, sizeWithSiblings }: Crowd,
  selector: Selector,
  maximum = maximumOfScope,
): number {
  if (selector.kind !== 'all') return size;
  let found = 0;
  let skipped = 0;
  const isWanted = (uri: string) => files.has(uri) || ++skipped > maximumSkipped;
  for (const _ of workspace.find(target, selector, isWanted, files)) {
    if (skipped > maximumSkipped) return sizeWithSiblings;
    if (++found > maximum) break;
  }
  return found === 0 ? sizeWithSiblings : found;
}
