/** Lists the objects of some kinds that are applied together, with an index of their labels. */

import { getOrAdd } from '../../engine/memoize.ts';
import { kindKey } from '../index/file-outline.ts';
import { candidatesIn } from '../index/index-entries.ts';
import type { Candidate, Workspace } from '../model.ts';
import { CandidateIndex } from './candidate-index.ts';

/** For fewer objects, a comparison with each of them is faster than an index. */
export const fewCandidates = 32;

export interface Around {
  readonly candidates: readonly Candidate[];
  /** The kinds of the objects whose templates create the candidates. */
  readonly makers: ReadonlySet<string>;
  /** Returns the index of the candidates, which is created when it is first used. */
  index(): CandidateIndex;
}

/** The objects of the scope of the latest request, by kinds: a scope may have thousands of files, which are checked one after the other. */
const latestScope = new WeakMap<
  Workspace,
  { readonly files: ReadonlySet<string>; readonly byTargets: Map<string, Around> }
>();

/** Returns all objects of some kinds in the files of a scope. */
export function allAround(workspace: Workspace, files: ReadonlySet<string>, targets: readonly string[]): Around {
  const known = latestScope.get(workspace);
  const latest = known?.files === files ? known : { files, byTargets: new Map<string, Around>() };
  if (latest !== known) latestScope.set(workspace, latest);
  return getOrAdd(latest.byTargets, targets.join('\n'), () => aroundOf(neighbours(workspace, files, targets)));
}

/** Returns some objects with their index. */
export function aroundOf(candidates: readonly Candidate[]): Around {
  let index: CandidateIndex | undefined;
  return {
    candidates,
    makers: new Set(candidates.flatMap((each) => (each.isMade ? [kindKey(each.id.location)] : []))),
    index: () => (index ??= new CandidateIndex(candidates)),
  };
}

/** Returns all objects of some kinds in some files. */
export function neighbours(
  workspace: Workspace,
  files: Iterable<string>,
  targets: readonly string[],
): readonly Candidate[] {
  return [...files].flatMap((uri) => {
    const file = workspace.files.get(uri);
    return file === undefined ? [] : candidatesIn(workspace, file, targets);
  });
}
