/** Finds matches in alternatives to a file: objects that are not applied together with it, such as copies of its objects in other files, and what belongs to these copies. */

import { evaluate } from '../../engine/index.ts';
import type { Selector } from '../../engine/types.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { kindKey } from '../../workspace/index/file-outline.ts';
import { selectorWith } from '../../workspace/index/index-entries.ts';
import type { LabeledObjectInFile, ObjectInFile, SiteInFile } from '../../workspace/model.ts';
import { areVersions, isNamesake } from '../../workspace/same-object.ts';
import { everyCluster } from '../../workspace/scopes/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { alternativesOf } from '../../workspace/selection/effective-selector.ts';
import type { Match } from '../../workspace/selection/model.ts';
import { reaches } from '../../workspace/selection/namespaces.ts';
import { rankFrom } from '../../workspace/selection/nearness.ts';
import type { View } from '../view.ts';

/** The maximum number of results that are examined. */
const maximumExamined = 200;

/** Returns the selectors in alternatives that match an object, the nearest first. Selectors that match everything are omitted. */
export function selectingAlternatives(
  { workspace, catalogue }: View,
  candidate: LabeledObjectInFile,
  isMeant: (selector: Selector) => boolean = () => true,
): readonly SiteInFile[] {
  if (candidate.object.inline) return [];
  const { target, labels, open } = candidate.labeledObject;
  const place = placeOf(candidate);
  const found: SiteInFile[] = [];
  let left = maximumExamined;
  for (const { id, answer, selector } of workspace.selectingIds(kindKey(target), { labels, open })) {
    if (answer !== 'yes' || selector.kind === 'everything' || !isMeant(selector)) continue;
    if (left-- === 0) break;
    const selecting = selectorWith(workspace, id);
    if (selecting === undefined || selecting.object === candidate.object) continue;
    // A copy of the object selects its own pods, in whichever namespace.
    if (isNamesake(selecting.object, candidate.object)) continue;
    if (workspace.scopes().relation(placeOf(selecting), place, candidate) !== 'apart') continue;
    if (reaches(workspace, catalogue, selecting, selecting.site, candidate).answer !== 'no') found.push(selecting);
  }
  const rank = rankFrom(candidate.file.uri);
  return found.toSorted((a, b) => rank(a.file.uri) - rank(b.file.uri));
}

/** Returns the objects in alternatives that a selector matches, the nearest first. */
export function matchingAlternatives(
  { workspace, catalogue }: View,
  owner: ObjectInFile,
  site: SelectorSite,
): readonly Match[] {
  if (owner.object.inline) return [];
  const place = placeOf(owner);
  const found: Match[] = [];
  let left = maximumExamined;
  for (const selector of alternativesOf(site)) {
    if (selector.kind !== 'all') continue;
    for (const target of site.fact.targets) {
      for (const candidate of workspace.find(kindKey(target), selector, (_uri, _labels, answer) => answer === 'yes')) {
        if (left-- === 0) break;
        if (candidate.file.uri === everyCluster || evaluate(selector, candidate.labelSet) !== 'yes') continue;
        // Applied together, a version of the object replaces it.
        if (areVersions(candidate.object, owner.object)) continue;
        if (workspace.scopes().relation(place, placeOf(candidate.where), candidate) !== 'apart') continue;
        const { answer, reason } = reaches(workspace, catalogue, owner, site, candidate);
        if (answer !== 'no') found.push(candidate.because(reason === undefined ? [] : [reason]));
      }
    }
  }
  const rank = rankFrom(owner.file.uri);
  return found.toSorted((a, b) => rank(a.file.uri) - rank(b.file.uri));
}
