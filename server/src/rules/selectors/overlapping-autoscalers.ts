/** Reports autoscalers that scale the same workload. */

import type { ManifestObject, ReferenceSite } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import type { ObjectInFile, Workspace } from '../../workspace/model.ts';
import { filesThatName } from '../../workspace/references/names.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { areBesideEachOther, areTogether, isConditional } from '../helpers/co-applied.ts';
import { nameNote } from '../helpers/gitops-definitions.ts';
import { shorten } from '../helpers/sentences.ts';

const keda = 'keda.sh';

interface Overlapping extends Fact {
  readonly group: string;
  readonly kind: string;
  readonly other: string;
  readonly workload: string;
}

const workload = (name: string) => `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ${name}}\n`;

export const overlappingAutoscalers = rule<Overlapping>({
  id: 'overlapping-autoscalers',
  severity: 'warning',
  needs: 'stored',
  acrossFiles: true,
  acrossScopes: true,
  summary: 'Two autoscalers of one workload.',
  why: 'If the pods of a workload belong to two HorizontalPodAutoscalers, Kubernetes 1.26 and later stops both: their condition `ScalingActive` is false, with the reason `AmbiguousSelector`. KEDA rejects the second ScaledObject of a workload. The usual cause is a copied autoscaler that still has the name of the original workload. One autoscaler can have several metrics.',
  withoutFix: 'Only the author knows which workload the autoscaler was intended for.',
  bad: [
    {
      title: 'A copied autoscaler.',
      text: `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: basket
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: basket}
  maxReplicas: 3
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: orders
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: basket}
  maxReplicas: 5
`,
      beside: { 'basket.yaml': workload('basket') },
    },
  ],
  good: [
    {
      title: 'One autoscaler for each workload.',
      text: `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: orders
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: orders}
  maxReplicas: 5
`,
      beside: { 'orders.yaml': workload('orders') },
    },
  ],
  *check(context) {
    const { file, workspace } = context;
    for (const object of context.stored) {
      const site = scaledBy(object);
      if (site === undefined || isConditional(context, object)) continue;
      const other = otherOf(context, { file, object }, site);
      if (other === undefined) continue;
      const workload = `${kindOf(site)}/${shorten(site.name.text)}`;
      const related = nameNote(workspace, other, localize`The other autoscaler is defined here.`);
      yield {
        span: site.name.span,
        group: object.group,
        kind: object.kind,
        other: other.object.name?.text ?? '',
        workload,
        related,
      };
    }
  },
  message: ({ group, kind, other, workload }) =>
    group === keda
      ? localize`${kind} '${shorten(other)}' also scales ${workload}; KEDA rejects one of them.`
      : localize`${kind} '${shorten(other)}' also scales ${workload}; Kubernetes stops both.`,
  fixes: () => [],
});

/** Groups of the kinds that scale the workload in `spec.scaleTargetRef`. */
const groups: readonly string[] = ['autoscaling', keda];

/** Returns the reference of an autoscaler to its workload; undefined for other objects, and if a name or kind is not certain. */
function scaledBy({ group, name, references, obscured }: ManifestObject): ReferenceSite | undefined {
  if (!groups.includes(group) || obscured || typeof name?.value !== 'string') return undefined;
  const site = references?.find(({ path }) => path === 'spec.scaleTargetRef.name');
  return typeof site?.name.value === 'string' ? site : undefined;
}

function kindOf({ kind, fact }: ReferenceSite): string {
  return kind ?? fact.targets[0]?.kind ?? '';
}

/** Returns another autoscaler of the workload that is certainly applied together with this one. Of two autoscalers in one file, only the second is reported. */
function otherOf({ workspace }: RuleContext, where: ObjectInFile, site: ReferenceSite): ObjectInFile | undefined {
  const { object, file: own } = where;
  for (const uri of filesThatName(workspace, site.name.text)) {
    const file = workspace.files.get(uri);
    if (file === undefined || workspace.scopes().isPatch(uri)) continue;
    for (const other of file.manifest.objects) {
      const scaled = other.kind === object.kind && other.group === object.group ? scaledBy(other) : undefined;
      if (scaled?.name.text !== site.name.text || kindOf(scaled) !== kindOf(site)) continue;
      if (other.namespace?.value !== object.namespace?.value || other.name?.text === object.name?.text) continue;
      if (uri === own.uri && other.span.start > object.span.start) continue;
      const candidate = { file, object: other };
      // The autoscaler of an overlay is reported, but not the one of its base, which other overlays use alone.
      if (scopeCount(workspace, where) > scopeCount(workspace, candidate)) continue;
      if (areTogether(workspace, where, candidate) || areBesideEachOther(workspace, where, candidate) === 'yes')
        return candidate;
    }
  }
  return undefined;
}

function scopeCount(workspace: Workspace, where: ObjectInFile): number {
  return workspace.scopes().of(placeOf(where)).length;
}
