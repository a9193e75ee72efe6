/** Reports workloads that are applied together if the selector of one matches the pods of another, or pods without an owner. */

import { evaluate, isLabelValue, type LabelSet, type Requirement } from '../../engine/index.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { LabeledObject, SelectorSite } from '../../manifests/model.ts';
import { nameSpan } from '../../manifests/sites/object-sites.ts';
import { childOf, knownTextOf } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import type { GitopsScope } from '../../workspace/gitops/defined-scopes.ts';
import type { LabeledObjectInFile, ObjectInFile } from '../../workspace/model.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import { identityOf } from '../../workspace/scopes/scope-facts.ts';
import { certainMatchesBeside } from '../../workspace/selection/cluster-overlaps.ts';
import { reaches } from '../../workspace/selection/namespaces.ts';
import {
  adopts,
  claimsPods,
  controllerSelector,
  requiredLabels,
} from '../../workspace/selection/overlapping-selectors.ts';
import { addRequirement } from '../fixes/fix-selector.ts';
import { type Fact, type Fix, maximumRelated, type RuleContext, rule } from '../framework/rule.ts';
import { isSurelyApplied } from '../helpers/certain-cluster.ts';
import { areBesideEachOther, areTogether, isConditional } from '../helpers/co-applied.ts';
import { isSetByController } from '../helpers/controller-keys.ts';
import { templateOf } from '../helpers/pod-template.ts';
import { isRelabelled } from '../helpers/relabeled.ts';
import { keysInSelectors } from '../helpers/selector-keys.ts';
import { shorten } from '../helpers/sentences.ts';
import { changesWithReleases } from '../helpers/unstable-keys.ts';

/** `mutual`: the selector of each workload matches the pods of both. `oneSided`: only the reported selector matches the pods of both. `adopted`: the selector matches a pod without an owner. */
type Relation = 'mutual' | 'oneSided' | 'adopted';

interface Rival extends ObjectInFile {
  readonly relation: Relation;
  /**
   * Labels of pods that both selectors match; each of these labels is required by at least one of the selectors:
   * `app=redis`.
   */
  readonly witness: string;
  /** The labels of the pods that the competing workload creates. */
  readonly labels: LabelSet;
  /** Whether both workloads are certainly applied together. */
  readonly certain: boolean;
}

interface Overlapping extends Fact {
  readonly rivals: readonly [Rival, ...Rival[]];
  readonly where: ObjectInFile;
  readonly site: SelectorSite;
}

export const overlappingControllers = rule<Overlapping>({
  id: 'overlapping-controllers',
  severity: 'warning',
  needs: 'selectors',
  acrossFiles: true,
  acrossScopes: true,
  asApplied: true,
  summary: 'A workload whose selector matches the pods of another workload, or pods without an owner.',
  why: "A controller manages the pods that its selector matches, so the selectors of controllers must not overlap within a namespace. If two controllers match each other's pods, tools that use these selectors may count, show the logs of, or delete the wrong pods. A ReplicaSet, ReplicationController or DaemonSet also adopts matching pods that no controller owns, and deletes surplus pods; a StatefulSet adopts only pods whose names it would also create (`db-0`, `db-1`). If only one of the two selectors matches the pods of the other workload, the rule reports only ReplicaSets, ReplicationControllers, DaemonSets and Jobs with a selector, because they adopt pods that lose their owner; a Deployment or StatefulSet does not. The severity of such a finding is `information`, and also if the workload has `replicas: 0`. Workloads that different GitOps objects, such as Flux Kustomizations, certainly apply to the same cluster are also compared if their namespaces are known.",
  bad: [
    {
      title: 'Two workloads that differ in their labels, but not in their selectors.',
      text: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: cache-leader
spec:
  selector:
    matchLabels:
      app: cache
  template:
    metadata:
      labels:
        app: cache
        role: leader
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: cache-follower
spec:
  selector:
    matchLabels:
      app: cache
  template:
    metadata:
      labels:
        app: cache
        role: follower
`,
    },
  ],
  good: [
    {
      title: 'A selector that matches only its own pods.',
      text: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: cache-leader
spec:
  selector:
    matchLabels:
      app: cache
      role: leader
  template:
    metadata:
      labels:
        app: cache
        role: leader
`,
    },
  ],
  *check(context) {
    const { file } = context;
    for (const object of context.stored) {
      if (isConditional(context, object)) continue;
      const where = { file, object };
      for (const site of object.selectorSites) {
        if (controllerSelector(site) === undefined || isRelabelled(context, object)) continue;
        const related = relatedTo(context, where, site);
        const mutual = related.filter(({ relation }) => relation === 'mutual');
        const certain = mutual.filter((rival) => rival.certain);
        // If it is uncertain whether workloads are applied together, a pair is reported only if it is the only one;
        // more than two such workloads are usually samples.
        yield* factsOf(context, where, site, certain.length > 0 || mutual.length > 1 ? certain : mutual);
        for (const wanted of ['oneSided', 'adopted'])
          yield* factsOf(
            context,
            where,
            site,
            related.filter((rival) => rival.relation === wanted && rival.certain),
          );
      }
    }
  },
  message({ rivals: [first, ...others], where }) {
    const rest = others.length === 0 ? '' : localize` and ${others.length} more`;
    const name = `${nameOrPrefixOf(first.object)}${rest}`;
    const witness = shorten(first.witness);
    switch (first.relation) {
      case 'mutual': {
        const selector = others.length === 0 ? localize`the selector` : localize`the selectors`;
        const match = witness === '' ? '' : localize`: both match '${witness}'`;
        return localize`This selector and ${selector} of ${name} match each other's pods${match}.`;
      }
      case 'oneSided':
        return localize`This selector also matches the pods of ${name} ('${witness}'); ${nameOrPrefixOf(where.object)} adopts pods that lose their owner.`;
      case 'adopted': {
        const them = others.length === 0 ? 'it' : 'them';
        return localize`${nameOrPrefixOf(where.object)} adopts ${name}, which match${others.length === 0 ? 'es' : ''} '${witness}', and deletes ${them} if there are too many pods.`;
      }
    }
  },
  fixes,
});

function* factsOf(
  context: RuleContext,
  where: ObjectInFile,
  site: SelectorSite,
  rivals: readonly Rival[],
): Iterable<Overlapping> {
  const [first, ...others] = rivals;
  if (first === undefined) return;
  const related = rivals.slice(0, maximumRelated).map(({ file, object }) => ({
    file,
    span: nameSpan(object),
    message: localize`${nameOrPrefixOf(object)} is defined here.`,
  }));
  const isNote = !first.certain || first.relation === 'oneSided' || hasNoReplicas(context, where.object);
  const severity = isNote ? ({ severity: 'information' } as const) : {};
  const keys = [where, ...rivals].flatMap(({ object }) => keysInSelectors(object));
  yield { span: site.keySpan, rivals: [first, ...others], where, site, related, keys, ...severity };
}

/** Whether a workload is turned off, for example because another workload replaces it. */
function hasNoReplicas(context: RuleContext, object: ObjectInFile['object']): boolean {
  return knownTextOf(childOf(childOf(treeOf(context, object), 'spec'), 'replicas')) === '0';
}

/** Returns the workloads applied with this one whose pods it selects, and the pods that it adopts. If two workloads in one file select each other's pods, only the earlier one is returned. */
function relatedTo(context: RuleContext, where: ObjectInFile, site: SelectorSite): readonly Rival[] {
  const identity = identityOf(where.object);
  const own = templateOf(where.object, site);
  const labeledObject = labeledObjectsOf(where.object).find(
    ({ via }) => via !== undefined && via === own?.template.path,
  );
  const isNamed = identity !== undefined || isGenerated(where.object);
  if (!isNamed || own === undefined || labeledObject === undefined || controllerSelector(site) === undefined) return [];
  const { matches } = context.selectionOf(where.object, site);
  context.comparisons.add(matches.length);
  const isOther = ({ object }: ObjectInFile) => {
    const other = identityOf(object);
    return object !== where.object && (other === undefined ? isGenerated(object) : other !== identity);
  };
  const workload = { where, site, labels: own.labels, labeledObject };
  const here = matches.filter(isOther).flatMap((match): readonly Rival[] => {
    const { workspace } = context;
    const together = areTogether(workspace, where, match);
    if (!match.isMade) return together ? adopted(where, site, match) : [];
    const beside = together ? 'yes' : areBesideEachOther(workspace, where, match);
    // A StatefulSet next to a Deployment is often an alternative way to run the same pods.
    if (beside === 'no' || (beside === 'maybe' && match.object.kind !== where.object.kind)) return [];
    const isReached = (their: SelectorSite) =>
      reaches(workspace, context.catalogue, match, their, where).answer === 'yes';
    return rivalsMaking(workload, match, isReached).map((rival) => ({ ...rival, certain: beside === 'yes' }));
  });
  return [...here, ...inCluster(context, workload).filter(isOther)];
}

/** Returns the workloads and pods that other GitOps objects certainly apply to the cluster of a workload. */
function inCluster(context: RuleContext, workload: Workload): readonly Rival[] {
  const { workspace, catalogue, comparisons } = context;
  const { where, site } = workload;
  const { appliedBy, written } = workspace;
  if (appliedBy?.gitops === undefined || written === undefined || comparisons.leaveOut()) return [];
  const isSure = (scope: GitopsScope) => isSurelyApplied({ workspace: written, catalogue }, scope);
  const found = [...certainMatchesBeside(workspace, catalogue, where, site, isSure)];
  comparisons.add(found.length);
  return found.flatMap((match): readonly Rival[] => {
    if (match.labeledObject.via === undefined) return adopted(where, site, match);
    return rivalsMaking(workload, match, () => true).map((rival) => ({ ...rival, certain: true }));
  });
}

interface Workload {
  readonly where: ObjectInFile;
  readonly site: SelectorSite;
  readonly labels: LabelSet;
  readonly labeledObject: LabeledObject;
}

/** Returns the workload that creates the pods of a match, with each of its known selectors that `isReached` accepts because it applies to the namespace of the other workload. */
function rivalsMaking(
  { where, site, labels, labeledObject }: Workload,
  { file, object, labeledObject: { via } }: LabeledObjectInFile,
  isReached: (their: SelectorSite) => boolean,
): readonly Omit<Rival, 'certain'>[] {
  const asked = controllerSelector(site)?.requirements ?? [];
  return object.selectorSites.flatMap((their): readonly Omit<Rival, 'certain'>[] => {
    const selector = controllerSelector(their);
    const theirs = templateOf(object, their);
    if (selector === undefined || theirs === undefined || theirs.template.path !== via || !isReached(their)) return [];
    const relation = evaluate(selector, labeledObject) === 'yes' ? 'mutual' : 'oneSided';
    const isLater = file.uri === where.file.uri && object.span.start >= where.object.span.start;
    if (relation === 'mutual' ? isLater : !claimsPods(where.object, site)) return [];
    const shown = relation === 'mutual' ? labels : theirs.labels;
    const witness = requiredLabels(shown, [...asked, ...selector.requirements]);
    return [{ relation, file, object, witness, labels: theirs.labels }];
  });
}

/** Returns a matching pod without an owner, if the workload adopts it. */
function adopted(where: ObjectInFile, site: SelectorSite, match: LabeledObjectInFile): readonly Rival[] {
  const { file, object, labeledObject } = match;
  if (!adopts(where.object, site, object)) return [];
  const witness = requiredLabels(labeledObject, controllerSelector(site)?.requirements ?? []);
  return [{ relation: 'adopted', file, object, witness, labels: labeledObject, certain: true }];
}

/** Whether the API server generates the name, so that every such object has a different identity. */
function isGenerated({ name, generateName }: ObjectInFile['object']): boolean {
  return name === undefined && typeof generateName?.value === 'string' && generateName.value !== '';
}

/** Returns fixes that add labels to the selector: labels that are in the workload's own template but in no template of a competing workload. */
function fixes({ where, site, rivals }: Overlapping, { text }: RuleContext): readonly Fix[] {
  if (site.state !== 'present') return [];
  const own = templateOf(where.object, site)?.template.labels?.entries ?? [];
  const distinguishing = own.filter(({ key, value, conditional }) => {
    if (typeof key.value !== 'string' || typeof value.value !== 'string' || value.type !== 'string') return false;
    if (conditional || !isLabelValue(value.text) || isSetByController(key.text) || changesWithReleases(key.text))
      return false;
    const requirement: Requirement = { key: key.text, operator: '=', values: [value.text] };
    return rivals.every(({ labels }) => {
      const theirs = labels.labels[key.text];
      // An invalid value will be corrected, possibly to the same value.
      if (typeof theirs === 'string' && !isLabelValue(theirs)) return false;
      return evaluate({ kind: 'all', requirements: [requirement] }, labels) === 'no';
    });
  });
  return distinguishing.slice(0, 3).flatMap(({ key, value }, index): readonly Fix[] => {
    const edit = addRequirement(text, site, key.text, value.text);
    if (edit === undefined) return [];
    return [
      {
        title: localize`Add '${shorten(`${key.text}: ${value.text}`)}' to the selector`,
        edits: [edit],
        preferred: index === 0,
      },
    ];
  });
}

function nameOrPrefixOf({ kind, name, generateName }: ObjectInFile['object']): string {
  return `${kind}/${shorten(name?.text ?? `${generateName?.text ?? ''}*`)}`;
}
