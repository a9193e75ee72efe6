/** Reports policies that Calico or Cilium rejects because of their actions, peers, ports, protocols or addresses. */

import type { Path, Problem } from '../../engine/index.ts';
import { networkRoleOf } from '../../manifests/kinds/network-spec.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { written } from '../../manifests/sites/sites.ts';
import { quoteAsTyped, replaceScalar } from '../../manifests/write/write-text.ts';
import { entryOf, type MapEntry, type Node } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { misspelling } from '../../text/misspelling.ts';
import type { Span } from '../../text/span.ts';
import { pluginOf, rejectionsOf } from '../../workspace/reach/plugin-policies.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { isIn } from '../../workspace/snapshot.ts';
import { type Fact, rule } from '../framework/rule.ts';

interface Rejection extends Fact {
  readonly object: ManifestObject;
  readonly problem: Problem;
  /** The invalid value, if it is written in the file. */
  readonly value: ReturnType<typeof written> | undefined;
}

const policy = (action: string, net: string) => `apiVersion: projectcalico.org/v3
kind: NetworkPolicy
metadata:
  name: basket
spec:
  selector: app == 'basket'
  ingress:
    - action: ${action}
      source:
        nets:
          - ${net}
`;

export const networkPolicyRejected = rule<Rejection>({
  id: 'network-policy-rejected',
  severity: 'error',
  needs: 'stored',
  summary: 'A network policy that Calico or Cilium rejects.',
  why: 'Calico rejects an invalid policy when it is applied. Cilium stores it, but does not enforce it. In both cases, connections that the policy should deny are allowed. In the API group `crd.projectcalico.org`, nothing validates the policy, and its effect is not defined, which is a warning.',
  bad: [
    { title: 'An action in lower case.', text: policy('allow', '10.0.0.0/8') },
    { title: 'A single address instead of a block of addresses.', text: policy('Allow', '10.0.0.1') },
    {
      title: 'The number of a port that is not a string.',
      text: `apiVersion: cilium.io/v2
kind: CiliumNetworkPolicy
metadata:
  name: basket
spec:
  endpointSelector:
    matchLabels:
      app: basket
  ingress:
    - toPorts:
        - ports:
            - port: 8080
`,
    },
  ],
  good: [{ title: 'A valid rule.', text: policy('Allow', '10.0.0.0/8') }],
  *check({ stored, manifest, workspace, file }) {
    // After a syntax error, a field may be in the wrong map.
    if (manifest.unresolved || manifest.syntaxErrors > 0) return;
    const isBuilt = (object: ManifestObject) => isIn(workspace, placeOf({ file, object }), 'kustomization');
    for (const object of stored) {
      if (object.networkSpec === undefined) continue;
      const seen = new Set<number>();
      for (const problem of rejectionsOf(object)) {
        // The rule for types of fields reports it.
        if (problem.code === 'wrong-type' && problem.path?.at(-1) === 'enableDefaultDeny') continue;
        // A kustomization may add a field, and the rule for unknown fields reports a misspelled one.
        if (problem.code === 'field-required' && (isBuilt(object) || hasUnknownField(object.networkSpec, problem)))
          continue;
        const found = located(object.networkSpec, problem.path ?? []);
        const span = found?.value?.span ?? found?.span ?? object.kindSpan;
        if (span === undefined || seen.has(span.start) || isInSelector(object, span, problem)) continue;
        seen.add(span.start);
        yield {
          span,
          object,
          problem,
          value: found?.value,
          ...(object.group === 'crd.projectcalico.org' && { severity: 'warning' }),
        };
      }
    }
  },
  message({ object, problem: { message, path = [] } }) {
    const field = path.findLast((step) => typeof step === 'string');
    const text = /^(?:must|needs) /.test(message) && field !== undefined ? `\`${field}\` ${message}` : message;
    const system = pluginOf(object) ?? '';
    if (networkRoleOf(object) === 'calico tier') return localize`${system} rejects this tier: ${text}.`;
    return object.group === 'crd.projectcalico.org'
      ? localize`The effect of this policy is not defined, because it is invalid: ${text}.`
      : localize`${system} rejects this policy: ${text}.`;
  },
  fixes({ problem, value }) {
    if (value === undefined || value.origin !== undefined || value.tagged) return [];
    if (problem.code === 'wrong-type' && value.type === 'number' && problem.message.includes(' a string'))
      return [{ title: localize`Quote the value`, edits: [quoteAsTyped(value)], preferred: true, safe: true }];
    const meant = meantBy(value.text, problem);
    if (meant === undefined) return [];
    return [{ title: localize`Change to '${meant}'`, edits: [replaceScalar(value, meant)], preferred: true }];
  },
});

/** Returns the only valid value that a text can mean. */
function meantBy(text: string, { code, options = [] }: Problem): string | undefined {
  const lower = text.toLowerCase();
  const near = options.filter(
    (each) => code === 'cidr-syntax' || each.toLowerCase() === lower || misspelling(text, each) !== undefined,
  );
  const same = near.filter((each) => each.toLowerCase() === lower);
  const [only, ...others] = same.length > 0 ? same : near;
  return others.length > 0 ? undefined : only;
}

/** Returns the value at a path, and the span of the closest key; undefined if the value is in a different file. */
function located(root: Node, path: Path): { readonly span: Span | undefined; readonly value?: Rejection['value'] } {
  let node: Node = root;
  let entry: MapEntry | undefined;
  for (const step of path) {
    const next = childAt(node, step);
    if (next === undefined) break;
    if (next.entry !== undefined) entry = next.entry;
    node = next.node;
  }
  const key = entry?.key;
  const span = key?.origin === undefined ? key?.span : undefined;
  return node.kind === 'scalar' && node.origin === undefined && node.type !== 'null'
    ? { span, value: written(node) }
    : { span: node.kind === 'map' && typeof path.at(-1) === 'number' ? (firstKeyOf(node) ?? span) : span };
}

function childAt(node: Node, step: string | number): { readonly node: Node; readonly entry?: MapEntry } | undefined {
  if (typeof step === 'number') {
    const item = node.kind === 'list' ? node.items[step] : undefined;
    return item && { node: item };
  }
  const entry = entryOf(node, step);
  return entry && { node: entry.value, entry };
}

function firstKeyOf(node: Node): Span | undefined {
  const key = node.kind === 'map' ? node.entries[0]?.key : undefined;
  return key?.origin === undefined ? key?.span : undefined;
}

/** Whether the map without a required field has a field that no rule of Cilium or Calico has. */
function hasUnknownField(root: Node, { path = [] }: Problem): boolean {
  let node: Node | undefined = root;
  for (const step of path) node = node && childAt(node, step)?.node;
  return node?.kind === 'map' && node.entries.some(({ key }) => !knownFields.has(key.text));
}

/** The fields of the maps that may lack a field. */
const knownFields: ReadonlySet<string> = new Set([
  ...['spec', 'specs', 'endpointSelector', 'nodeSelector', 'ingress', 'ingressDeny', 'egress', 'egressDeny'],
  ...['description', 'labels', 'enableDefaultDeny', 'log', 'name', 'namespace'],
  ...['mismatch', 'secret', 'value'],
]);

/** Whether a span is in a selector, whose problems other rules report. */
function isInSelector({ selectorSites }: ManifestObject, { start, end }: Span, { code }: Problem): boolean {
  if (code === 'field-conflict') return false;
  return selectorSites.some(
    (site) =>
      site.keySpan.start === start || (site.state !== 'absent' && site.span.start <= start && end <= site.span.end),
  );
}
