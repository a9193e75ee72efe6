/** Reports PodDisruptionBudgets that select the same pods. */

import { overlap } from '../../engine/index.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import type { GitopsScope } from '../../workspace/gitops/defined-scopes.ts';
import type { LabeledObjectInFile, ObjectInFile, SiteInFile } from '../../workspace/model.ts';
import { identityOf } from '../../workspace/scopes/scope-facts.ts';
import { isExclusiveSite, sharedInCluster } from '../../workspace/selection/cluster-overlaps.ts';
import { effectiveSelector } from '../../workspace/selection/effective-selector.ts';
import { selectingObjectsOf } from '../../workspace/selection/selecting-objects.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { isSurelyApplied } from '../helpers/certain-cluster.ts';
import { areTogether, isConditional } from '../helpers/co-applied.ts';
import { nameNote } from '../helpers/gitops-definitions.ts';
import { isRelabelled } from '../helpers/relabeled.ts';
import { keysInSelectors } from '../helpers/selector-keys.ts';
import { objectNameOf, shorten } from '../helpers/sentences.ts';

interface Overlapping extends Fact {
  readonly other: ObjectInFile;
  readonly pods: LabeledObjectInFile;
}

/** The maximum number of workloads of a budget that are compared. A workload that two budgets share is usually among the first. */
const maximumPods = 50;

/** The maximum number of other budgets per finding. */
const maximumOthers = 10;

export const overlappingDisruptionBudgets = rule<Overlapping>({
  id: 'overlapping-disruption-budgets',
  severity: 'warning',
  needs: 'selectors',
  acrossFiles: true,
  acrossScopes: true,
  asApplied: true,
  summary: 'Two PodDisruptionBudgets that select the same pods.',
  why: 'The eviction of a pod that two budgets select always fails with an error, so its node cannot be drained until the pod or one of the budgets is deleted. Budgets and pods that different GitOps objects, such as Flux Kustomizations, certainly apply to the same cluster are also compared if their namespaces are known.',
  withoutFix:
    'Only the author knows which budget is intended for these pods. If one of the budgets is deleted or its selector is changed, more pods may be evicted at the same time.',
  bad: [
    {
      title: 'One budget for an application, and one for a part of it.',
      text: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: basket
spec:
  selector:
    matchLabels:
      app: shop
      tier: basket
  template:
    metadata:
      labels:
        app: shop
        tier: basket
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: shop
spec:
  minAvailable: 1
  selector:
    matchLabels:
      app: shop
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: basket
spec:
  minAvailable: 1
  selector:
    matchLabels:
      tier: basket
`,
    },
  ],
  good: [
    {
      title: 'Only one budget.',
      text: `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: shop
spec:
  minAvailable: 1
  selector:
    matchLabels:
      app: shop
`,
    },
  ],
  *check(context) {
    const { file } = context;
    for (const object of context.stored) {
      if (isConditional(context, object)) continue;
      for (const site of object.selectorSites) {
        if (!isExclusiveSite(object, site) || isRelabelled(context, object)) continue;
        for (const [other, pods] of othersOf(context, { file, object }, site)) {
          const written = context.workspace.written ?? context.workspace;
          const related = [
            ...nameNote(written, other, localize`The other budget is defined here.`),
            ...nameNote(written, pods, localize`Both budgets select the pods of this object.`),
          ];
          const keys = [object, other.object].flatMap(keysInSelectors);
          yield { span: site.keySpan, other, pods, related, keys };
        }
      }
    }
  },
  message: ({ other, pods }) =>
    localize`This budget and '${shorten(other.object.name?.text ?? '')}' both select the pods of ${objectNameOf(pods.object)}; evictions of these pods fail.`,
  fixes: () => [],
});

/** Returns each other budget that certainly covers some of the same pods. Of two budgets in one file, only the second is reported. */
function othersOf(
  context: RuleContext,
  where: ObjectInFile,
  site: SelectorSite,
): ReadonlyMap<ObjectInFile, LabeledObjectInFile> {
  const found = new Map<string, readonly [ObjectInFile, LabeledObjectInFile]>();
  if (mayHaveOthers(context, where, site)) for (const each of inScope(context, where, site)) add(found, each);
  for (const each of inCluster(context, where, site)) add(found, each);
  return new Map(found.values());
}

function isBudget({ object, site }: SiteInFile): boolean {
  return isExclusiveSite(object, site);
}

type Other = readonly [other: ObjectInFile, pods: LabeledObjectInFile];

function add(found: Map<string, Other>, each: Other): void {
  const identity = identityOf(each[0].object);
  if (identity !== undefined && found.size < maximumOthers && !found.has(identity)) found.set(identity, each);
}

/** Whether a rendered scope may build other budgets for the same pods, for which its index is needed. In other scopes, the index of the workspace finds them. */
function mayHaveOthers({ workspace, catalogue }: RuleContext, { object }: ObjectInFile, site: SelectorSite): boolean {
  const { appliedBy } = workspace;
  const rendering = appliedBy && workspace.rendering(appliedBy.path, catalogue);
  const own = effectiveSelector(site);
  if (rendering === undefined || own === undefined) return true;
  return rendering.objects.some(({ object: other }) => {
    if (other === object || other.kind !== object.kind || other.group !== object.group) return false;
    return other.selectorSites.some((each) => {
      const selector = effectiveSelector(each);
      return selector === undefined || overlap(own, selector).overlaps;
    });
  });
}

function* inScope(context: RuleContext, where: ObjectInFile, site: SelectorSite): Iterable<Other> {
  const { workspace, catalogue } = context;
  const identity = identityOf(where.object);
  for (const pods of context.selectionOf(where.object, site).matches.slice(0, maximumPods)) {
    if (context.comparisons.leaveOut()) return;
    if (identity === undefined || !areTogether(workspace, where, pods)) continue;
    const selectingObjects = selectingObjectsOf(workspace, catalogue, pods, isBudget);
    context.comparisons.add(selectingObjects.length);
    for (const selectingObject of selectingObjects) {
      const other = identityOf(selectingObject.object);
      if (!selectingObject.certain || other === undefined || other === identity) continue;
      if (!areTogether(workspace, where, selectingObject)) continue;
      if (selectingObject.file.uri === where.file.uri && selectingObject.object.span.start > where.object.span.start)
        continue;
      yield [selectingObject, pods];
    }
  }
}

/** Yields the other budgets in the cluster of a budget, if they or the pods are in another GitOps object. */
function* inCluster(context: RuleContext, where: ObjectInFile, site: SelectorSite): Iterable<Other> {
  const { workspace, catalogue } = context;
  const { written } = workspace;
  if (workspace.appliedBy?.gitops === undefined || written === undefined || context.comparisons.leaveOut()) return;
  const isSure = (scope: GitopsScope) => isSurelyApplied({ workspace: written, catalogue }, scope);
  for (const { other, match } of sharedInCluster(workspace, catalogue, where, site, isSure)) {
    context.comparisons.add(1);
    if (other.file.uri !== where.file.uri || other.object.span.start <= where.object.span.start) yield [other, match];
  }
}
