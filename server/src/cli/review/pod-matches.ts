/** Evaluates selectors of pods for states that neither tree contains: after an update that the API server partly rejects. */

import { type Answer, evaluate, type LabelSet } from '../../engine/index.ts';
import { once } from '../../engine/memoize.ts';
import type { LabelSite } from '../../manifests/model.ts';
import { effectiveSelector } from '../../workspace/selection/effective-selector.ts';
import type { AppliedObject } from '../objects/applied-objects.ts';
import type { Change } from '../objects/compare.ts';
import { keyOf, type Named, shownName, whereIs } from '../objects/compared-names.ts';
import type { Pair } from './pairs-of-trees.ts';

/** Returns the selectors of the pods of an object in its own namespace: that of a Service or a budget, or of a network policy. */
export function podSelectorsOf({ object }: AppliedObject) {
  const own = object.kind === 'NetworkPolicy' ? 'spec.podSelector' : 'spec.selector';
  return object.selectorSites.filter(({ path }) => path === own);
}

/** Whether a selector of an object matches pods of a workload; *maybe* if it is unknown. */
export function selectsPods(owner: AppliedObject, workload: AppliedObject): Answer {
  const sets = podLabels(workload);
  const answers = podSelectorsOf(owner).flatMap((site) => {
    const selector = site.open ? undefined : effectiveSelector(site);
    return selector === undefined ? ['maybe' as const] : sets.map((set) => evaluate(selector, set));
  });
  return answers.includes('yes') ? 'yes' : answers.includes('maybe') ? 'maybe' : 'no';
}

function podLabels({ object }: AppliedObject): readonly LabelSet[] {
  const { group, kind } = object;
  if (group === '' && kind === 'Pod')
    return [labelSetOf(object.labelSites.find(({ path }) => path === 'metadata.labels'))];
  return object.templates.map(({ labels }) => labelSetOf(labels));
}

function labelSetOf(site: LabelSite | undefined): LabelSet {
  const entries = site?.entries ?? [];
  const isOpen = site?.open === true || entries.some(({ conditional }) => conditional);
  return { labels: Object.fromEntries(entries.map(({ key, value }) => [key.text, value.value])), open: isOpen };
}

/** Whether a Service certainly selects no pods of any workload, where the workloads in `rejected` keep their old state. */
export function hasNoPods(
  { named, after }: Pair,
  pairs: Iterable<Pair>,
  isRejected: (pair: Pair) => boolean = () => false,
): boolean {
  if (after === undefined || named.group !== '' || named.kind !== 'Service') return false;
  for (const pair of pairs) {
    const workload = isRejected(pair) ? pair.before : pair.after;
    if (workload !== undefined && areBeside(named, pair.named) && selectsPods(after, workload) !== 'no') return false;
  }
  return true;
}

/** Returns a function that finds the names of the Services and budgets that certainly select pods of a workload in the new state. */
export function servicesOf(pairs: ReadonlyMap<string, Pair>): (workload: Named) => readonly string[] {
  return (workload) => {
    const after = pairs.get(keyOf(workload))?.after;
    if (after === undefined) return [];
    return [...pairs.values()].flatMap(({ named, after: selecting }) =>
      selecting !== undefined &&
      (named.kind === 'Service' || named.kind === 'PodDisruptionBudget') &&
      (named.group === '' || named.group === 'policy') &&
      areBeside(named, workload) &&
      selectsPods(selecting, after) === 'yes'
        ? [shownName(named, true)]
        : [],
    );
  };
}

/** Returns the pods of a workload, or those that a Service certainly selects in the new state, named as in connections; undefined if they are uncertain. */
export function podsBehind(target: Named, pairs: ReadonlyMap<string, Pair>): readonly string[] | undefined {
  const nameOf = ({ namespace = '', kind, name }: Named) => `${namespace}/${kind}/${name}`;
  const service = pairs.get(keyOf(target))?.after;
  if (service === undefined || target.kind !== 'Service') return service && [nameOf(target)];
  const answers = [...pairs.values()].flatMap(({ named, after }) =>
    after !== undefined && areBeside(target, named) ? [{ named, answer: selectsPods(service, after) }] : [],
  );
  if (answers.some(({ answer }) => answer === 'maybe')) return undefined;
  return answers.flatMap(({ named, answer }) => (answer === 'yes' ? [nameOf(named)] : []));
}

/** Returns a function that finds the names of the workloads to which a removed network policy applied, and to which another one still applies. */
export function coveredBy(pairs: ReadonlyMap<string, Pair>): (changes: readonly Change[]) => readonly string[] {
  const policies = once(() => [...pairs.values()].filter(({ named: { kind } }) => kind === 'NetworkPolicy'));
  return (changes) => {
    const [covered, open] = [new Set<string>(), new Set<string>()];
    for (const { target } of changes) {
      const workload = target && pairs.get(keyOf(target))?.after;
      if (target === undefined || workload === undefined) continue;
      const isCovered = policies().some(
        ({ named, after }) => after !== undefined && areBeside(named, target) && selectsPods(after, workload) === 'yes',
      );
      (isCovered ? covered : open).add(shownName(target, true));
    }
    return [...covered].filter((name) => !open.has(name));
  };
}

/** Whether two objects are in one namespace and one scope. An absent scope may be any. */
export function areBeside(one: Named, other: Named): boolean {
  const [a, b] = [whereIs(one), whereIs(other)];
  return one.namespace === other.namespace && (a === undefined || b === undefined || a === b);
}
