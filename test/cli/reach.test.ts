/**
 * Tests that `reach` returns the results of the vectors for whole objects in files, and reports unknown connections.
 */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { addressText, parseCidr } from '../../server/src/engine/index.ts';
import { lines } from '../harness/margin.ts';
import { runInMemory } from './memory-world.ts';

/** Every n-th line of a file of vectors. */
function sample<Line>(name: string, step: number): readonly Line[] {
  const path = new URL(`../vectors/${name}.jsonl.br`, import.meta.url);
  const all = brotliDecompressSync(readFileSync(path)).toString().trimEnd().split('\n');
  return all.filter((_, index) => index % step === 0).map((line): Line => JSON.parse(line));
}

/** Objects in a JSON List, and single ones in a subfolder. */
function filesOf(objects: readonly object[]): Record<string, string> {
  const [first, ...others] = objects;
  return {
    'all.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: others }),
    'below/first.yaml': JSON.stringify(first, null, 2),
  };
}

type Peer = { readonly cidr: string } | { readonly kind: string; readonly namespace: string; readonly name: string };

interface Connection {
  readonly from: Peer;
  readonly to: Peer;
  readonly allow: readonly { readonly protocol: string; readonly ports: string }[];
}

/** The names of a peer in a vector: for a block, its addresses among the tested ones. */
function namesOf(peer: Peer, addresses: readonly string[]): readonly string[] {
  if (!('cidr' in peer)) return [`${peer.namespace}/${peer.kind}/${peer.name}`];
  const block = parseCidr(peer.cidr);
  assert.ok(block);
  return addresses.flatMap((address) => {
    const one = parseCidr(`${address}/${address.includes(':') ? 128 : 32}`);
    assert.ok(one);
    const isIn = one.family === block.family && block.first <= one.first && one.last <= block.last;
    return isIn ? [`ip:${addressText({ family: one.family, value: one.first })}/${one.family === 4 ? 32 : 128}`] : [];
  });
}

describe('reach', () => {
  it('summarizes thousands of ports, and lists all of them for programs, up to a limit', async () => {
    const pods = Array.from({ length: 60 }, (_, n) => `apiVersion: v1\nkind: Pod\nmetadata: {name: p${n}}\n`);
    const ports = Array.from({ length: 3000 }, (_, n) => `{port: ${2 * n + 1}}`);
    const policy = `apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: a}\nspec:\n  podSelector: {}\n  ingress: [{ports: [${ports.join()}]}]\n`;
    const files = { 'a.yaml': [policy, ...pods].join('---\n') };
    const { out } = await runInMemory(['reach', '--root', '.'], { files });
    assert.ok(out.length > 60 * 59);
    assert.match(out[0] ?? '', /p1: TCP 1,3,.*,39,\.{3} \(3000 ranges, up to 5999\) \(ingress rule 1 of/);
    const json = await runInMemory(['reach', '--format', 'json', '--root', '.'], { files });
    const { connections } = json.json as { readonly connections: readonly Connection[] };
    assert.equal(connections[0]?.allow[0]?.ports.split(',').length, 3000);
    assert.match(json.err.join(), new RegExp(`Only ${connections.length} connections are listed`));
  });

  it('lists the connections of the vectors', async () => {
    type Line = {
      readonly id: string;
      readonly objects: readonly object[];
      readonly addresses: readonly string[];
      readonly allowed: readonly { from: string; to: string; protocol: string; ports: string }[];
    };
    for (const { id, objects, addresses, allowed } of sample<Line>('reach-vectors', 40)) {
      const { code, json, err } = await runInMemory(['reach', '--format', 'json', '--root', '.'], {
        files: filesOf(objects),
      });
      assert.equal(code, 0, err.join('\n'));
      const { connections } = json as { readonly connections: readonly Connection[] };
      const found = connections.flatMap(({ from, to, allow }) =>
        namesOf(from, addresses).flatMap((source) =>
          namesOf(to, addresses).flatMap((target) => {
            const isAll = allow.length === 3 && allow.every(({ ports }) => ports === 'all');
            const parts = isAll ? [{ protocol: 'any', ports: 'all' }] : allow;
            return parts.map(({ protocol, ports }) => [source, target, protocol, ports].join(' '));
          }),
        ),
      );
      const expected = allowed.map((each) => [each.from, each.to, each.protocol, each.ports].join(' '));
      assert.deepEqual(found.toSorted(), expected.toSorted(), id);
    }
  });

  it('proves the results of the vectors', async () => {
    type Line = {
      readonly id: string;
      readonly objects: readonly object[];
      readonly from: string;
      readonly to: string;
      readonly protocol: string;
      readonly port: number;
      readonly allowed: boolean;
      readonly allowedBy: readonly object[];
      readonly deniedBy: readonly object[];
      readonly notIsolated: readonly string[];
    };
    for (const line of sample<Line>('reach-why', 10)) {
      const words = ['reach', line.from, line.to, '--port', `${line.port}`, '--protocol', line.protocol];
      const { json } = await runInMemory([...words, '--format', 'json', '--root', '.'], {
        files: filesOf(line.objects),
      });
      const { allowed, allowedBy, deniedBy, notIsolated } = json as Line;
      const sorted = (list: readonly object[]) =>
        list.map((each) => JSON.stringify({ ...each, file: undefined, line: undefined })).toSorted();
      assert.equal(allowed, line.allowed, line.id);
      assert.deepEqual(sorted(allowedBy), sorted(line.allowedBy), line.id);
      assert.deepEqual(sorted(deniedBy), sorted(line.deniedBy), line.id);
      assert.deepEqual(notIsolated.toSorted(), line.notIsolated.toSorted(), line.id);
    }
  });
});

const shop = {
  'shop.yaml': lines(`
    apiVersion: v1
    kind: Pod
    metadata: {name: web, namespace: shop, labels: {app: web}}
    spec: {containers: [{name: web}]}
    ---
    apiVersion: v1
    kind: Pod
    metadata: {name: db, namespace: shop, labels: {app: db}}
    spec: {containers: [{name: db, ports: [{containerPort: 5432}]}]}
    ---
    apiVersion: networking.k8s.io/v1
    kind: NetworkPolicy
    metadata: {name: db, namespace: shop}
    spec:
      podSelector: {matchLabels: {app: db}}
      ingress:
        - from:
            - podSelector: {matchLabels: {app: web, role: client}}
          ports: [{port: 5432}]
  `),
};

async function told(words: readonly string[], files: Record<string, string> = shop): Promise<readonly string[]> {
  const { code, out, err } = await runInMemory(['reach', ...words], { files });
  return [...out, ...err.map((line) => `! ${line}`), ...(code === 0 ? [] : [`(exit code ${code})`])];
}

describe('the ends of a connection', () => {
  const egress = lines(`
    apiVersion: networking.k8s.io/v1
    kind: NetworkPolicy
    metadata: {name: web, namespace: shop}
    spec:
      podSelector: {matchLabels: {app: web}}
      policyTypes: [Egress]
      egress: [{to: [{podSelector: {matchLabels: {app: db}}}], ports: [{port: 5432}]}]
  `);
  const files = { ...shop, 'egress.yaml': egress };

  it('each state whether they allow a port, and the policies that decide this', async () => {
    const { json } = await runInMemory(['reach', 'web', 'db', '--port', '5432', '--format', 'json'], { files });
    const { allowed, allowedBy, egress: source, ingress: target } = json as Record<string, unknown>;
    assert.deepEqual([allowed, allowedBy], [false, []]);
    assert.deepEqual(source, { allowed: true, by: [{ policy: 'shop/web', rule: 0, file: 'egress.yaml', line: 7 }] });
    assert.deepEqual(target, { allowed: false, by: [{ policy: 'shop/db', file: 'shop.yaml', line: 12 }] });
    const back = await runInMemory(['reach', 'db', 'web', '--port', '80', '--format', 'json'], { files });
    const { egress: open } = back.json as Record<string, unknown>;
    assert.deepEqual(open, { allowed: true, by: [] });
    assert.ok(
      (await told(['web', 'db', '--port', '5432'], files)).includes(
        '  egress: allowed by egress rule 1 of shop/web (egress.yaml:7)',
      ),
    );
  });

  it('each state the ports that they allow, and their policies, without a port', async () => {
    const { json } = await runInMemory(['reach', 'web', 'db', '--format', 'json'], { files });
    const { allow, egress: source, ingress: target } = json as Record<string, unknown>;
    assert.deepEqual(allow, []);
    assert.deepEqual(source, { allow: [{ protocol: 'TCP', ports: '5432' }], policies: ['shop/web'] });
    assert.deepEqual(target, { allow: [], policies: ['shop/db'] });
  });
});

describe('the text of reach', () => {
  it('shows a proof with what is missing', async () => {
    assert.deepEqual(await told(['web', 'db', '--port', '5432']), [
      'shop/Pod/web -> shop/Pod/db, TCP 5432: denied',
      '  egress: no policy isolates shop/Pod/web',
      '  ingress: isolated by shop/db (shop.yaml:12)',
      '  unmatched peer: ingress rule 1 of shop/db (shop.yaml:17) allows pods with app=web,role=client in namespace shop, which no workload in these files creates',
      '  near miss: ingress rule 1 of shop/db (shop.yaml:17): its selector wants role=client, but the pods have no role',
    ]);
  });

  it('names the labels of the workload itself in a near miss, if policies treat another one alike', async () => {
    const pod = (namespace: string, name: string) =>
      lines(`
        apiVersion: v1
        kind: Pod
        metadata: {name: ${name}, namespace: ${namespace}, labels: {app: ${name}}}
      `);
    const policy = lines(`
      apiVersion: networking.k8s.io/v1
      kind: NetworkPolicy
      metadata: {name: web, namespace: shop}
      spec:
        podSelector: {matchLabels: {app: web}}
        ingress:
          - from:
              - namespaceSelector: {matchLabels: {purpose: monitoring}}
                podSelector: {matchLabels: {app: prom}}
    `);
    const all = [pod('shop', 'web'), pod('shop', 'cache'), pod('monitoring', 'prom'), policy];
    const files = { 'all.yaml': all.join('\n---\n') };
    const unmatched =
      'unmatched peer: ingress rule 1 of shop/web (all.yaml:19) allows pods with app=prom in namespaces with purpose=monitoring, which no workload in these files creates';
    const rule = 'near miss: ingress rule 1 of shop/web (all.yaml:19)';
    const namespace =
      'its selector wants purpose=monitoring, but the files contain no Namespace object of this namespace';
    const labels = 'its selector wants app=prom, but the pods have app=cache';
    for (const [from, lacks] of [
      ['prom', namespace],
      ['cache', `${namespace} and ${labels}`],
    ] as const) {
      const near = `${rule}: ${lacks}`;
      assert.equal((await told([from, 'web', '--port', '8080'], files)).at(-1), `  ${near}`);
      const { json } = await runInMemory(['reach', from, 'web', '--port', '8080', '--format', 'json'], { files });
      assert.deepEqual((json as { readonly reasons: unknown }).reasons, [unmatched, near]);
    }
  });

  it('shows the ports that the target declares', async () => {
    const lines = await told(['--from', 'pod/web', '--to', 'shop/Pod/db']);
    assert.deepEqual(lines.slice(0, 2), ['shop/Pod/web -> shop/Pod/db: nothing', 'TCP 5432: denied']);
  });

  it('shows all connections', async () => {
    assert.deepEqual(await told([]), [
      'shop/Pod/web -> ip:0.0.0.0/0: all ports (no policy restricts it)',
      'shop/Pod/web -> ip:::/0: all ports (no policy restricts it)',
      'shop/Pod/db -> shop/Pod/web: all ports (no policy restricts it)',
      'shop/Pod/db -> ip:0.0.0.0/0: all ports (no policy restricts it)',
      'shop/Pod/db -> ip:::/0: all ports (no policy restricts it)',
      'ip:0.0.0.0/0 -> shop/Pod/web: all ports (no policy restricts it)',
      'ip:::/0 -> shop/Pod/web: all ports (no policy restricts it)',
    ]);
    assert.deepEqual(await told(['--from', 'ip:192.0.2.1', '--to', 'web', '--format', 'csv']), [
      'from,to,protocol,ports,answer',
      'ip:192.0.2.1,shop/Pod/web,TCP,all,allowed',
      'ip:192.0.2.1,shop/Pod/web,UDP,all,allowed',
      'ip:192.0.2.1,shop/Pod/web,SCTP,all,allowed',
    ]);
  });

  it('lists the connections on one port, without FROM or TO', async () => {
    const files = { 'shop.yaml': shop['shop.yaml'].replace('{app: web}}', '{app: web, role: client}}') };
    assert.deepEqual(await told(['--to', 'db'], files), [
      'shop/Pod/web -> shop/Pod/db: TCP 5432 (ingress rule 1 of shop/db)',
    ]);
    assert.deepEqual(await told(['--to', 'db', '--port', '5432'], files), [
      'shop/Pod/web -> shop/Pod/db: TCP 5432 (ingress rule 1 of shop/db)',
    ]);
    assert.deepEqual(await told(['--to', 'db', '--port', '80'], files), ['No connection is allowed.']);
    assert.deepEqual(await told(['--to', 'db', '--port', '5432', '--protocol', 'UDP'], files), [
      'No connection is allowed.',
    ]);
    assert.deepEqual(await told(['--from', 'web', '--port', '5432', '--format', 'csv'], files), [
      'from,to,protocol,ports,answer',
      'shop/Pod/web,shop/Pod/db,TCP,5432,allowed',
      'shop/Pod/web,ip:0.0.0.0/0,TCP,5432,allowed',
      'shop/Pod/web,ip:::/0,TCP,5432,allowed',
    ]);
    const all = await told(['--port', '5432'], files);
    assert.equal(all.length, 8);
    assert.deepEqual(await told(['--port', '5432', '--limit', '2'], files), [
      ...all.slice(0, 2),
      "! selector-lens: Only 2 connections are listed. Specify FROM or TO, or use '--limit'.",
    ]);
  });

  it('draws connections', async () => {
    assert.deepEqual(await told(['--from', 'db', '--to', 'web', '--format', 'mermaid']), [
      'flowchart LR',
      '  n1["shop/Pod/db"]',
      '  n2["shop/Pod/web"]',
      '  n1 -->|"all ports"| n2',
    ]);
  });

  it('states what it cannot answer', async () => {
    for (const [words, problem] of [
      [['web'], "'reach' requires both FROM and TO."],
      [['web', 'dv'], "There is no workload 'dv'."],
      [
        ['web', 'web'],
        'FROM and TO are the same workload: network policies do not define connections of a pod with itself.',
      ],
      [['web', 'db', '--port', '0'], "The port '0' must be a number from 1 to 65535."],
      [['ip:192.0.2.1', 'ip:192.0.2.2'], 'FROM and TO are both outside the cluster, where no network policy applies.'],
    ] as const)
      assert.deepEqual(await told(words), [`! selector-lens: ${problem}`, '(exit code 2)']);
  });

  it('names policies that the API server or a network plugin rejects, and other kinds of policies', async () => {
    const files = {
      ...shop,
      'more.yaml': lines(`
        apiVersion: networking.k8s.io/v1
        kind: NetworkPolicy
        metadata: {name: broken, namespace: shop}
        spec:
          podSelector: {}
          ingress: [{ports: [{port: "80"}]}]
        ---
        apiVersion: cilium.io/v2
        kind: CiliumNetworkPolicy
        metadata: {name: none, namespace: shop}
        spec: {endpointSelector: {}}
        ---
        apiVersion: crd.antrea.io/v1beta1
        kind: NetworkPolicy
        metadata: {name: other, namespace: shop}
      `),
    };
    assert.deepEqual((await told(['ip:192.0.2.1', 'web', '--port', '80'], files)).slice(-3), [
      "! selector-lens: NetworkPolicy/broken in more.yaml is ignored; the API server rejects it at spec.ingress.0.ports.0.port: `port` must be a number or a port name (lower-case letters, digits and '-', at least one letter): write 80 without quotes for a number.",
      '! selector-lens: CiliumNetworkPolicy/none in more.yaml has no effect, unless an earlier version of it was applied; Cilium rejects it at spec: must have at least one of `ingress`, `ingressDeny`, `egress` and `egressDeny`.',
      '! selector-lens: NetworkPolicy/other is not evaluated: connections of the pods that it may select are unknown.',
    ]);
  });
});

describe('reach over what is applied', () => {
  const overlay = (name: string, patch: string) => ({
    [`overlays/${name}/kustomization.yaml`]: lines(`
      resources: [../../base]
      namespace: ${name}
      patches:
        - path: patch.yaml
    `),
    [`overlays/${name}/patch.yaml`]: patch,
  });
  const files = {
    'base/kustomization.yaml': 'resources: [shop.yaml]\n',
    'base/shop.yaml': shop['shop.yaml'].replaceAll(', namespace: shop', ''),
    ...overlay(
      'prod',
      lines(`
        apiVersion: networking.k8s.io/v1
        kind: NetworkPolicy
        metadata: {name: db}
        spec:
          ingress:
            - ports: [{port: 5432}, {port: 9187}]
      `),
    ),
  };

  it('reads policies as kustomizations build them', async () => {
    assert.deepEqual(await told(['web', 'db'], files), [
      'prod/Pod/web -> prod/Pod/db: TCP 5432,9187',
      'TCP 5432: allowed',
      '  egress: no policy isolates prod/Pod/web',
      '  ingress: allowed by ingress rule 1 of prod/db (base/shop.yaml:12)',
    ]);
  });

  it('requires a scope if several apply the same objects', async () => {
    const kustomization = { 'overlays/test/kustomization.yaml': 'resources: [../../base]\nnamespace: prod\n' };
    const same = { ...files, ...kustomization };
    assert.deepEqual(await told(['web', 'db'], same), [
      "! selector-lens: Several scopes apply the same objects: choose one with '--scope': overlays/prod, overlays/test.",
      '(exit code 2)',
    ]);
    assert.deepEqual((await told(['web', 'db', '--scope', 'overlays/test'], same)).slice(0, 1), [
      'prod/Pod/web -> prod/Pod/db: nothing',
    ]);
    const more = {
      ...same,
      'overlays/test/kustomization.yaml': 'resources: [../../base, more.yaml]\nnamespace: prod\n',
      'overlays/test/more.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: more, labels: {app: more}}\n',
    };
    assert.deepEqual((await told(['web', 'more'], more)).slice(-1), [
      '! selector-lens: Only overlays/test contains web and more.',
    ]);
    const apart = { ...files, 'overlays/test/kustomization.yaml': 'resources: [../../base]\nnamespace: test\n' };
    assert.deepEqual((await told(['prod/Pod/db', 'test/Pod/web'], apart)).slice(0, 1), [
      'prod/Pod/db -> test/Pod/web: all ports',
    ]);
  });

  describe('with a policy of a chart under a condition', () => {
    const pod = (name: string) =>
      lines(`
        apiVersion: v1
        kind: Pod
        metadata: {name: ${name}, labels: {app: ${name}}}
      `);
    const release = (values: string) => ({
      'apps/flux.yaml': lines(`
        apiVersion: source.toolkit.fluxcd.io/v1
        kind: GitRepository
        metadata: {name: fleet, namespace: flux-system}
        spec: {url: https://git.example.com/team/fleet}
        ---
        apiVersion: helm.toolkit.fluxcd.io/v2
        kind: HelmRelease
        metadata: {name: shop, namespace: shop}
        spec:
          chart: {spec: {chart: ./charts/shop, sourceRef: {kind: GitRepository, name: fleet, namespace: flux-system}}}
          ${values}
      `),
      'charts/shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 0.1.0\n',
      'charts/shop/templates/pods.yaml': [pod('web'), pod('db')].join('\n---\n'),
      'charts/shop/templates/policy.yaml': lines(`
        {{- if .Values.isolated }}
        apiVersion: networking.k8s.io/v1
        kind: NetworkPolicy
        metadata: {name: db}
        spec: {podSelector: {matchLabels: {app: db}}, policyTypes: [Ingress]}
        {{- end }}
      `),
    });
    for (const [values, answer] of [
      ['values: {isolated: true}', 'denied'],
      ['values: {isolated: false}', 'allowed'],
      ['valuesFrom: [{kind: Secret, name: unknown}]', 'unknown'],
    ] as const)
      it(`${values}: ${answer}`, async () => {
        const [first] = await told(['shop/Pod/web', 'shop/Pod/db', '--port', '5432'], release(values));
        assert.equal(first, `shop/Pod/web -> shop/Pod/db, TCP 5432: ${answer}`);
      });
  });

  it('evaluates a chart with its default values, and is uncertain about a chart with whose values Helm stops', async () => {
    const chart = {
      'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 0.1.0\n',
      'templates/pods.yaml': shop['shop.yaml']
        .split('---\n')
        .slice(0, 2)
        .join('---\n')
        .replaceAll(', namespace: shop', ''),
      'templates/policy.yaml': lines(`
        {{- if .Values.policy.enabled }}
        apiVersion: networking.k8s.io/v1
        kind: NetworkPolicy
        metadata: {name: db}
        spec:
          podSelector: {matchLabels: {app: db}}
          ingress:
            - ports:
                - port: {{ .Values.port }}
        {{- end }}
      `),
    };
    const answers = async (values?: string) => {
      const files = values === undefined ? chart : { ...chart, 'values.yaml': values };
      const rows = await told(['--from', 'web', '--to', 'db', '--format', 'csv'], files);
      return rows.slice(1).map((row) => row.replace(/^.*?Pod\/db,/, ''));
    };
    assert.deepEqual(await answers('policy: {enabled: false}'), [
      'TCP,all,allowed',
      'UDP,all,allowed',
      'SCTP,all,allowed',
    ]);
    assert.deepEqual(await answers('policy: {enabled: true}\nport: 80'), ['TCP,80,allowed']);
    assert.deepEqual(await answers(), [
      'TCP,all,unknown',
      'UDP,all,unknown',
      'SCTP,all,unknown',
      '! selector-lens: with no values, Helm stops, so the objects of . are uncertain: templates/policy.yaml:1: nil pointer',
    ]);
  });

  it('lists at most 20,000 connections by default', async () => {
    const pod = (index: number) =>
      `---\napiVersion: v1\nkind: Pod\nmetadata: {name: p${index}, labels: {app: a}}\nspec: {containers: [{name: a}]}\n`;
    const all = Array.from({ length: 150 }, (_, index) => pod(index)).join('');
    const { err } = await runInMemory(['reach'], { files: { 'pods.yaml': all } });
    assert.deepEqual(err, ["selector-lens: Only 20000 connections are listed. Specify FROM or TO, or use '--limit'."]);
  });

  it('lists as many connections as the limit allows, and states that', async () => {
    const pod = (name: string) => `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\n`;
    const files = { 'a.yaml': ['a', 'b', 'c'].map(pod).join('---\n') };
    const all = await runInMemory(['reach'], { files });
    assert.equal(all.out.length, 18);
    assert.deepEqual(all.err, []);
    const { out, err } = await runInMemory(['reach', '--limit', '4'], { files });
    assert.deepEqual(out, all.out.slice(0, 4));
    assert.deepEqual(err, ["selector-lens: Only 4 connections are listed. Specify FROM or TO, or use '--limit'."]);
    for (const limit of ['0', '500001', '1e3', '-1']) {
      const wrong = await runInMemory(['reach', `--limit=${limit}`], { files });
      assert.equal(wrong.code, 2);
      assert.match(wrong.err.join('\n'), /must be a number from 1 to 500000/);
    }
  });
});
