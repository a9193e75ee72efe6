/** Lists all objects that a selector could match with other requirements, including the objects that it matches. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { inOrderOf } from '../index/folder-index.ts';
import type { ObjectInFile, Workspace } from '../model.ts';
import { Candidate } from '../model.ts';
import { everyCluster } from '../scopes/model.ts';
import { placeOf } from '../scopes/scope-facts.ts';
import { neighbours } from './around.ts';
import { endpointAnswers } from './endpoint-answers.ts';
import { reachFrom } from './namespaces.ts';
import { nearestFirst, rankFrom } from './nearness.ts';
import { weaker } from './node-terms.ts';
import { relationOf, targetsOf } from './selection.ts';

/** The maximum number of files that are examined in a larger scope; the files of the nearest folders are chosen. */
const mostFilesReached = 400;

/** The labeled objects that a selector could match, regardless of its requirements. */
export interface Reach {
  /**
   * The labeled objects in the scope of the selector, nearest first; `maybe` if it is uncertain whether the selector
   * could match them.
   */
  readonly labeledObjects: readonly Candidate[];
  /** Whether some objects were not examined. */
  readonly cut: boolean;
}

/** Returns all labeled objects that the selector at `site` of an applied object could match with other requirements. */
export function reachOf(workspace: Workspace, catalogue: Catalogue, owner: ObjectInFile, site: SelectorSite): Reach {
  const from = placeOf(owner);
  const targets = targetsOf(workspace, site);
  const around = workspace.scopes().filesAround(from);
  const cut = around.size > mostFilesReached;
  const files = cut ? nearestFiles(around, owner.file.uri) : around;
  const answerOf = reachFrom(workspace, catalogue, owner, site);
  const others = site.fact.language === 'rules' ? endpointAnswers(workspace, catalogue, owner, site) : undefined;
  const labeledObjects = neighbours(workspace, files, targets).flatMap((candidate): readonly Candidate[] => {
    if (relationOf(workspace, from, candidate) !== 'here') return [];
    const { file, id, labelSet, where } = candidate;
    const { answer } = others === undefined ? answerOf(where) : weaker(answerOf(where), others(candidate));
    return answer === 'no' ? [] : [new Candidate(file, { id, labelSet, answer })];
  });
  return { labeledObjects: nearestFirst(labeledObjects, from), cut };
}

/** Returns the labeled objects of the nearest files of the workspace in any scope, nearest first, as examples for a selector whose scope contains none. */
export function nearestCandidates(workspace: Workspace, owner: ObjectInFile, site: SelectorSite): readonly Candidate[] {
  const uris = [...workspace.files.keys()].filter((uri) => uri !== everyCluster);
  const files = inOrderOf(uris, rankFrom(owner.file.uri)).slice(0, mostFilesReached);
  return nearestFirst(neighbours(workspace, files, targetsOf(workspace, site)), placeOf(owner));
}

/** The nearest files of each large scope. Only the result for the most recent file is cached, because users usually edit one file for a while. */
const nearest = new WeakMap<ReadonlySet<string>, { readonly from: string; readonly files: readonly string[] }>();

function nearestFiles(around: ReadonlySet<string>, from: string): readonly string[] {
  const known = nearest.get(around);
  if (known?.from === from) return known.files;
  const files = inOrderOf(around, rankFrom(from)).slice(0, mostFilesReached);
  nearest.set(around, { from, files });
  return files;
}
