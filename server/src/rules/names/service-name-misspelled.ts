/** Reports DNS names of Services that do not exist, if one Service in the workspace has a similar name. */

import { mayHoldServiceNames, type ServiceName, serviceNamesIn } from '../../manifests/service-names.ts';
import { localize } from '../../text/localize.ts';
import { misspelling } from '../../text/misspelling.ts';
import type { Span } from '../../text/span.ts';
import { type FoundService, servicesNamed, similarServiceNames } from '../../workspace/services.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { shorten } from '../helpers/sentences.ts';

interface Misspelled extends Fact {
  readonly name: ServiceName;
  readonly closest: FoundService;
  /** The span of the misspelled part of the name; `meant` is the correct text of this part. */
  readonly part: Span;
  readonly meant: string;
}

export const serviceNameMisspelled = rule<Misspelled>({
  id: 'service-name-misspelled',
  severity: 'hint',
  acrossFiles: true,
  summary: 'A DNS name such as `web.shop.svc.cluster.local` without a Service, although a similar Service exists.',
  why: 'The DNS name of a Service is `SERVICE.NAMESPACE.svc.cluster.local`. If no Service has this name, it cannot be resolved, and the client fails at run time. The rule reports a name only if the workspace contains no such Service, and if there is exactly one likely alternative: a Service with a similar name in the namespace, or a Service with this name in a namespace with a similar name.',
  bad: [
    {
      title: 'A misspelled Service.',
      text: `apiVersion: v1
kind: Service
metadata:
  name: basket
  namespace: shop
spec:
  ports: [{port: 80}]
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: front
  namespace: shop
data:
  basketUrl: http://baskte.shop.svc.cluster.local
`,
    },
  ],
  good: [
    {
      title: 'A Service that may exist in the cluster.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: front
  namespace: shop
data:
  metricsUrl: http://prometheus.monitoring.svc:9090
`,
    },
  ],
  *check(context) {
    if (!context.mentions('serviceNames')) return;
    const objects = context.stored.map(({ span }) => span);
    const { text } = context;
    if (!mayHoldServiceNames(text)) return;
    for (const name of serviceNamesIn(text)) {
      if (!objects.some(({ start, end }) => start <= name.span.start && name.span.end <= end)) continue;
      if (isInComment(text, name.span.start)) continue;
      const near = nearTo(context, name);
      if (near === undefined) continue;
      const { file, object } = near.closest;
      const at = object.name?.span;
      const related =
        at === undefined
          ? []
          : [{ file, span: at, message: localize`Service '${shorten(object.name?.text ?? '')}' is defined here.` }];
      yield { span: near.part, name, ...near, related };
    }
  },
  message({ name: { service, namespace }, closest: { object, namespace: its } }) {
    const found = `${object.name?.text ?? ''}.${its ?? namespace}`;
    return localize`No Service '${shorten(service)}' in namespace '${shorten(namespace)}' in this workspace. Closest: '${shorten(found)}'.`;
  },
  fixes: ({ part, meant }) => [
    { title: localize`Change to '${shorten(meant)}'`, edits: [{ span: part, text: meant }], preferred: true },
  ],
});

function isInComment(text: string, offset: number): boolean {
  return /^[ \t]*#/.test(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset));
}

function nearTo(
  { workspace, catalogue }: RuleContext,
  { service, namespace, serviceSpan, namespaceSpan }: ServiceName,
): Pick<Misspelled, 'closest' | 'part' | 'meant'> | undefined {
  const named = servicesNamed(workspace, catalogue, service);
  if (named.length > 0) {
    // A Service with this name exists, so only its namespace can be misspelled; the namespace may also be set by a
    // different tool.
    const isNear = (each: FoundService) => each.namespace !== undefined && isEvident(namespace, each.namespace);
    const [closest, ...others] = named;
    if (closest === undefined || others.length > 0 || !isNear(closest)) return undefined;
    return { closest, part: namespaceSpan, meant: closest.namespace ?? namespace };
  }
  const near = similarServiceNames(workspace, service)
    .filter((other) => isEvident(service, other))
    .flatMap((other) => servicesNamed(workspace, catalogue, other))
    .filter((each) => each.namespace === namespace);
  const [closest, ...others] = near;
  if (closest === undefined || others.length > 0) return undefined;
  return { closest, part: serviceSpan, meant: closest.object.name?.text ?? service };
}

function isEvident(wanted: string, actual: string): boolean {
  // The plural may be the name of another Service.
  if (wanted === `${actual}s` || actual === `${wanted}s`) return false;
  const likeness = misspelling(wanted, actual);
  return likeness === 'evident' || likeness === 'likely';
}
