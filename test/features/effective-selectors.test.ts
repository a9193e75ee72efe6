/** Selectors that the API server defaults or rejects, in every feature that shows what they select. */

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
      assert.match(b.hover('label'), /\*\*Selected by\*\* \(1\)\n- \[ReplicationController\/web\]/);
      assert.match(b.explain('name'), /## `spec.selector`\n\n`app=web`: .*\n\nMatches/);
      assert.match(b.preview('label'), /ReplicationController web via spec.selector: app=web$/);
    });
  }

  it('says where the requirements of an empty selector come from', async () => {
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

  it('without labels anywhere selects nothing, since the API server rejects it', async () => {
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
    assert.match(b.explain('block'), /ingress\[0\]\.from\[0\]\.podSelector`\n\nNo Pods\.\n\nMatches nothing/);
  });

  it('is no reason for a lens', async () => {
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

  it('is over the kind that kubectl prefers, and is described in the preview', async () => {
    const b = await bench(commands);
    assert.match(b.hover('ingress'), /\*\*Selects\*\* Ingresses whose `metadata.name` is `web`\.\n/);
    assert.equal(b.preview('ingress'), 'metadata.name=web (Ingresses whose `metadata.name` is `web`.)');
  });

  it('names kinds of several groups once', async () => {
    const b = await bench(commands);
    assert.match(b.hover('clusters'), /\*\*Selects\*\* Clusters where `app` is 'web'\./);
    assert.match(b.preview('clusters'), /^app=web \(Clusters where/);
  });

  it('has its problems in the preview', async () => {
    const b = await bench(commands);
    assert.match(
      b.preview('invalid'),
      /^'' \(This selector is invalid, so it selects nothing\.\)\nproblem: value must not/,
    );
  });
});

describe('a node selector', () => {
  it('has its terms and its matches in the preview', async () => {
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
  it('matches nothing, also if too little is known of the labels', async () => {
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
    assert.equal(
      b.lenses(),
      '7 spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution: selects nothing',
    );
    assert.match(b.preview('label'), /^'' \(What selects Node\/fast\.\)$/);
  });
});

describe('an object that selects others and is selected', () => {
  const fixture = `
    apiVersion: v1
    kind: Service
    #     ^ kind
    metadata: {name: web, labels: {app: web}}
    #          ^ name
    spec: {selector: {app: web}}
    ---
    apiVersion: apps/v1
    kind: Deployment
    #     ^ workload
    metadata: {name: web}
    spec:
      selector: {matchLabels: {app: web}}
      template: {metadata: {labels: {app: web}}}
    ---
    apiVersion: monitoring.coreos.com/v1
    kind: ServiceMonitor
    metadata: {name: web}
    spec: {selector: {matchLabels: {app: web}}}
    ---
    apiVersion: v1
    kind: Service
    #     ^ nothing
    metadata: {name: other}
    spec: {selector: {app: other}}
  `;

  it('shows both in the hover of its kind', async () => {
    const b = await bench(fixture);
    assert.equal(
      b.hover('kind'),
      lines(`
        Service
        ---
        **Selects** (1)
        - [Deployment/web](<manifest.yaml#L11,25>) — manifest.yaml:11

        **Selected by** (1)
        - [ServiceMonitor/web](<manifest.yaml#L16,8>) — manifest.yaml:16 \`spec.selector\`
      `),
    );
    assert.equal(b.hover('nothing'), 'Service\n---\n**Selects nothing** in this workspace.');
  });

  it('shows both in the preview', async () => {
    const b = await bench(fixture);
    assert.equal(
      b.preview('name'),
      lines(`
        '' (What selects Service/web, and what it selects.)
        matches:
          manifest.yaml Deployment web via spec.template
        selectedBy:
          manifest.yaml ServiceMonitor web via spec.selector: app=web
      `),
    );
  });

  it('is not shown among what it selects itself', async () => {
    const b = await bench(fixture);
    assert.doesNotMatch(b.hover('workload'), /\*\*Selects/);
    assert.match(b.preview('workload'), /^'' \(What selects Deployment\/web\.\)\nselectedBy:/);
  });
});

describe('a namespace selector', () => {
  it('matches a namespace that no file declares if objects are in it', async () => {
    const b = await bench(`
      apiVersion: networking.k8s.io/v1
      kind: NetworkPolicy
      metadata: {name: closed}
      #          ^ policy
      spec:
        podSelector: {}
        ingress:
          - from:
              - namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: shop}}
              # ^ here
          - from:
              - namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: nobody}}
              # ^ nobody
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: web, namespace: shop}
    `);
    assert.match(
      b.hover('here'),
      /\*\*Matches undeclared namespaces\*\* \(1\)\n- `shop`: no file declares it, but 1 object of this workspace is in it\n/,
    );
    assert.doesNotMatch(b.hover('here'), /Matches nothing/);
    assert.match(b.preview('here'), /matches:\n.* Namespace shop: no file declares it, but 1 object/);
    assert.match(b.explain('policy'), /Matches undeclared namespaces\n\n- `shop`: no file declares it/);
    assert.match(b.hover('nobody'), /\*\*Matches nothing\*\* in this workspace/);
  });
});

describe('the pods of a StatefulSet', () => {
  it('are called like it, with an ordinal', async () => {
    const b = await bench(`
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: {name: web}
      spec:
        selector: {matchLabels: {app: web}}
        template: {metadata: {labels: {app: web}}}
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: own}
      spec: {selector: {statefulset.kubernetes.io/pod-name: web-0}}
      #      ^ own
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: other}
      spec: {selector: {statefulset.kubernetes.io/pod-name: web2-0}}
      #      ^ other
    `);
    assert.match(b.hover('own'), /\*\*May match\*\* \(1\)\n- \[StatefulSet\/web\]/);
    assert.match(b.hover('other'), /\*\*Matches nothing\*\*/);
  });
});

describe('a selector that another field switches off', () => {
  it('is ignored in the hover, the lens, the preview and the page about its object', async () => {
    const b = await bench(`
      apiVersion: v1
      kind: Service
      metadata: {name: web}
      #          ^ name
      spec:
        type: ExternalName
        selector: {app: web}
        # ^ here
    `);
    assert.match(b.hover('here'), /This selector is ignored, since/);
    assert.equal(b.lenses(), '6 spec.selector: selector ignored');
    assert.equal(b.preview('here'), "'' (This selector is ignored.)");
    assert.match(b.explain('name'), /## `spec\.selector`\n\nThis selector is ignored\.$/);
  });
});

describe('a selector of an unknown kind', () => {
  const fixture = `
    apiVersion: example.com/v1
    kind: Widget
    metadata: {name: w}
    #          ^ widget
    spec:
      podSelector: {matchLabels: {app: web}}
      # ^ pods
      source:
        selector: {matchLabels: {app: web}}
        # ^ unknown
    ---
    apiVersion: v1
    kind: Pod
    metadata: {name: web, labels: {app: web}}
    #                              ^ label
  `;

  it('may match pods if its field is called so', async () => {
    const b = await bench(fixture);
    assert.match(b.hover('pods'), /\*\*May match\*\* \(1\)\n- \[Pod\/web\]/);
    assert.match(b.preview('pods'), /maybe:\n {2}manifest.yaml Pod web: it is not known into which namespaces/);
    assert.match(b.hover('label'), /\*\*Perhaps selected by\*\* \(1\)\n- \[Widget\/w\]/);
    assert.equal(b.lenses(), '5 spec.podSelector: selects perhaps 1 workload'.replace('workload', 'Pod'));
  });

  it('is never said to match nothing if nothing tells what it is for', async () => {
    const b = await bench(fixture);
    const unknown = 'It is not known which objects this selector is for.';
    assert.match(b.hover('unknown'), new RegExp(`\n\n${unknown}`));
    assert.doesNotMatch(b.hover('unknown'), /Matches nothing/);
    assert.equal(b.preview('unknown'), `app=web (Everything where \`app\` is 'web'. ${unknown})`);
    assert.match(b.explain('widget'), new RegExp(`## \`spec\\.source\\.selector\`\n\n.*${unknown}$`));
  });
});
