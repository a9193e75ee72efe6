/**
 * Tests selectors that the API server defaults or rejects, in every feature that shows their matches (requirement A15).
 */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';

const pod = `---
apiVersion: v1
kind: Pod
metadata: {name: alone, labels: {app: web}}
`;

function controller(selector: string): string {
  return `apiVersion: v1
kind: ReplicationController
metadata: {name: web}
#          ^ name
spec:
${selector}  template:
    metadata:
      labels: {app: web}
      #        ^ label
${pod}`;
}

function deployment(selector: string): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: ${selector}
  # ^ here
  template: {metadata: {labels: {app: web}}}
  #                               ^ label
`;
}

describe('a ReplicationController', () => {
  for (const [what, selector] of [
    ['without a selector', ''],
    ['with a null selector', '  selector:\n'],
    ['with an empty selector', '  selector: {}\n'],
  ] as const) {
    it(`${what} selects the labels of its template`, async () => {
      const b = await bench(controller(selector));
      assert.equal(b.selects('name'), 'ReplicationController/web (manifest.yaml)\n  Pod/alone (manifest.yaml)');
      assert.match(
        b.hover('label'),
        /Only the selector of the ReplicationController itself matches on this label in the indexed files\./,
      );
      assert.match(b.explain('name'), /## `spec.selector`\n\n`app=web`: .*\n\nMatches/);
      // A workload is not listed as selected by itself.
      assert.equal(b.preview('label'), "'' (Selectors that match ReplicationController/web.)");
    });
  }

  it('shows the origin of the requirements of an empty selector', async () => {
    const b = await bench(controller('  selector: {}\n  # ^ here\n'));
    assert.equal(
      b.hover('here').split('\n')[2],
      "An empty `selector` defaults to the labels of the template. Selects Pods where `app` is 'web'.",
    );
    assert.equal(
      b.preview('here'),
      lines(`
        app=web (Pods where \`app\` is 'web'.)
        matches:
          manifest.yaml Pod alone
          manifest.yaml ReplicationController web via spec.template
      `),
    );
  });

  it('without any labels selects nothing, since the API server rejects it', async () => {
    const b = await bench(controller('  selector: {}\n  # ^ here\n').replace('{app: web}', '{}'));
    assert.match(b.hover('here'), /An empty `selector` is invalid without labels in the template\./);
  });

  it('without labels of its own has those of its template', async () => {
    const b = await bench(`${controller('')}---
apiVersion: v1
kind: ReplicationController
metadata: {name: other, labels: {app: other}}
spec: {template: {metadata: {labels: {app: web}}}}
==> get.sh <==
kubectl get rc -l app=web
#                 ^ here
`);
    assert.match(b.hover('here'), /\*\*Matches\*\* \(1\)\n- \[ReplicationController\/web\]/);
  });
});

describe('a label selector with other fields than matchLabels and matchExpressions', () => {
  for (const selector of ['{app: web}', '{matchLabel: {app: web}}', '{matchLabel: {}}']) {
    it(`selects nothing: ${selector}`, async () => {
      const b = await bench(deployment(selector));
      assert.match(b.hover('here'), /^selector\n---\nThis selector is invalid, so it selects nothing:\n/);
      assert.doesNotMatch(b.hover('label'), /Selected by/);
      assert.match(
        b.preview('here'),
        /^'' \(This selector is invalid, so it selects nothing\.\)\nproblem: selector must have/,
      );
      assert.doesNotMatch(b.preview('label'), /Deployment web/);
    });
  }

  it('selects nothing as a kustomization applies it', async () => {
    const b = await bench(`==> kustomization.yaml <==
resources: [policy.yaml]
namePrefix: a-
==> policy.yaml <==
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: closed}
spec:
  podSelector: {app: web}
  ingress:
    - from:
        - podSelector: null
          ipBlock: {cidr: 10.0.0.0/8}
        # ^ block
${pod}      #                          ^ label
`);
    assert.doesNotMatch(b.hover('label'), /elected by/);
    assert.match(b.explain('block'), /ingress\[0\]\.from\[0\]\.podSelector`\n\nNo Pods\.\n/);
  });

  it('causes no lens', async () => {
    const b = await bench(`apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: closed}
spec:
  podSelector: {app: web}
${pod}`);
    assert.equal(b.lenses(), '');
  });
});

describe('a network policy peer with only null fields', () => {
  it('selects nothing', async () => {
    const b = await bench(`apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: closed}
spec:
  podSelector: {matchLabels: {app: other}}
  ingress:
    - from:
        - podSelector: null
        #  ^ here
        - podSelector: null
        #  ^ beside
          namespaceSelector: {}
${pod}`);
    assert.match(b.hover('here'), /^podSelector\n---\nA null `podSelector` selects no Pods here\./);
    assert.match(b.hover('here'), /- No Pods of this namespace \(0 here\)/);
    assert.equal(b.preview('here'), "'' (No Pods.)");
    assert.match(b.preview('beside'), /matches:\n {2}manifest.yaml Pod alone/);
  });
});

describe('a field selector of a command', () => {
  const commands = `
    ==> get.sh <==
    kubectl get ingress --field-selector metadata.name=web
    #                                    ^ ingress
    kubectl get clusters -l app=web
    #                       ^ clusters
    kubectl get pods --field-selector a=b=c
    #                                 ^ invalid
  `;

  it('is evaluated for the kind that kubectl prefers, and described in the preview', async () => {
    const b = await bench(commands);
    assert.match(b.hover('ingress'), /\*\*Selects\*\* Ingresses whose `metadata.name` is `web`\.\n/);
    assert.equal(b.preview('ingress'), 'metadata.name=web (Ingresses whose `metadata.name` is `web`.)');
  });

  it('lists kinds of several groups once', async () => {
    const b = await bench(commands);
    assert.match(b.hover('clusters'), /\*\*Selects\*\* Clusters where `app` is 'web'\./);
    assert.match(b.preview('clusters'), /^app=web \(Clusters where/);
  });

  it('shows its problems in the preview', async () => {
    const b = await bench(commands);
    assert.match(
      b.preview('invalid'),
      /^'' \(This selector is invalid, so it selects nothing\.\)\nproblem: value must not/,
    );
  });
});

describe('a node selector', () => {
  it('shows its terms and matches in the preview', async () => {
    const b = await bench(`
      apiVersion: v1
      kind: Pod
      spec:
        affinity:
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
            # ^ here
              nodeSelectorTerms:
                - matchExpressions: [{key: disk, operator: In, values: [ssd]}]
                - matchFields: [{key: metadata.name, operator: In, values: [fast]}]
      ---
      apiVersion: v1
      kind: Node
      metadata: {name: fast}
    `);
    assert.equal(
      b.preview('here'),
      lines(`
        '' (Nodes where \`disk\` is 'ssd'. Or: Nodes where \`metadata.name\` is 'fast'.)
        matches:
          manifest.yaml Node fast
      `),
    );
  });
});

describe('a selector with requirements that contradict each other', () => {
  it('matches nothing, also if the labels are unknown', async () => {
    const b = await bench(`
      apiVersion: v1
      kind: Pod
      metadata: {name: web}
      spec:
        affinity:
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
            # ^ here
              nodeSelectorTerms:
                - matchExpressions:
                    - {key: cores, operator: Gt, values: ["5"]}
                    - {key: cores, operator: Lt, values: ["6"]}
      ---
      apiVersion: v1
      kind: Node
      metadata: {name: fast, labels: {cores: "{{ .Cores }}"}}
      #                               ^ label
    `);
    assert.match(
      b.hover('here'),
      /less than 6\. No node can match: these requirements contradict each other\.\n\n\*\*Matches nothing\*\*/,
    );
    assert.match(b.hover('here'), /0 of 1 Node here fit\. [\s\S]*Node\/fast\].*the requirements contradict each other/);
    assert.equal(
      b.lenses(),
      '7 spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution: selects nothing',
    );
    assert.match(b.preview('label'), /^'' \(Selectors that match Node\/fast\.\)$/);
  });
});
