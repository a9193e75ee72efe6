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
  'apiVersion: projectcalico.org/v3\nkind: HostEndpoint\nmetadata: {name: node-1, labels: {role: worker}}\nspec: {node: node-1}\n',
  ...['GlobalNetworkSet', 'NetworkSet'].map(
    (kind) => `apiVersion: projectcalico.org/v3
kind: ${kind}
metadata: {name: ${kind.toLowerCase()}, labels: {kind: ext}${kind === 'NetworkSet' ? ', namespace: other' : ''}}
spec: {nets: [192.0.2.0/24]}
`,
  ),
].join('---\n');

const [web, db, host, global, set] = [
  'Deployment/web',
  'Deployment/db',
  'HostEndpoint/node-1',
  'GlobalNetworkSet/globalnetworkset',
  'NetworkSet/networkset',
];

interface Answer {
  readonly selectors: readonly {
    readonly path: string;
    readonly matches: readonly { readonly kind: string; readonly name: string; readonly answer: string }[];
  }[];
}

/** Sources in the rules of policies, and what one of their selectors matches. */
const sources = [
  ['NetworkPolicy', "{selector: kind == 'ext'}", 'selector', []],
  ['NetworkPolicy', "{selector: kind == 'ext', namespaceSelector: global()}", 'selector', [global]],
  ['NetworkPolicy', '{selector: has(app), namespaceSelector: global()}', 'selector', []],
  ['NetworkPolicy', "{selector: kind == 'ext', namespaceSelector: team == 'other'}", 'selector', [set]],
  ['NetworkPolicy', "{selector: kind == 'ext', namespaceSelector: all()}", 'selector', [set]],
  ['NetworkPolicy', '{selector: ""}', 'selector', [web, db, host, global, set]],
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
  ['GlobalNetworkPolicy', "{selector: '!has(projectcalico.org/namespace)'}", 'selector', [host, global]],
  ['GlobalNetworkPolicy', "{selector: kind == 'ext' && !has(projectcalico.org/namespace)}", 'selector', [global]],
  ['GlobalNetworkPolicy', "{selector: projectcalico.org/namespace != 'other'}", 'selector', [db, host, global]],
  ['GlobalNetworkPolicy', "{selector: '!has(pcns.projectcalico.org/name)'}", 'selector', [host, global]],
  ['GlobalNetworkPolicy', "{selector: kind == 'ext' && projectcalico.org/namespace contains ''}", 'selector', [set]],
  [
    'GlobalNetworkPolicy',
    "{namespaceSelector: team == 'shop', serviceAccounts: {selector: role == 'front'}}",
    'serviceAccounts.selector',
    [],
  ],
  ['GlobalNetworkPolicy', "{selector: kind == 'ext', namespaceSelector: global()}", 'selector', [global]],
  ['GlobalNetworkPolicy', '{namespaceSelector: global()}', 'namespaceSelector', [host, global]],
  [
    'GlobalNetworkPolicy',
    "{namespaceSelector: projectcalico.org/name == 'other'}",
    'namespaceSelector',
    ['Namespace/other'],
  ],
  ['NetworkPolicy', "{namespaceSelector: projectcalico.org/name != 'other'}", 'namespaceSelector', ['Namespace/shop']],
  ['NetworkPolicy', '{namespaceSelector: global()}', 'namespaceSelector', [host, global]],
] as const;

/** Returns the names of the objects that the selectors of a field certainly match, for each source in one policy. */
async function matchesOf(
  kind: string,
  all: readonly string[],
  fields: readonly string[],
  apiVersion = 'projectcalico.org/v3',
) {
  const policy = lines(`
    apiVersion: projectcalico.org/v3
    kind: ${kind}
    metadata: {name: policy${kind === 'NetworkPolicy' ? ', namespace: shop' : ''}}
    spec:
      ingress:
  `);
  const rules = all.map((source) => `\n    - {action: Allow, source: ${source}}`).join('');
  const manifests = `${objects}---\n${policy}${rules}`;
  const files = { 'all.yaml': manifests.replaceAll('projectcalico.org/v3', apiVersion) };
  const { json } = await runInMemory(['match', '--object', `${kind}/policy`, '--format', 'json'], { files });
  const { selectors } = json as Answer;
  return fields.map((field, index) => {
    const found = selectors.find(({ path }) => path === `spec.ingress[${index}].source.${field}`);
    const certain = found?.matches.filter(({ answer }) => answer === 'yes') ?? [];
    return certain.map((each) => `${each.kind}/${each.name}`).toSorted();
  });
}

describe('sources of Calico', () => {
  for (const [kind, source, field, expected] of sources) {
    it(`${source} in a ${kind} has the ${field} of ${expected.join(', ') || 'nothing'}`, async () => {
      assert.deepEqual(await matchesOf(kind, [source], [field]), [expected.toSorted()]);
    });
  }

  for (const kind of ['NetworkPolicy', 'GlobalNetworkPolicy']) {
    for (const apiVersion of ['projectcalico.org/v3', 'crd.projectcalico.org/v1'])
      it(`match the same in one ${kind} of ${apiVersion}, in which equal selectors are beside different ones`, async () => {
        const own = sources.filter(([each]) => each === kind);
        const [texts, fields] = [own.map(([, source]) => source), own.map(([, , field]) => field)];
        const expected = own.map(([, , , names]) => names.toSorted());
        assert.deepEqual(await matchesOf(kind, texts, fields, apiVersion), expected);
      });
  }
});
