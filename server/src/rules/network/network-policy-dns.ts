/** Reports egress policies that prevent pods from resolving names. */

import type { Rule } from '../../engine/index.ts';
import { policyKindOf } from '../../manifests/kinds/network-policy.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { entryOf } from '../../manifests/yaml/tree.ts';
import { contentEndAt } from '../../text/lines.ts';
import { localize } from '../../text/localize.ts';
import { rulesOf } from '../../workspace/reach/policy-parts.ts';
import { type PolicyInCluster, policyInCompleteClusters } from '../../workspace/reach/rule-clusters.ts';
import { podEnds } from '../../workspace/reach/summaries.ts';
import { type Fact, type Fix, rule } from '../framework/rule.ts';
import { keysInSelectors } from '../helpers/selector-keys.ts';
import { shorten } from '../helpers/sentences.ts';

interface WithoutDns extends Fact {
  readonly object: ManifestObject;
  readonly workload: string;
}

const beside = {
  'pods.yaml': `apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}}
spec: {containers: [{name: web, image: example.com/web}]}
---
apiVersion: v1
kind: Pod
metadata: {name: db, labels: {app: db}}
spec: {containers: [{name: db, image: example.com/db}]}
`,
};

const policy = (more = '') => `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: web
spec:
  podSelector: {matchLabels: {app: web}}
  policyTypes: [Egress]
  egress:
    - to: [{podSelector: {matchLabels: {app: db}}}]
      ports: [{port: 5432}]
${more}`;

const dnsRule = `    - to:
        - namespaceSelector:
            matchLabels:
              kubernetes.io/metadata.name: kube-system
          podSelector:
            matchLabels:
              k8s-app: kube-dns
      ports:
        - protocol: UDP
          port: 53
        - protocol: TCP
          port: 53
`;

export const networkPolicyDns = rule<WithoutDns>({
  id: 'network-policy-dns',
  severity: 'information',
  needs: 'policies',
  acrossFiles: true,
  acrossScopes: true,
  asApplied: true,
  summary: 'A NetworkPolicy that isolates pods for egress, although no policy allows these pods to resolve names.',
  why: 'Pods query the cluster DNS on port 53 for the address of every Service. If pods are isolated for egress and no policy allows this port, even connections to allowed pods fail, unless they use IP addresses. Policies without any egress rule, and policies that allow only IP addresses, are not reported, because this may be intended.',
  bad: [{ title: 'The pods may connect to the database, but cannot resolve its name.', text: policy(), beside }],
  good: [{ title: 'The policy allows connections to the cluster DNS.', text: policy(dnsRule), beside }],
  *check({ stored, workspace, catalogue, file }) {
    for (const object of stored) {
      if (policyKindOf(object) !== 'NetworkPolicy') continue;
      const entry = entryOf(object.policySpec, 'egress');
      if (entry === undefined || entry.key.origin !== undefined) continue;
      const names = policyInCompleteClusters(workspace, catalogue, { file, object })?.map(isolatedWithoutDns) ?? [];
      const [workload] = names;
      if (workload === undefined) continue;
      if (names.every((name) => name !== undefined))
        yield { span: entry.key.span, object, workload, keys: keysInSelectors(object) };
    }
  },
  message: ({ workload }) =>
    localize`${shorten(workload)} is isolated for egress, and no policy allows DNS (port 53), so DNS names cannot be resolved.`,
  fixes: ({ object }, { text }) => insertion(object, text),
});

/** Returns a selected workload that may connect to some pods, but certainly not on port 53; undefined if there is none. */
function isolatedWithoutDns({ cluster, index, policy }: PolicyInCluster): string | undefined {
  const { egress, isOptional } = policy.policy;
  const isForPods = egress.rules.some(
    ({ peers, isOptional: mayBeAbsent }) => !mayBeAbsent && peers.some(({ kind }) => kind === 'pods'),
  );
  if (egress.covers !== 'yes' || isOptional || !isForPods || egress.rules.some(mayAllowDns)) return undefined;
  const found = podEnds(cluster).find(({ workload, peer }) => {
    if (workload.hostNetwork) return false;
    const { network, admin, baseline, unplaced } = cluster.reachability.policiesOn(peer, 'egress');
    if (admin.length + baseline.length + unplaced.length > 0) return false;
    if (!network.some((each) => each.index === index && each.answer === 'yes')) return false;
    return !network.some(({ policy: each }) => each.egress.rules.some(mayAllowDns));
  });
  return found && `${found.workload.kind}/${found.workload.name}`;
}

function mayAllowDns({ ports, anyPort }: Rule): boolean {
  if (anyPort !== 'no') return true;
  return ports.some((port) => {
    if (port.kind !== 'range') return port.kind !== 'name' || /dns|domain/.test(port.name);
    return port.protocol !== 'SCTP' && port.from <= 53 && 53 <= port.to;
  });
}

/** Returns a fix that inserts the usual rule for DNS after the last egress rule, if the rules are a block list. */
function insertion(object: ManifestObject, text: string): readonly Fix[] {
  const rules = rulesOf(object, 'egress');
  const [first, last] = [rules[0], rules.at(-1)];
  if (first === undefined || last === undefined) return [];
  const lineStart = text.lastIndexOf('\n', first.span.start) + 1;
  const dash = /^( *)- +$/.exec(text.slice(lineStart, first.span.start));
  if (dash === null) return [];
  const end = contentEndAt(text, last.span.end - 1);
  const separator = text[end] === '\r' ? '\r\n' : '\n';
  const lines = dnsRule
    .trimEnd()
    .split('\n')
    .map((line) => `${dash[1]}${line.slice(4)}`);
  const edit = { span: { start: end, end }, text: separator + lines.join(separator) };
  return [{ title: localize`Allow the DNS of the cluster`, edits: [edit], preferred: true }];
}
