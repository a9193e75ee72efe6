/** Tests the features of the editor in selectors of Cilium and Calico. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';
import { renameLines } from '../harness/rename-lines.ts';

const workloads = `
  ==> web.yaml <==
  apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: website
    namespace: shop
  spec:
    selector:
      matchLabels:
        app: website
    template:
      metadata:
        labels:
          app: website
          tier: front
`;

const calico = (selector: string) => `${workloads}
  ==> policy.yaml <==
  apiVersion: projectcalico.org/v3
  kind: NetworkPolicy
  metadata:
    name: website
    namespace: shop
  spec:
    selector: ${selector}
`;

const cilium = (label: string) => `${workloads}
  ==> policy.yaml <==
  apiVersion: cilium.io/v2
  kind: CiliumNetworkPolicy
  metadata:
    name: website
    namespace: shop
  spec:
    endpointSelector:
      matchLabels:
        ${label}
`;

describe('selectors of Calico in an editor', () => {
  it('show their matches, and labels show them', async () => {
    const b = await bench(calico("app == 'website' && has(tier)\n    #         ^ here"));
    assert.match(b.hover('here'), /\*\*Selects\*\* .* where `app` is 'website' and `tier` has any value\./);
    assert.match(b.hover('here'), /\*\*Matches\*\* \(1\)\n- \[Deployment\/website\]/);
    assert.equal(b.lenses('policy.yaml'), lines('7 spec.selector: selects Deployment/website'));
    assert.equal(b.lenses('web.yaml'), lines('12 spec.template.metadata.labels: isolated by NetworkPolicy/website'));
  });

  it('show the whole condition if it is more than requirements on labels', async () => {
    const b = await bench(calico("app == 'website' && (tier == 'back' || pcns.team == 'a')\n    #         ^ here"));
    const hover = b.hover('here');
    assert.match(hover, /for which this holds: `app == 'website' && \(tier == 'back' \|\| pcns\.team == 'a'\)`/);
    assert.match(hover, /\*\*May match\*\* \(1\)/);
    assert.doesNotMatch(hover, /kubectl/);
  });

  it('complete keys, operators and values', async () => {
    for (const [typed, at, expected] of [
      ['t', 15, ['selector: app', 'selector: tier']],
      ["app == ''", 22, ["selector: app == 'website'"]],
      [
        'app ',
        18,
        ["selector: app == ''", "selector: app != ''", `selector: "app in {''}"`, `selector: "app not in {''}"`],
      ],
      ["app == 'website' && ", 34, ["selector: app == 'website' && app", "selector: app == 'website' && tier"]],
      ['has(', 18, ['selector: has(app', 'selector: has(tier']],
    ] as const) {
      const b = await bench(calico(`${typed}\n    #${' '.repeat(at - 5)}^ here`));
      assert.deepEqual(b.completion('here'), expected, typed);
    }
  });

  it('are renamed in alternatives and negations, which the user confirms', async () => {
    const label = workloads.replace('tier: front', 'tier: front\n          # ^ key\n          #     ^ value');
    for (const [selector, key, value] of [
      ["tier == 'front' || app == 'x'", "kind == 'front' || app == 'x'", "tier == 'kind' || app == 'x'"],
      [
        "!(tier in {'front', 'back'} && has(x))",
        "!(kind in {'front', 'back'} && has(x))",
        "!(tier in {'kind', 'back'} && has(x))",
      ],
      ["!(app == 'x' || has(x))", undefined, undefined],
    ] as const) {
      const policy = calico(`"${selector}"`).replace(workloads, label);
      for (const [place, expected] of [
        ['key', key],
        ['value', value],
      ] as const) {
        const [, ...edits] = renameLines(await bench(policy), place, 'kind');
        assert.deepEqual(edits, expected === undefined ? [] : [`policy.yaml:7 selector: "${expected}" (uncertain)`]);
      }
    }
    const elsewhere = calico("tier == 'front' || app == 'x'")
      .replace(workloads, label)
      .replaceAll(
        'website\n    namespace: shop\n  spec:\n    selector: t',
        'website\n    namespace: bank\n  spec:\n    selector: t',
      );
    assert.equal(renameLines(await bench(elsewhere), 'key', 'kind').length, 1);
  });

  it('are renamed in the language', async () => {
    const b = await bench(calico("app == 'website' && has(tier)\n    #                   ^ here"));
    assert.deepEqual(renameLines(b, 'here', 'shop'), [
      'web.yaml:9 app: shop (immutable)',
      'web.yaml:13 app: shop (immutable)',
      "policy.yaml:7 selector: app == 'shop' && has(tier) (immutable)",
    ]);
  });
});

describe('selectors of Cilium in an editor', () => {
  it('show their matches, and are renamed with their sources', async () => {
    const b = await bench(cilium('k8s:app: website\n        #   ^ here'));
    assert.match(b.hover('here'), /\*\*Matches\*\* \(1\)\n- \[Deployment\/website\]/);
    assert.equal(b.lenses('policy.yaml'), lines('7 spec.endpointSelector: selects Deployment/website'));
    assert.deepEqual(renameLines(b, 'here', 'name'), [
      'web.yaml:9 name: website (immutable)',
      'web.yaml:13 name: website (immutable)',
      'policy.yaml:9 k8s:name: website (immutable)',
    ]);
  });

  it('complete keys after their sources', async () => {
    for (const [typed, at, expected] of [
      ['k8s:ti', 6, ['k8s:app: website', 'k8s:tier: front']],
      ['any:', 4, ['any:app: website', 'any:tier: front']],
      ['k8s:ti: front', 6, ['k8s:app: front', 'k8s:tier: front']],
    ] as const) {
      const b = await bench(cilium(`${typed}\n        #${' '.repeat(at - 1)}^ here`));
      assert.deepEqual(b.completion('here'), expected, typed);
    }
    for (const [part, expected] of [
      [
        'matchExpressions:\n        - key: k8s:ti\n        #            ^ here\n          operator: Exists',
        ['- key: k8s:app', '- key: k8s:tier'],
      ],
      [
        'matchLabels: {k8s:app: website, k8s:ti}\n      #                                     ^ here',
        ['matchLabels: {k8s:app: website, k8s:tier: front}'],
      ],
    ] as const) {
      const policy = cilium('k8s:any: x').replace('matchLabels:\n        k8s:any: x', part);
      assert.deepEqual((await bench(policy)).completion('here'), expected);
    }
  });

  it('complete values', async () => {
    const b = await bench(cilium('k8s:app: we\n        #          ^ here'));
    assert.deepEqual(b.completion('here'), ['k8s:app: website']);
  });
});

const account = `
  ==> cluster.yaml <==
  apiVersion: v1
  kind: Namespace
  metadata:
    name: shop
    labels:
      team: blue
  ---
  apiVersion: v1
  kind: ServiceAccount
  metadata:
    name: website
    namespace: shop
`;

describe('labels of namespaces in selectors of Cilium and Calico', () => {
  it('are renamed with the namespaces, from either side', async () => {
    for (const [policy, edit] of [
      [
        cilium('io.cilium.k8s.namespace.labels.team: blue\n        # ^ here'),
        'policy.yaml:9 io.cilium.k8s.namespace.labels.group: blue',
      ],
      [
        calico("pcns.team == 'blue' || pcns.team != 'red'\n    #         ^ here"),
        "policy.yaml:7 selector: pcns.group == 'blue' || pcns.group != 'red'",
      ],
    ] as const) {
      const b = await bench(`${account}${policy}`);
      assert.deepEqual(renameLines(b, 'here', 'group'), ['cluster.yaml:6 group: blue', edit]);
      const fromNamespace = `${account.replace('team: blue', 'team: blue\n      # ^ label')}${policy.replace('here', 'there')}`;
      const other = await bench(fromNamespace);
      assert.deepEqual(renameLines(other, 'label', 'group'), ['cluster.yaml:6 group: blue', edit]);
    }
    const value = await bench(
      `${account}${cilium('k8s:io.cilium.k8s.namespace.labels.team: blue\n        #                                        ^ here')}`,
    );
    assert.deepEqual(renameLines(value, 'here', 'red'), [
      'cluster.yaml:6 team: red',
      'policy.yaml:9 k8s:io.cilium.k8s.namespace.labels.team: red',
    ]);
  });

  it('are no labels of pods, and names of namespaces and service accounts are not renamed as labels', async () => {
    const pods = workloads.replaceAll('tier: front', 'team: blue');
    const both = `${account}${pods.replace('team: blue', 'team: blue\n          # ^ label')}`;
    const b = await bench(`${both}${calico("pcns.team == 'blue'").replace(workloads, '')}`);
    assert.deepEqual(renameLines(b, 'label', 'group'), ['web.yaml:14 group: blue']);
    for (const label of [
      'k8s:io.kubernetes.pod.namespace: shop\n        #                          ^ here',
      'io.cilium.k8s.policy.serviceaccount: website\n        #                                ^ here',
    ])
      assert.deepEqual(renameLines(await bench(`${account}${cilium(label)}`), 'here', 'other'), ['(none)'], label);
  });

  it('are renamed with service accounts, from either side, and completed', async () => {
    const accounts = account.replace('namespace: shop', 'namespace: shop\n    labels:\n      role: cook');
    const edits = ['cluster.yaml:14 job: cook', "policy.yaml:7 selector: pcsa.job == 'cook'"];
    const b = await bench(`${accounts}${calico("pcsa.role == 'cook'\n    #              ^ here")}`);
    assert.deepEqual(renameLines(b, 'here', 'job'), edits);
    const marked = accounts.replace('role: cook', 'role: cook\n      # ^ label');
    const other = await bench(`${marked}${calico("pcsa.role == 'cook' && pcns.role == 'cook'")}`);
    assert.deepEqual(renameLines(other, 'label', 'job'), [
      'cluster.yaml:14 job: cook',
      "policy.yaml:7 selector: pcsa.job == 'cook' && pcns.role == 'cook'",
    ]);
    const typed = await bench(`${accounts}${calico("pcsa.role == 'c'\n    #                        ^ here")}`);
    assert.deepEqual(typed.completion('here'), ["selector: pcsa.role == 'cook'"]);
  });

  it('and names of namespaces are completed', async () => {
    for (const [policy, expected] of [
      [cilium('io.cilium.k8s.namespace.labels.team: b\n        #                                     ^ here'), 'blue'],
      [cilium('k8s:io.kubernetes.pod.namespace: s\n        #                                 ^ here'), 'shop'],
      [calico("pcns.team == 'b'\n    #                        ^ here"), "selector: pcns.team == 'blue'"],
      [calico('pcns.t\n    #               ^ here'), 'selector: pcns.team'],
      [
        calico("projectcalico.org/namespace == 's'\n    #                                          ^ here"),
        "selector: projectcalico.org/namespace == 'shop'",
      ],
    ] as const) {
      const found = (await bench(`${account}${policy}`)).completion('here');
      assert.ok(
        found.some((each) => each.endsWith(expected)),
        `${expected}: ${found.join(' ')}`,
      );
    }
  });

  it('have no meaning of keys without a prefix', async () => {
    const b = await bench(`${account}${cilium('k8s:io.kubernetes.pod.namespace: shop\n        #   ^ here')}`);
    assert.doesNotMatch(b.hover('here'), /private to the user/);
  });
});

const rules = '[{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]';

/** Policies that select the workload by its own labels, with the value in the last line. */
const admission: Readonly<Record<string, string>> = {
  Kyverno: `
  ==> policy.yaml <==
  apiVersion: kyverno.io/v1
  kind: ClusterPolicy
  metadata: {name: website}
  spec:
    rules:
      - name: website
        match:
          any:
            - resources:
                kinds: [Deployment]
                selector:
                  matchLabels:
`,
  'Kyverno with CEL': `
  ==> policy.yaml <==
  apiVersion: policies.kyverno.io/v1
  kind: ValidatingPolicy
  metadata: {name: website}
  spec:
    matchConstraints:
      resourceRules: ${rules}
      objectSelector:
                  matchLabels:
`,
  Gatekeeper: `
  ==> policy.yaml <==
  apiVersion: constraints.gatekeeper.sh/v1beta1
  kind: K8sRequiredLabels
  metadata: {name: website}
  spec:
    match:
      kinds: [{apiGroups: [apps], kinds: [Deployment]}]
      labelSelector:
                  matchLabels:
`,
  Kubernetes: `
  ==> policy.yaml <==
  apiVersion: admissionregistration.k8s.io/v1
  kind: ValidatingAdmissionPolicy
  metadata: {name: website}
  spec:
    matchConstraints:
      resourceRules: ${rules}
      objectSelector:
                  matchLabels:
`,
};

const labeled = workloads.replace('namespace: shop', 'namespace: shop\n    labels: {tier: front, owner: web}');

describe('selectors of admission policies in an editor', () => {
  for (const [system, policy] of Object.entries(admission)) {
    it(`of ${system} are renamed with the labels that they select, and completed from them`, async () => {
      const edits = (b: Awaited<ReturnType<typeof bench>>, place: string) => renameLines(b, place, 'other');
      const here = await bench(`${labeled}${policy}                    owner: web\n                    #      ^ here`);
      const [label, ...others] = edits(here, 'here');
      assert.equal(label, 'web.yaml:6 labels: {tier: front, owner: other}');
      assert.match(others.join(), /^policy\.yaml:\d+ owner: other$/);
      const typed = await bench(`${labeled}${policy}                    owner: w\n                    #       ^ here`);
      assert.deepEqual(typed.completion('here'), ['owner: web']);
    });
  }

  it('show wildcards', async () => {
    const b = await bench(
      `${labeled}${admission['Kyverno']}                    owner: w*\n                    #      ^ here`,
    );
    assert.match(b.hover('here'), /for which this holds: `owner=w\*`/);
  });
});

describe('names in policies', () => {
  it('of service accounts in Calico are references, and are renamed with the objects', async () => {
    const policy = (fields: string) => `${account}${workloads}
  ==> policy.yaml <==
  apiVersion: projectcalico.org/v3
  kind: NetworkPolicy
  metadata: {name: website, namespace: shop}
  spec:
    ingress:
      - action: Allow
        source: {${fields}serviceAccounts: {names: [website]}}
        #${' '.repeat(fields.length + 36)}^ here
`;
    const b = await bench(policy(''));
    assert.equal(b.definition('here'), 'cluster.yaml:11 website');
    assert.deepEqual(renameLines(b, 'here', 'other'), [
      'cluster.yaml:11 name: other (recreated)',
      'policy.yaml:7 source: {serviceAccounts: {names: [other]}} (recreated)',
    ]);
    // Beside a selector of namespaces, the account may be in any of them.
    const elsewhere = await bench(policy("namespaceSelector: team == 'red', "));
    assert.match(elsewhere.hover('here'), /\*\*May refer to\*\* \(1\)/);
  });

  it('are references, and are renamed with the objects', async () => {
    const principal = `${account}${workloads}
  ==> policy.yaml <==
  apiVersion: security.istio.io/v1
  kind: AuthorizationPolicy
  metadata: {name: website, namespace: shop}
  spec:
    rules:
      - from: [{source: {principals: [cluster.local/ns/shop/sa/website]}}]
        #                                                      ^ here
`;
    const b = await bench(principal);
    assert.equal(b.definition('here'), 'cluster.yaml:11 website');
    assert.deepEqual(renameLines(b, 'here', 'other'), [
      'cluster.yaml:11 name: other (recreated)',
      'policy.yaml:6 - from: [{source: {principals: [cluster.local/ns/shop/sa/other]}}] (recreated)',
    ]);
  });
});

describe('the hover of a label', () => {
  const claim = (kind: string) => `
  ==> all.yaml <==
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata:
    name: data
    namespace: shop
    labels:
      snapshot/enabled: "true"
      #^ required
      team: red
      #^ wildcard
      tier: back
      #^ other
  ---
  apiVersion: kyverno.io/v1
  kind: ClusterPolicy
  metadata: {name: snap}
  spec:
    rules:
    - name: snap
      match:
        any:
        - resources:
            kinds: [${kind}]
            selector: {matchLabels: {snapshot/enabled: "true", name: "*"}}
      validate: {message: none, pattern: {metadata: {name: "?*"}}}
`;

  it('names the selector of an admission policy that requires the label', async () => {
    const policy = claim('PersistentVolumeClaim').replace('name: "*"', 'team: "*"');
    const b = await bench(policy);
    assert.match(
      b.hover('required'),
      /\*\*Selected by\*\* \(1\)\n- \[ClusterPolicy\/snap\].* `spec\.rules\[0\]\.match\.any\[0\]\.resources\.selector`/,
    );
    assert.match(b.hover('wildcard'), /\*\*Selected by\*\* \(1\)\n- \[ClusterPolicy\/snap\]/);
    assert.match(b.hover('other'), /No selector in the indexed files matches on this label\./);
  });

  it('states that no selector matches on it if the policy applies to other objects', async () => {
    const b = await bench(claim('PersistentVolumeClaim'));
    assert.match(b.hover('required'), /No selector in the indexed files matches on this label\./);
    const others = await bench(claim('Pod').replace('name: "*"', 'team: "*"'));
    assert.match(others.hover('required'), /No selector in the indexed files matches on this label\./);
  });
});
