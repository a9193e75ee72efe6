/** Finds objects for which a selector was probably intended: their pods, instead of the objects, have the labels, they have annotations instead of labels, or they have another key for the name of the application. */

import { evaluate, evaluateRequirement, type LabelSet, type Requirement, type Selector } from '../../engine/index.ts';
import { knownLabels } from '../../manifests/sites/sites.ts';
import { kindKey } from '../../workspace/index/file-outline.ts';
import type { Candidate, ObjectInFile, Workspace } from '../../workspace/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import type { Among, CandidatesAround } from '../../workspace/selection/candidates-around.ts';
import { effectiveSelector } from '../../workspace/selection/effective-selector.ts';
import { isExcluded } from '../../workspace/selection/near-misses.ts';
import { isPositive } from '../fixes/fit-selector.ts';
import type { NearMiss } from './near-miss.ts';

const pods = kindKey({ group: '', kind: 'Pod' });
const service = kindKey({ group: '', kind: 'Service' });

/** Returns the Service that a selector of Services was probably intended for, if the required labels are on its pods and not on any Service. A monitor, for example, may use the labels of pods by mistake. Undefined if there is no such Service in the scope, or more than one. */
export function serviceOfPods(
  workspace: Workspace,
  where: ObjectInFile,
  selector: Selector,
  around: CandidatesAround,
): NearMiss | undefined {
  if (selector.kind !== 'all' || selector.requirements.length === 0) return undefined;
  // The index of labels excludes nearly all selectors, without a look at the candidates.
  const files = workspace.scopes().filesAround(placeOf(where));
  const matched = [...workspace.find(pods, selector, undefined, files)].filter(({ answer }) => answer === 'yes');
  if (matched.length === 0) return undefined;
  const isMissed = ({ id, labelSet }: Candidate) =>
    id.target === service && evaluate(selector, labelSet) === 'no' && !isExcluded(selector, labelSet);
  const [only, ...others] = around.filter(isMissed).filter(({ candidate, place }) => {
    if (place().answer === 'no') return false;
    const [site] = candidate.object.selectorSites;
    const ofService = site && effectiveSelector(site);
    if (ofService?.kind !== 'all' || ofService.requirements.length === 0) return false;
    const { namespace } = candidate.object;
    return matched.some(
      (pod) => pod.object.namespace?.text === namespace?.text && evaluate(ofService, pod.labelSet) === 'yes',
    );
  });
  if (only === undefined || others.length > 0) return undefined;
  const failed = selector.requirements.filter(
    (each) => evaluate({ kind: 'all', requirements: [each] }, only.candidate.labelSet) === 'no',
  );
  return { miss: only.candidate, by: 'pods', failed };
}

/** Returns the object in the scope that has the required labels of a selector as annotations instead of labels; undefined if there is no such object, or more than one. */
export function annotatedInstead(selector: Selector, around: CandidatesAround): NearMiss | undefined {
  if (selector.kind !== 'all') return undefined;
  const near = around.reached(maximumLookedAt).flatMap(({ candidate }): readonly NearMiss[] => {
    const failed = selector.requirements.filter((each) => evaluateRequirement(each, candidate.labelSet) === 'no');
    const path = candidate.labeledObject.via === undefined ? 'metadata' : `${candidate.labeledObject.via}.metadata`;
    const site = candidate.object.labelSites.find((each) => each.path === `${path}.annotations`);
    if (failed.length === 0 || site === undefined || site.open) return [];
    const annotations = knownLabels(site.entries, false);
    const isAnnotated = failed.every(
      ({ key, operator, values }) =>
        isPositive(operator) && values.some((value) => value !== '' && value === annotations.labels[key]),
    );
    return isAnnotated ? [{ miss: candidate, by: 'annotations', failed }] : [];
  });
  const [only, ...others] = near;
  return others.length === 0 ? only : undefined;
}

/** Returns the workload in the scope that has the required name of an application under another key, such as `app` instead of `app.kubernetes.io/name`; undefined if there is no such workload, or more than one. */
export function underOtherKey(selector: Selector, around: CandidatesAround): NearMiss | undefined {
  if (selector.kind !== 'all') return undefined;
  const wanted = selector.requirements.filter(
    ({ key, operator, values }) => nameKeys.has(key) && isPositive(operator) && values.length === 1,
  );
  const near = wanted.flatMap((requirement) => {
    const [value] = requirement.values;
    const nameKeyOf = ({ labels }: LabelSet) => [...nameKeys].find((key) => labels[key] === value);
    const isNamed = ({ isMade, labelSet }: Candidate) => {
      if (!isMade || labelSet.open || Object.hasOwn(labelSet.labels, requirement.key)) return false;
      const isMet = (each: Requirement) => each === requirement || evaluateRequirement(each, labelSet) === 'yes';
      return nameKeyOf(labelSet) !== undefined && selector.requirements.every(isMet);
    };
    const among: Among = (index) => [...nameKeys].flatMap((key) => index.having(key, `${value}`));
    const named = typeof value === 'string' ? around.filter(isNamed, among) : [];
    return named.flatMap(({ candidate, place }): readonly NearMiss[] => {
      const actual = nameKeyOf(candidate.labelSet);
      if (actual === undefined || place().answer !== 'yes') return [];
      const correction = { of: 'key', wanted: requirement.key, actual, likeness: 'possible' } as const;
      return [{ miss: candidate, by: 'letters', failed: [requirement], correction }];
    });
  });
  const [only, ...others] = near;
  return others.length === 0 ? only : undefined;
}

/** Keys that usually contain the name of an application. */
const nameKeys: ReadonlySet<string> = new Set(['app', 'name', 'k8s-app', 'app.kubernetes.io/name']);

/** The maximum number of candidate objects. With more candidates, too many files would have to be deserialized. */
const maximumLookedAt = 200;
