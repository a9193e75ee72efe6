/** Reports DNS names of Services that do not exist, if one Service in the workspace has a similar name. */

import { hostOf, isScript } from '../../manifests/inline/host-language.ts';
import { fieldPath } from '../../manifests/kustomize/replaced-paths.ts';
import type { ManifestObject, ReferenceSite } from '../../manifests/model.ts';
import {
  clusterDomain,
  mayHoldServiceNames,
  misspelledDomainsIn,
  serviceNamesIn,
} from '../../manifests/service-names.ts';
import { nameFields } from '../../manifests/sites/pod-dns.ts';
import { localize } from '../../text/localize.ts';
import { countBefore } from '../../text/order.ts';
import type { Span } from '../../text/span.ts';
import { isChartValues } from '../../workspace/charts/chart-files.ts';
import { keepsField } from '../../workspace/kustomize/kept-fields.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { namedObject, referencesTo } from '../../workspace/references/referring.ts';
import { isResolvedByPod } from '../../workspace/resolved-hosts.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { effectiveNamespace } from '../../workspace/selection/namespaces.ts';
import { type FoundService, servicesNamed } from '../../workspace/services.ts';
import { fileNameOf } from '../../workspace/uri.ts';
import { type Fact, type Related, type RuleContext, rule } from '../framework/rule.ts';
import { hasObjects, type NameInText, type Near, nearTo } from '../helpers/near-services.ts';
import { hasOperations, patchesOfFile, patchParts } from '../helpers/patch-parts.ts';
import { shorten } from '../helpers/sentences.ts';

interface Misspelled extends Fact {
  readonly message: string;
  /** The span of the misspelled part of the name; `meant` is the correct text of this part. */
  readonly part: Span;
  readonly meant: string;
}

export const serviceNameMisspelled = rule<Misspelled>({
  id: 'service-name-misspelled',
  severity: 'hint',
  acrossFiles: true,
  asApplied: true,
  summary:
    'A DNS name such as `web.shop.svc.cluster.local` or `http://web` without a Service, although a similar Service exists.',
  why: 'The DNS name of a Service is `SERVICE.NAMESPACE.svc.cluster.local`; in pods of its own namespace, `SERVICE` is sufficient, and in other namespaces `SERVICE.NAMESPACE`. If no Service has this name, it cannot be resolved, and the client fails at run time. The rule reports a name only if the workspace contains no such Service, and if there is exactly one likely alternative: a Service with a similar name in the namespace, or a Service with this name in another namespace. Names without `.svc` are checked in URLs and options of containers and ConfigMaps, and in values of variables such as `BASKET_HOST`, also if a patch writes them, unless `hostAliases`, `dnsPolicy` or `dnsConfig` of the pod may resolve them. Names with `.svc` are also checked in scripts.',
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
    const { workspace, catalogue, file } = context;
    for (const object of context.stored) {
      if (object.references === undefined) continue;
      const own = effectiveNamespace(workspace, catalogue, { file, object })?.value;
      yield* inReferences(context, object.references, own, [{ file, object }]);
    }
    yield* inPatches(context);
    if (!context.mentions('serviceNames')) return;
    const { text, stored } = context;
    if (!mayHoldServiceNames(text)) return;
    const objectAround = ({ start, end }: Span) => {
      if (isInComment(text, start)) return undefined;
      const isAround = ({ span }: ManifestObject) => span.start <= start && end <= span.end;
      // A file may contain thousands of names and objects.
      const latest = stored[countBefore(stored, ({ span }) => span.start <= start) - 1];
      return latest !== undefined && isAround(latest) ? latest : stored.find(isAround);
    };
    // A kustomization, a file with JSON patches and the values of a chart consist of parts of objects. The names in a script are those of a cluster, too.
    const areParts =
      file.kustomization !== undefined ||
      hasOperations(context) ||
      isChartValues(file.uri) ||
      isScript(hostOf(fileNameOf(file.uri), text));
    const patches = patchesOfFile(context);
    const isInPart = ({ start, end }: Span) =>
      !isInComment(text, start) && (areParts || patches.some(({ span }) => span.start <= start && end <= span.end));
    const isChecked = (span: Span) => objectAround(span) !== undefined || isInPart(span);
    for (const { part, domain } of misspelledDomainsIn(text))
      if (isChecked(part))
        yield {
          part,
          meant: clusterDomain,
          span: part,
          message: localize`'${shorten(domain)}' is not the domain of Services in the cluster; did you mean '${clusterDomain}'?`,
        };
    for (const name of serviceNamesIn(text)) {
      const written = { ...name, isQualified: true };
      const object = objectAround(name.span);
      const near = isChecked(name.span) ? nearTo(context, written) : undefined;
      if (near !== undefined && !(object !== undefined && isResolvedByPod(context, object, name.span)))
        yield misspelled(written, near);
    }
  },
  message: ({ message }) => message,
  fixes: ({ part, meant }) => [
    { title: localize`Change to '${shorten(meant)}'`, edits: [{ span: part, text: meant }], preferred: true },
  ],
});

/** Yields the names that the patches in a file write into objects as a kustomization applies them. */
function* inPatches(context: RuleContext): Iterable<Misspelled> {
  const { workspace, catalogue, uri } = context;
  if (workspace.appliedBy === undefined) return;
  const parts = [...patchesOfFile(context), ...patchParts(context).map(({ object }) => object)];
  if (parts.every(({ references }) => references === undefined)) return;
  const built = workspace.rendering(workspace.appliedBy.path, catalogue)?.objects ?? [];
  const changed = built.filter(({ transformers }) => transformers.some((each) => each.uri === uri));
  const namespaces = new Set(changed.map((each) => effectiveNamespace(workspace, catalogue, each)?.value));
  const [namespace] = namespaces;
  if (typeof namespace !== 'string' || namespaces.size > 1 || changed.some(({ object }) => object.resolvesHosts))
    return;
  for (const { references = [] } of parts) {
    // The part of a pod does not tell how the whole pod resolves names.
    const resolved = references.map(({ optional: _, ...each }) => each);
    yield* inReferences(context, resolved, namespace, changed);
  }
}

/** Yields the names in URLs and options that refer to no Service in the namespace of the objects that contain them. */
function* inReferences(
  context: RuleContext,
  references: readonly ReferenceSite[],
  own: unknown,
  applied: readonly ObjectInFile[],
): Iterable<Misspelled> {
  for (const { fact, name, namespace, path, optional } of references) {
    if (fact.form !== 'host' || name.origin !== undefined || optional === true) continue;
    const where = namespace?.text ?? own;
    if (typeof where !== 'string' || context.text.startsWith('.svc', namespace?.span.end)) continue;
    const spans = { serviceSpan: name.span, namespaceSpan: namespace?.span };
    const written = { service: name.text, namespace: where, ...spans, isQualified: false };
    const near = nearTo(context, written);
    const found =
      near !== undefined
        ? misspelled(written, near)
        : namespace === undefined || hasObjects(context, where)
          ? inOtherNamespace(context, written)
          : undefined;
    if (found !== undefined && !applied.some((each) => mayResolveOtherwise(context, each, path))) yield found;
  }
}

/** Whether the pods that use a text may resolve names of hosts in a way that is not in the file: a kustomization may patch the pod, and the pods that use a ConfigMap are elsewhere. */
function mayResolveOtherwise({ workspace, catalogue }: RuleContext, where: ObjectInFile, path: string): boolean {
  const [pod = ''] = /^.*(?=\.(?:initC|c)ontainers\[)/.exec(path) ?? [];
  if (pod === '')
    return referencesTo(workspace, catalogue, namedObject(where)).some((user) => user.object.resolvesHosts);
  const fields = nameFields.map((field) => [...fieldPath(pod), field]);
  const scopes = workspace.scopes().of(placeOf(where));
  return !scopes.some((scope) => fields.every((field) => keepsField(workspace, catalogue, scope, where, field)));
}

/** Returns the fault of a name alone if its Service exists only in one other namespace. */
function inOtherNamespace({ workspace, catalogue }: RuleContext, name: NameInText): Misspelled | undefined {
  const [only, ...others] = servicesNamed(workspace, catalogue, name.service);
  if (only?.namespace === undefined || others.length > 0 || only.namespace === name.namespace) return undefined;
  const meant = `${name.service}.${only.namespace}`;
  const [service, namespace] = [shorten(name.service), shorten(name.namespace)];
  const message = localize`No Service '${service}' in namespace '${namespace}' in this workspace; for the one in '${only.namespace}', write '${shorten(meant)}'.`;
  const related = definitionOf(only);
  const span = name.namespaceSpan;
  if (span === undefined) return { part: name.serviceSpan, meant, span: name.serviceSpan, message, related };
  return { part: span, meant: only.namespace, span, message, related };
}

function misspelled({ service, namespace }: NameInText, { closest, part, meant }: Near): Misspelled {
  const found = `${closest.object.name?.text ?? ''}.${closest.namespace ?? namespace}`;
  const message = localize`No Service '${shorten(service)}' in namespace '${shorten(namespace)}' in this workspace. Closest: '${shorten(found)}'.`;
  return { part, meant, span: part, message, related: definitionOf(closest) };
}

function definitionOf({ file, object: { name } }: FoundService): readonly Related[] {
  if (name === undefined) return [];
  return [{ file, span: name.span, message: localize`Service '${shorten(name.text)}' is defined here.` }];
}

function isInComment(text: string, offset: number): boolean {
  return /^[ \t]*#/.test(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset));
}
