/** Resolves index entries to the labeled objects and selectors in their files. */

import { evaluate, type Selector } from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import type {
  FoundLabeledObject,
  IsWanted,
  LabeledObjectId,
  LabeledObjectInFile,
  SelectorId,
  SiteInFile,
  Workspace,
  WorkspaceFile,
} from '../model.ts';
import { Candidate } from '../model.ts';
import { everyCluster } from '../scopes/model.ts';
import { kindKey } from './file-outline.ts';
import { selectorsAt } from './workspace-index.ts';

/** Returns a key of a labeled object. All versions of an object that kustomizations build have the same key. */
export function keyOf({ file, object, labeledObject }: LabeledObjectInFile): string {
  return `${file.uri}\n${object.kindSpan.start}\n${labeledObject.via ?? ''}`;
}

/** Returns the labeled objects of some kinds in a file; a patch contains none. */
export function candidatesIn(
  workspace: Workspace,
  file: WorkspaceFile,
  targets: readonly string[],
): readonly Candidate[] {
  if (workspace.scopes().isPatch(file.uri)) return [];
  return workspace.labeledObjectsIn(file.uri, targets).map((found) => new Candidate(file, found));
}

/** Returns the labeled objects of some kinds in a file that is not in an index. */
export function labeledObjectsInFile(
  file: WorkspaceFile | undefined,
  targets: readonly string[],
): readonly FoundLabeledObject[] {
  if (file === undefined) return [];
  return file.manifest.objects.flatMap((location, object) =>
    !location.forCluster || !hasLabels(location, targets)
      ? []
      : labeledObjectsOf(location).flatMap((labelSet, labeledObject): readonly FoundLabeledObject[] => {
          const target = kindKey(labelSet.target);
          if (!targets.includes(target)) return [];
          return [{ id: { uri: file.uri, location, object, labeledObject, target }, answer: 'yes', labelSet }];
        }),
  );
}

/** Returns the selectors of objects of a kind in a file that is not in an index. */
export function selectorsInFile(file: WorkspaceFile | undefined, target: string): readonly Selector[] {
  return (file?.manifest.objects ?? [])
    .filter((object) => object.forCluster)
    .flatMap(({ selectorSites }) => selectorSites)
    .filter(({ fact }) => fact.targets.some((each) => kindKey(each) === target))
    .flatMap(selectorsAt);
}

/** Whether an object has one of the given kinds, or creates objects of such a kind. This is faster than examining the labels of the object. */
function hasLabels(object: ManifestObject, targets: readonly string[]): boolean {
  return (
    targets.includes(kindKey(object)) || object.templates.some(({ fact }) => targets.includes(kindKey(fact.makes)))
  );
}

/** Resolves the id of a labeled object; undefined if its file is a patch. */
export function labeledObjectWith(workspace: Workspace, id: LabeledObjectId): LabeledObjectInFile | undefined {
  if (workspace.scopes().isPatch(id.uri)) return undefined;
  const file = workspace.files.get(id.uri);
  const object = file?.manifest.objects[id.object];
  const labeledObject = object && labeledObjectsOf(object)[id.labeledObject];
  return file && object && labeledObject && { file, object, labeledObject };
}

/** Finds matches among the objects that exist in every cluster. They are not in the index, so that their labels are not suggested. */
export function inEveryCluster(
  workspace: Workspace,
  target: string,
  selector: Selector,
  isWanted: IsWanted = () => true,
): readonly Candidate[] {
  return ofEveryCluster(workspace, target).flatMap(({ file, id, labelSet }) => {
    const answer = evaluate(selector, labelSet);
    const isFound = answer !== 'no' && isWanted(everyCluster, labelSet, answer);
    return isFound ? [new Candidate(file, { id, labelSet, answer })] : [];
  });
}

/** The candidates by kind. They are always the same, and are needed for every selector. */
const everywhere = new WeakMap<WorkspaceFile, Map<string, readonly Candidate[]>>();

function ofEveryCluster(workspace: Workspace, target: string): readonly Candidate[] {
  const file = workspace.files.get(everyCluster);
  if (file === undefined) return [];
  const byTarget = everywhere.get(file) ?? new Map<string, readonly Candidate[]>();
  everywhere.set(file, byTarget);
  return getOrAdd(byTarget, target, () => candidatesIn(workspace, file, [target]));
}

/** Yields the requested entries in some files as candidates. They are created lazily, because the evaluation of one candidate may determine whether the next one is needed. */
export function* wantedIn(
  workspace: Pick<Workspace, 'files' | 'scopes'>,
  found: Iterable<FoundLabeledObject>,
  isWanted: IsWanted = () => true,
  within?: ReadonlySet<string>,
): Iterable<Candidate> {
  for (const each of found) {
    const { uri } = each.id;
    if (within?.has(uri) === false || !isWanted(uri, each.labelSet, each.answer) || workspace.scopes().isPatch(uri))
      continue;
    const file = workspace.files.get(uri);
    if (file !== undefined) yield new Candidate(file, each);
  }
}

/** Resolves the id of a selector; undefined if its file is a patch. */
export function selectorWith(workspace: Workspace, id: SelectorId): SiteInFile | undefined {
  if (workspace.scopes().isPatch(id.uri)) return undefined;
  const file = workspace.files.get(id.uri);
  const object = file?.manifest.objects[id.object];
  const site = object?.selectorSites[id.site];
  return file && object && site && { file, object, site };
}
