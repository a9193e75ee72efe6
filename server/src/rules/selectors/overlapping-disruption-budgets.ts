/** Reports PodDisruptionBudgets that select the same pods. */

import type { SelectorSite } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import type { LabeledObjectInFile, ObjectInFile } from '../../workspace/model.ts';
import { identityOf } from '../../workspace/scopes/scope-facts.ts';
import { selectingObjectsOf } from '../../workspace/selection/selecting-objects.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { areTogether } from '../helpers/co-applied.ts';
import { isRelabelled } from '../helpers/relabeled.ts';
import { objectNameOf, shorten } from '../helpers/sentences.ts';

interface Overlapping extends Fact {
  readonly other: ObjectInFile;
  readonly pods: LabeledObjectInFile;
}

/** Selectors of which only one may match a pod. The eviction API rejects a pod that two of them match. */
const onlyOne: ReadonlySet<string> = new Set(['policy/PodDisruptionBudget spec.selector']);

/** The maximum number of workloads of a budget that are compared. A workload that two budgets share is usually among the first. */
const maximumPods = 50;

/** The maximum number of other budgets per finding. */
const maximumOthers = 10;

export const overlappingDisruptionBudgets = rule<Overlapping>({
  id: 'overlapping-disruption-budgets',
  severity: 'warning',
  acrossFiles: true,
  asApplied: true,
  summary: 'Two PodDisruptionBudgets that select the same pods.',
  why: 'The eviction of a pod that two budgets select always fails with an error, so its node cannot be drained until the pod or one of the budgets is deleted.',
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
    if (context.mentions('conditions')) return;
    for (const object of context.stored) {
      for (const site of object.selectorSites) {
        if (!isOnlyOne({ object, site }) || isRelabelled(context, object)) continue;
        for (const [other, pods] of othersOf(context, { file, object }, site)) {
          const related = [other, pods].map((each) => ({
            file: each.file,
            span: each.object.name?.span ?? each.object.kindSpan,
            message:
              each === pods
                ? localize`Both budgets select the pods of this object.`
                : localize`The other budget is defined here.`,
          }));
          yield { span: site.keySpan, other, pods, related };
        }
      }
    }
  },
  message: ({ other, pods }) =>
    localize`This budget and '${shorten(other.object.name?.text ?? '')}' both select the pods of ${objectNameOf(pods.object)}; evictions of these pods fail.`,
  fixes: () => [],
});

function isOnlyOne({
  object,
  site,
}: {
  readonly object: ObjectInFile['object'];
  readonly site: SelectorSite;
}): boolean {
  return onlyOne.has(`${object.group}/${object.kind} ${site.fact.path}`);
}

/** Yields each other budget that certainly covers some of the same pods. Of two budgets in one file, only the second is reported. */
function othersOf(
  context: RuleContext,
  where: ObjectInFile,
  site: SelectorSite,
): ReadonlyMap<ObjectInFile, LabeledObjectInFile> {
  const { workspace, catalogue } = context;
  const found = new Map<string, readonly [ObjectInFile, LabeledObjectInFile]>();
  const identity = identityOf(where.object);
  for (const pods of context.selectionOf(where.object, site).matches.slice(0, maximumPods)) {
    if (found.size === maximumOthers || context.comparisons.leaveOut()) break;
    if (identity === undefined || !areTogether(workspace, where, pods)) continue;
    const selectingObjects = selectingObjectsOf(workspace, catalogue, pods, isOnlyOne);
    context.comparisons.add(selectingObjects.length);
    for (const selectingObject of selectingObjects) {
      const other = identityOf(selectingObject.object);
      if (!selectingObject.certain || other === undefined || other === identity || found.has(other)) continue;
      if (!areTogether(workspace, where, selectingObject)) continue;
      if (selectingObject.file.uri === where.file.uri && selectingObject.object.span.start > where.object.span.start)
        continue;
      found.set(other, [selectingObject, pods]);
      if (found.size === maximumOthers) break;
    }
  }
  return new Map(found.values());
}
