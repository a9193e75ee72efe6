/** Tests which pods and sets of addresses the selectors in sources and destinations of Calico match. */

import assert from 'node:assert/strict';
import { lines } from '../harness/margin.ts';
import { runInMemory } from './memory-world.ts';

const workload = (name: string, namespace: string) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: ${namespace}}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {serviceAccountName: ${name}, containers: [{name: main, image: example}]}
`;

const objects = [
  ...['shop', 'other'].map(
    (name) => `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${name}, labels: {team: ${name}}}\n`,
  ),
  'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: web, namespace: other, labels: {role: front}}\n',
  workload('web', 'other'),
  workload('db', 'shop'),
  ...['GlobalNetworkSet', 'NetworkSet'].map(
    (kind) => `apiVersion: projectcalico.org/v3
kind: ${kind}
metadata: {name: ${kind.toLowerCase()}, labels: {kind: ext}${kind === 'NetworkSet' ? ', namespace: other' : ''}}
spec: {nets: [192.0.2.0/24]}
`,
  ),
].join('---\n');

const [web, db, global, set] = [
  'Deployment/web',
  'Deployment/db',
  'GlobalNetworkSet/globalnetworkset',
  'NetworkSet/networkset',
];

interface Answer {
  readonly selectors: readonly {
    readonly path: string;
    readonly matches: readonly { readonly kind: string; readonly name: string; readonly answer: string }[];
  }[];
}

describe('sources of Calico', () => {
  for (const [kind, source, field, expected] of [
    ['NetworkPolicy', "{selector: kind == 'ext'}", 'selector', []],
    ['NetworkPolicy', "{selector: kind == 'ext', namespaceSelector: global()}", 'selector', [global]],
    ['NetworkPolicy', '{selector: has(app), namespaceSelector: global()}', 'selector', []],
    ['NetworkPolicy', "{selector: kind == 'ext', namespaceSelector: team == 'other'}", 'selector', [set]],
    ['NetworkPolicy', "{selector: kind == 'ext', namespaceSelector: all()}", 'selector', [set]],
    ['NetworkPolicy', '{selector: ""}', 'selector', [web, db, global, set]],
    ['NetworkPolicy', '{selector: "", notSelector: has(app)}', 'selector', [db]],
    ['NetworkPolicy', '{selector: "", namespaceSelector: team == \'other\'}', 'selector', [web, set]],
    ['NetworkPolicy', "{serviceAccounts: {selector: role == 'front'}}", 'serviceAccounts.selector', []],
    [
      'NetworkPolicy',
      "{namespaceSelector: team == 'other', serviceAccounts: {selector: role == 'front'}}",
      'serviceAccounts.selector',
      ['ServiceAccount/web'],
    ],
    [
      'NetworkPolicy',
      "{selector: has(app), namespaceSelector: all(), serviceAccounts: {selector: role == 'front'}}",
      'selector',
      [web],
    ],
    ['GlobalNetworkPolicy', "{selector: kind == 'ext'}", 'selector', [global, set]],
    ['GlobalNetworkPolicy', "{selector: kind == 'ext', namespaceSelector: all()}", 'selector', [set]],
    ['GlobalNetworkPolicy', "{selector: kind == 'ext', namespaceSelector: team == 'shop'}", 'selector', []],
    ['GlobalNetworkPolicy', "{selector: projectcalico.org/orchestrator == 'k8s'}", 'selector', [web, db]],
    ['GlobalNetworkPolicy', "{selector: pcns.team == 'other'}", 'selector', [web, set]],
    [
      'GlobalNetworkPolicy',
      "{namespaceSelector: team == 'shop', serviceAccounts: {selector: role == 'front'}}",
      'serviceAccounts.selector',
      [],
    ],
  ] as const) {
    it(`${source} in a ${kind} has the ${field} of ${expected.join(', ') || 'nothing'}`, async () => {
      const policy = lines(`
        apiVersion: projectcalico.org/v3
        kind: ${kind}
        metadata: {name: policy${kind === 'NetworkPolicy' ? ', namespace: shop' : ''}}
        spec: {ingress: [{action: Allow, source: ${source}}]}
      `);
      const files = { 'all.yaml': `${objects}---\n${policy}` };
      const { json } = await runInMemory(['match', '--object', `${kind}/policy`, '--format', 'json'], { files });
      const found = (json as Answer).selectors.find(({ path }) => path === `spec.ingress[0].source.${field}`);
      const certain = found?.matches.filter(({ answer }) => answer === 'yes');
      const names = certain?.map((each) => `${each.kind}/${each.name}`) ?? [];
      assert.deepEqual(names.toSorted(), expected.toSorted());
    });
  }
});
