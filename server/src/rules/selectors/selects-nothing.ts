/** Reports selectors that match nothing in their scope. */

import { evaluate, explain, isUnknown, type Requirement, type Selector, satisfiable } from '../../engine/index.ts';
import { once } from '../../engine/memoize.ts';
import { podPart } from '../../manifests/label-sets.ts';
import type { ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import { matchedBeforeTracking } from '../../workspace/gitops/overwritten-labels.ts';
import { matchesRelease } from '../../workspace/gitops/releases.ts';
import { kindKey } from '../../workspace/index/file-outline.ts';
import { buildsSelected, changedMatch } from '../../workspace/kustomize/built-elsewhere.ts';
import type { LabeledObjectInFile, ObjectInFile, Workspace } from '../../workspace/model.ts';
import { mayMutateLabels } from '../../workspace/mutations.ts';
import {
  isInClosedCluster,
  isInClosedScope,
  isInKnownCluster,
  namingScopesOf,
} from '../../workspace/references/closed-scope.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { type CandidatesAround, candidatesAround } from '../../workspace/selection/candidates-around.ts';
import {
  candidatesInCluster,
  missesAllInCluster,
  namespacesInCluster,
  withOthers,
} from '../../workspace/selection/cluster-candidates.ts';
import { selectsInOwnNamespace } from '../../workspace/selection/own-namespace.ts';
import { isSubset } from '../../workspace/selection/subset-answers.ts';
import { isIn } from '../../workspace/snapshot.ts';
import { entryOf, isPositive } from '../fixes/fit-selector.ts';
import { failedSite, fixNearMiss } from '../fixes/fix-near-miss.ts';
import { type Fact, type Fix, type RuleContext, rule, type Severity } from '../framework/rule.ts';
import { isSetByController } from '../helpers/controller-keys.ts';
import { basketDeployment } from '../helpers/example-manifests.ts';
import { annotatedInstead, serviceOfPods, underOtherKey } from '../helpers/labels-elsewhere.ts';
import { mustMatch } from '../helpers/must-match.ts';
import { namesakeOf } from '../helpers/namesake.ts';
import { type NearCommand, nearCommandOf } from '../helpers/near-command.ts';
import { missedName, type NearMiss, nearMissOf } from '../helpers/near-miss.ts';
import { homeOfNamesake, type NearNamespace, nearHome, nearNamespaces } from '../helpers/near-namespace.ts';
import { isRelabelled } from '../helpers/relabeled.ts';
import { selectsOthers } from '../helpers/selects-others.ts';
import { shorten } from '../helpers/sentences.ts';
import { mentionsWord, uniqueNearMiss } from '../helpers/unique-near-miss.ts';

type Known = Selector & { readonly kind: 'all' };

interface Lonely extends Fact {
  readonly site: SelectorSite;
  /** For a command, the value that no object has. */
  readonly command?: NearCommand;
  /** For a namespace without objects, its name and the intended name. */
  readonly namespace?: NearNamespace;
  readonly selector: Known;
  readonly near: readonly NearMiss[];
  /** Whether the objects of other scopes of the cluster were compared, too. */
  readonly isInCluster?: boolean;
}

export const selectsNothing = rule<Lonely>({
  id: 'selects-nothing',
  severity: 'hint',
  needs: 'selectors',
  acrossFiles: true,
  acrossScopes: true,
  asApplied: true,
  summary: 'A selector that matches no object in its scope.',
  why: 'Kubernetes accepts a selector that matches nothing: a Service then has no endpoints, and a policy or a budget applies to no pods. The cluster may contain other objects, so the finding is a hint, and is reported only if the scope is known completely. It is a warning if one misspelled word keeps the selector from matching an object in its scope and namespace, or if the labels are on a workload and not on its pod template. Nothing is reported about labels that an admission policy of Kubernetes, Kyverno or Gatekeeper in the workspace may set.',
  bad: [
    {
      title: 'A misspelled value.',
      text: `apiVersion: v1
kind: Service
metadata:
  name: basket
spec:
  selector:
    app: baskets
---
${basketDeployment}`,
    },
  ],
  good: [
    {
      title: 'A Service whose pods may come from other files or tools.',
      text: `apiVersion: v1
kind: Service
metadata:
  name: basket
spec:
  selector:
    app: basket
`,
    },
  ],
  *check(context) {
    const { file, workspace, catalogue } = context;
    for (const object of context.manifest.inline ?? []) yield* ofCommand(context, object);
    const seen = new Set<number>();
    for (const object of context.stored) {
      const where: ObjectInFile = { file, object };
      for (const site of object.selectorSites) {
        if (!seen.has(site.span.start) && !isRelabelled(context, object)) yield* misnamedIn(context, where, site);
        const selector = selectsOthers(site) ? readSelector(site) : undefined;
        if (selector === undefined || seen.has(site.span.start)) continue;
        if (isRelabelled(context, object)) break;
        seen.add(site.span.start);
        const { matches, maybe } = context.selectionOf(object, site);
        // After the limit of comparisons, selectors are skipped, and their matches are unknown.
        if (context.comparisons.isIncomplete) continue;
        // Other rules report unsatisfiable selectors and subsets.
        if (matches.length + maybe.length > 0 || !satisfiable(selector) || isSubset(where, site)) continue;
        const released = once(() => releasedFor(context, where, site, selector));
        const isClosed = once(() => {
          // The intended object may also come from a chart that a different scope installs in this namespace.
          return released() !== 'likely' && isInClosedScope(context, where, () => released() !== 'no');
        });
        const mayBeBuilt = () => buildsSelected(workspace, catalogue, where, site, selector) !== false;
        if (released() === 'yes' || mayMutateLabels(workspace, where, site, selector)) continue;
        // Another rule reports the label that Argo CD overwrites.
        if (matchedBeforeTracking(workspace, catalogue, site, selector)) continue;
        const around = candidatesAround(workspace, catalogue, where, site, context.comparisons);
        const home = misplaced(context, where, site, selector, around);
        if (home !== undefined) {
          yield home;
          break;
        }
        const isReleased = released() === 'likely';
        const here = uniqueMiss(context, where, site, selector, around, isClosed);
        const unique = here ?? missInCluster(context, where, site, selector, around, isReleased);
        // The pods of the release probably have the labels that Flux sets on its objects.
        if (isReleased && unique?.by === 'own labels') continue;
        if (unique !== undefined) {
          if (!(isOwnTemplate(where, site, unique) || mayBeBuilt()))
            yield { ...factOf(site, selector, [unique], 'warning'), isInCluster: here === undefined };
          continue;
        }
        const instead = intended(context, where, site, selector, around);
        // Searching all other scopes is the slowest condition, so it is tested last.
        if (
          instead !== undefined &&
          (isClosed() || (released() === 'no' && isNamingKnown(context, where, selector))) &&
          !isPartlyUnread(context, where) &&
          changedElsewhere(context, where, site, selector) !== undefined
        ) {
          if (!mayBeBuilt()) yield factOf(site, selector, [instead], 'warning');
        } else if (mustMatch(site) && !isOpen(site, selector) && isClosed()) {
          const misses = missesOf(context, where, site, selector, released);
          if (misses === undefined || mayBeBuilt()) continue;
          yield { ...factOf(site, selector, misses.near), isInCluster: misses.isInCluster };
        }
      }
    }
  },
  message({ near, selector, namespace, command, isInCluster }) {
    if (command !== undefined) {
      const { place, correction, count } = command;
      const [wanted, actual] = [shorten(correction.wanted), shorten(correction.actual)];
      const { key } = place.requirement;
      return count === 1
        ? localize`No object has ${key}=${wanted}. Closest: ${key}=${actual}, which one object has.`
        : localize`No object has ${key}=${wanted}. Closest: ${key}=${actual}, which ${count} objects have.`;
    }
    if (namespace !== undefined) {
      const [wanted, actual] = [shorten(namespace.wanted.text), shorten(namespace.actual)];
      if (namespace.isAlone)
        return localize`Nothing else in the workspace is in namespace '${wanted}'; the selector matches objects in '${actual}'.`;
      return localize`Nothing else in this scope is in namespace '${wanted}'. Closest: namespace '${actual}'.`;
    }
    const [first, ...others] = near;
    if (first === undefined)
      return isInCluster
        ? localize`This selector matches no object in its cluster.`
        : localize`This selector matches no object in its scope.`;
    const more = others.length === 0 ? '' : localize` and ${others.length} more`;
    const closest = localize`Closest: ${missedName(first.miss)}${more} (${whyMissed(first, selector)}).`;
    return isInCluster
      ? localize`This selector matches no object in its cluster. ${closest}`
      : localize`This selector matches no object in its scope. ${closest}`;
  },
  fixes: ({ near, site, namespace }, context) =>
    namespace === undefined ? near.flatMap((each) => fixNearMiss(each, site, context)) : fixNamespace(namespace),
});

/** Yields findings for the selector of a command, which queries the cluster and is in no scope. */
function* ofCommand(context: RuleContext, object: ManifestObject): Iterable<Lonely> {
  const [site] = object.selectorSites;
  if (context.comparisons.leaveOut()) return;
  const command = site && selectsOthers(site) ? nearCommandOf(context, object) : undefined;
  if (site === undefined || command === undefined) return;
  yield { span: command.place.value, severity: 'warning', site, selector: nothing, near: [], command };
}

function* misnamedIn(context: RuleContext, where: ObjectInFile, site: SelectorSite): Iterable<Lonely> {
  if (site.state === 'ignored' || isPartlyUnread(context, where)) return;
  for (const namespace of nearNamespaces(context, where, site)) yield misnamed(namespace, site);
}

/** Yields a finding if the object itself is in a misspelled namespace and its selector has matches in the intended namespace. */
function misplaced(
  { workspace, catalogue }: RuleContext,
  where: ObjectInFile,
  site: SelectorSite,
  selector: Known,
  around: CandidatesAround,
): Lonely | undefined {
  const own = where.object.namespace;
  if (own === undefined) return undefined;
  const outside = around.matching(selector).flatMap(({ candidate, place }) => {
    const { namespace } = candidate.where.object;
    return typeof namespace?.value === 'string' && place().answer === 'no' ? [namespace.value] : [];
  });
  if (own.origin === undefined && selectsInOwnNamespace(where.object, site))
    outside.push(...namespacesInCluster(workspace, catalogue, where, site, selector));
  if (outside.length === 0) return undefined;
  const namespace =
    nearHome(workspace, where, outside) ??
    (isMain(site) ? homeOfNamesake(workspace, where, outside, around) : undefined);
  return namespace && misnamed(namespace, site);
}

function misnamed(namespace: NearNamespace, site: SelectorSite): Lonely {
  const { wanted, actual, at } = namespace;
  const related =
    at === undefined ? [] : [{ ...at, message: localize`Namespace '${shorten(actual)}' is defined here.` }];
  return { span: wanted.span, severity: 'warning', site, selector: nothing, near: [], namespace, related };
}

const nothing: Known = { kind: 'all', requirements: [] };

function fixNamespace({ wanted, actual }: NearNamespace): readonly Fix[] {
  if (wanted.origin !== undefined) return [];
  return [
    {
      title: localize`Change the namespace to '${shorten(actual)}'`,
      edits: [replaceScalar(wanted, actual)],
      preferred: true,
    },
  ];
}

/** Determines whether the selector may match objects that a chart creates and that are in no file. */
function releasedFor({ workspace }: RuleContext, where: ObjectInFile, site: SelectorSite, selector: Known) {
  const place = placeOf(where);
  const own = where.object.namespace?.value ?? workspace.scopes().namespaceOf(place);
  const namespace = typeof own === 'string' && selectsInOwnNamespace(where.object, site) ? own : undefined;
  return matchesRelease(workspace, selector, { place, namespace });
}

/** Returns the object for which a selector was certainly intended, although several labels may differ. */
function intended(
  context: RuleContext,
  where: ObjectInFile,
  site: SelectorSite,
  selector: Known,
  around: CandidatesAround,
): NearMiss | undefined {
  const found =
    serviceOfPods(context.workspace, where, selector, around) ??
    annotatedInstead(selector, around) ??
    underOtherKey(selector, around);
  if (found !== undefined || !isMain(site) || isOpen(site, selector)) return found;
  return isInKnownCluster(context, where) ? namesakeOf(where, selector, around) : undefined;
}

/** Whether all objects with the name of the object or with a required value as their name are known. */
function isNamingKnown(context: RuleContext, where: ObjectInFile, { requirements }: Known): boolean {
  const values = [where.object.name?.value, ...requirements.flatMap((each) => each.values)];
  const names = values.filter((each) => typeof each === 'string');
  const count = context.workspace.scopes().of(placeOf(where)).length;
  return count > 0 && namingScopesOf(context, where, names).length === count;
}

/** Whether the selector determines what its object is for, unlike the peers of a policy, which are other objects. */
function isMain(site: SelectorSite): boolean {
  return mustMatch(site) && site.fact.reach === 'own' && !site.path.includes('[');
}

function isPartlyUnread({ workspace }: RuleContext, where: ObjectInFile): boolean {
  const scopes = workspace.scopes().of(placeOf(where));
  return scopes.some(({ unread }) => unread);
}

/** Returns the parsed selector; undefined if it is invalid or requires a key that controllers set. */
function readSelector(site: SelectorSite): Known | undefined {
  if (site.selector?.ok !== true) return undefined;
  const selector = site.selector.value;
  if (selector.kind !== 'all') return undefined;
  return selector.requirements.some(({ key }) => isSetByController(key)) ? undefined : selector;
}

function isOpen(site: SelectorSite, selector: Known): boolean {
  return site.open || selector.open === true;
}

/** Returns the only object that may be intended, unless an object in another scope matches. */
function uniqueMiss(
  context: RuleContext,
  where: ObjectInFile,
  site: SelectorSite,
  selector: Known,
  around: CandidatesAround,
  isClosed: () => boolean,
): NearMiss | undefined {
  if (isPartlyUnread(context, where)) return undefined;
  const unique = uniqueNearMiss(context, where, site, selector, around, isClosed);
  if (unique === undefined) return undefined;
  return changedElsewhere(context, where, site, selector) && unique;
}

/** Returns the only object of the cluster that may be intended, unless an object in the workspace has the required label. */
function missInCluster(
  context: RuleContext,
  where: ObjectInFile,
  site: SelectorSite,
  selector: Known,
  around: CandidatesAround,
  isReleased: boolean,
): NearMiss | undefined {
  const { workspace, catalogue } = context;
  const others = candidatesInCluster(workspace, catalogue, where, site, selector);
  if (others.length === 0) return undefined;
  const unique = uniqueMiss(context, where, site, selector, withOthers(around, others), () => false);
  const { correction, failed = [] } = unique ?? {};
  if (unique === undefined || correction === undefined) return unique;
  // Otherwise, the word may be the name of an application outside of the files.
  const isMisspelled = () =>
    !isReleased && !mentionsWord(where.object, correction.wanted, site) && isInKnownCluster(context, where);
  if (correction.likeness !== 'evident' && !isMisspelled()) return undefined;
  const isLabel = ({ key, values }: Requirement) =>
    values.some((value) => typeof value === 'string' && workspace.carrying(key, value).length > 0);
  return failed.some(isLabel) ? undefined : unique;
}

/** Returns the matches in other scopes that GitOps objects change so that the selector does not match them; undefined if it may match an object of another scope. */
function changedElsewhere(
  context: RuleContext,
  where: ObjectInFile,
  site: SelectorSite,
  selector: Known,
): readonly LabeledObjectInFile[] | undefined {
  const { workspace, catalogue } = context;
  const selection = context.selectionOf(where.object, site);
  const changed: LabeledObjectInFile[] = [];
  for (const match of selection.mayMatchOthers ? selection.elsewhere : []) {
    const versions = changedMatch(workspace, catalogue, where, site, selector, match);
    if (versions === undefined) return undefined;
    changed.push(...versions);
  }
  return changed;
}

/** Whether a different rule reports the mismatch, because the selector of a constraint misses the template of its own object. An affinity, however, selects other pods. */
function isOwnTemplate({ object }: ObjectInFile, site: SelectorSite, { miss }: NearMiss): boolean {
  const { role } = site.fact;
  return miss.object === object && role !== undefined && role !== 'volumeClaim';
}

/** Whether everything except the failed requirements is certain. Equal template expressions on both sides match. */
function isCertain(selector: Known, { miss, failed }: NearMiss): boolean {
  const others = selector.requirements.filter((each) => !failed.includes(each));
  return evaluate({ kind: 'all', requirements: others }, miss.labeledObject) === 'yes';
}

/** The closest objects, which belong to other GitOps objects in the cluster if `isInCluster` is true. */
interface Misses {
  readonly near: readonly NearMiss[];
  readonly isInCluster: boolean;
}

/** Returns the near misses of a selector that matches nothing; undefined if an object matches or may match. */
function missesOf(
  context: RuleContext,
  where: ObjectInFile,
  site: SelectorSite,
  selector: Known,
  released: () => ReturnType<typeof matchesRelease>,
): Misses | undefined {
  const { workspace, catalogue } = context;
  const selection = context.selectionOf(where.object, site);
  // All other matches are found only if GitOps objects may change every one of them, because there may be thousands.
  const isOwn = selectsInOwnNamespace(where.object, site);
  if (workspace.appliedBy?.gitops === undefined && (selection.mayMatchOthers || !selection.hasCompany || !isOwn))
    return undefined;
  const changed = changedElsewhere(context, where, site, selector);
  if (changed === undefined) return undefined;
  const isUncertain = selection.mayMatchOthers && selection.uncertain;
  const isChanged = changed.length > 0 && !isUncertain;
  // The selector may be intended for objects that other GitOps objects apply, so all of these must be known.
  const isClusterClosed = () => released() === 'no' && isInClosedCluster(context, where);
  const isMissedByAll = once(
    () =>
      isClusterClosed() &&
      isUnknownWord(workspace, where, selector) &&
      missesAllInCluster(workspace, catalogue, where, site, selector),
  );
  const isForOthers = isUncertain || !selection.hasCompany || !isOwn;
  if (isChanged ? !isClusterClosed() : isForOthers && !isMissedByAll()) return undefined;
  const near = [...changed, ...selection.nearMisses].map((miss) => nearMissOf(selector, miss));
  const inScope = { near, isInCluster: false };
  // A kustomization may set the namespace of all of its objects.
  const isBuilt = isIn(workspace, placeOf(where), 'kustomization');
  if (isBuilt && near.some(({ by }) => by === 'place')) return undefined;
  const isKnown = !selector.requirements.some(({ values }) => values.some((value) => isUnknown(value)));
  if (!isKnown) return near.length > 0 && near.every((each) => isCertain(selector, each)) ? inScope : undefined;
  if (near.length > 0) return inScope;
  const isKnownCluster = workspace.appliedBy?.gitops !== undefined && isMissedByAll();
  const others = isKnownCluster ? candidatesInCluster(workspace, catalogue, where, site, selector) : [];
  const almost = others.map(({ candidate }) => nearMissOf(selector, candidate)).filter(({ by }) => by === 'letters');
  if (almost.length > 0) return { near: almost, isInCluster: true };
  // If no object has one of the required keys, an operator probably sets this key.
  if (areOnObjects(workspace, site, selector)) return inScope;
  const isApplied = ({ key }: Requirement) =>
    others.some(({ candidate }) => Object.hasOwn(candidate.labelSet.labels, key));
  return selector.requirements.every(isApplied) ? { near: [], isInCluster: true } : undefined;
}

/** Whether no object has one of the required labels, which is not the name of the application of the selector either. */
function isUnknownWord(workspace: Workspace, { object }: ObjectInFile, { requirements }: Known): boolean {
  const isUnknownLabel = (key: string, value: string) =>
    workspace.carrying(key, value).length === 0 && !mentionsWord(object, value);
  return requirements.some(
    ({ key, values, operator }) =>
      isPositive(operator) && values.every((value) => typeof value === 'string' && isUnknownLabel(key, value)),
  );
}

function areOnObjects(workspace: Workspace, { fact }: SelectorSite, { requirements }: Known): boolean {
  const targets = fact.targets.map(kindKey);
  return requirements.every(({ key }) => targets.some((target) => workspace.hasKey(target, key)));
}

function factOf(site: SelectorSite, selector: Known, near: readonly NearMiss[], severity?: Severity): Lonely {
  const [first, ...others] = near;
  const place = first === undefined ? undefined : failedSite(first, site);
  const isValue = place !== undefined && first?.miss.labeledObject.labels[place.requirement.key] !== undefined;
  const span = place === undefined || others.length > 0 ? site.keySpan : isValue ? place.value : place.key;
  return {
    span,
    site,
    selector,
    near,
    related: near.map((each) => ({
      file: each.miss.file,
      span: spanOf(each),
      message: localize`Near miss: ${missedName(each.miss)}.`,
    })),
    keys: near.length > 0 ? near.flatMap(({ failed }) => failed.map(({ key }) => key)) : keysOf(selector),
    ...(severity && { severity }),
  };
}

function failedKeys({ labeledObject }: NearMiss['miss'], { requirements }: Known): string {
  return requirements.flatMap(({ key }) => (Object.hasOwn(labeledObject.labels, key) ? [] : [shorten(key)])).join(', ');
}

function keysOf({ requirements }: Known): readonly string[] {
  return requirements.map(({ key }) => key);
}

/** Returns the span of the label that differs, or else of the labels, or else of the name of the missed object. */
function spanOf({ miss, failed }: NearMiss): Span {
  const site = miss.labeledObject.site;
  const entry = failed.length === 1 ? entryOf(site?.entries ?? [], failed[0]?.key ?? '') : undefined;
  return entry?.value.span ?? site?.keySpan ?? miss.object.name?.span ?? miss.object.kindSpan;
}

/** Whether the pods of an object use the network of their node, so that they are no endpoints of network plugins. */
function isOnNode({ object, labeledObject }: NearMiss['miss']): boolean {
  return podPart(object, labeledObject)?.fieldValues?.['spec.hostNetwork'] === 'true';
}

function whyMissed({ by, miss, failed: [only, ...others], correction }: NearMiss, selector: Known): string {
  if (by === 'own labels') return localize`the labels are on the object itself, not in \`${miss.labeledObject.via}\``;
  if (by === 'place')
    return isOnNode(miss) ? localize`its pods use the network of their node` : localize`in another namespace`;
  if (by === 'annotations') return localize`has ${failedKeys(miss, selector)} as an annotation, not as a label`;
  if (by === 'pods') return localize`the pods behind it have the labels, but the Service does not`;
  if (only === undefined || others.length > 0) return localize`more than one label differs`;
  const [wanted] = only.values;
  const actual = Object.hasOwn(miss.labeledObject.labels, only.key) ? miss.labeledObject.labels[only.key] : undefined;
  if (correction?.of === 'key')
    return localize`has label ${shorten(correction.actual)}, but the selector wants ${shorten(only.key)}`;
  if (
    only.values.length === 1 &&
    typeof wanted === 'string' &&
    typeof actual === 'string' &&
    isPositive(only.operator)
  ) {
    return localize`has ${only.key}=${shorten(actual)}, but the selector wants ${only.key}=${shorten(wanted)}`;
  }
  const [failed] = explain(selector, miss.labeledObject).filter(({ answer }) => answer === 'no');
  return failed?.reason ?? localize`a label differs`;
}
