/** Tests selectors on the command line in the languages of Calico and Cilium. */

import assert from 'node:assert/strict';
import { runInMemory } from './memory-world.ts';

const files = {
  'all.yaml': `apiVersion: v1
kind: Namespace
metadata: {name: shop, labels: {team: a}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [], serviceAccountName: web}
---
apiVersion: v1
kind: Pod
metadata: {name: db, namespace: data, labels: {app: db}}
`,
};

const may = ' may match: it depends on labels or settings that are not in the files';
const [web, db] = ['all.yaml:6: Deployment/web in shop (spec.template)', 'all.yaml:15: Pod/db in data'];

describe('labels that the cluster adds', () => {
  it('are unknown for the pods of the controllers that get them', async () => {
    const ofSet = files['all.yaml'].replace('kind: Deployment', 'kind: StatefulSet');
    const found = `all.yaml:6: StatefulSet/web in shop (spec.template)`;
    for (const [words, expected] of [
      [["statefulset.kubernetes.io/pod-name == 'web-0'", '--language', 'calico'], [`${found}${may}`]],
      [["apps.kubernetes.io/pod-index == '0' && app == 'web'", '--language', 'calico'], [`${found}${may}`]],
      [['has(statefulset.kubernetes.io/pod-name)', '--language', 'calico'], [found]],
      [["statefulset.kubernetes.io/pod-name == 'other-0'", '--language', 'calico'], []],
      [['statefulset.kubernetes.io/pod-name=web-0', '--pods'], [`${found}${may}`]],
      [['statefulset.kubernetes.io/pod-name=web-0,app=db', '--pods'], []],
    ] as const) {
      const { out } = await runInMemory(['match', '-l', ...words], { files: { 'all.yaml': ofSet } });
      assert.deepEqual(out, expected, words.join(' '));
    }
  });
});

describe('--language', () => {
  for (const [language, selector, expected] of [
    ['calico', "app == 'web'", [web]],
    ['calico', "app == 'web' || app == 'db'", [web, db]],
    ['calico', "pcns.team == 'a'", [web, `${db}${may}`]],
    ['calico', "projectcalico.org/namespace in {'data'}", [db]],
    ['calico', "pcsa.projectcalico.org/name == 'web'", [web]],
    ['calico', '!has(app)', []],
    ['calico', "pod-template-hash == '1'", [`${web}${may}`]],
    ['calico', "statefulset.kubernetes.io/pod-name == 'web-0'", []],
    ['calico', "app == 'db' && pod-template-hash == '1'", []],
    ['cilium', 'pod-template-hash=1', [`${web}${may}`]],
    ['cilium', 'k8s:app=web', [web]],
    ['cilium', 'any:app in (web,db)', [web, db]],
    ['cilium', 'io.kubernetes.pod.namespace=data', [db]],
    ['cilium', 'k8s:io.cilium.k8s.namespace.labels.team=a', [web, `${db}${may}`]],
    ['cilium', 'k8s:app=web,io.cilium.k8s.policy.cluster=default', [`${web}${may}`]],
    ['cilium', 'io.cilium.k8s.policy.cluster', [web, db]],
    ['cilium', 'io.cilium.k8s.policy.serviceaccount!=web', [db]],
    ['cilium', 'reserved:host', []],
    ['cilium', '!reserved:host', [web, db]],
  ] as const) {
    it(`${language} lists the pods that ${selector} matches`, async () => {
      const { out, code } = await runInMemory(['match', '-l', selector, '--language', language], { files });
      assert.deepEqual([code, out], [0, expected]);
    });
  }

  it('rejects selectors that the system rejects', async () => {
    for (const [language, selector, message] of [
      ['calico', 'app = web', "The selector 'app = web' is invalid: expected '==', found '=' (position 5)"],
      ['calico', 'global()', "'global()' is allowed only in the `namespaceSelector` of a rule"],
      ['calico', 'app=web,tier=front', "The selector 'app=web,tier=front' is invalid: expected '=='"],
      ['cilium', 'k8s:app>1', "The selector 'k8s:app>1' is invalid: Cilium has no operator '>'."],
      ['cilium', 'k8s:app=a*', "The selector 'k8s:app=a*' is invalid: "],
      ['cilium', 'app in (a', "The selector 'app in (a' is invalid: "],
    ] as const) {
      const { err, code } = await runInMemory(['match', '-l', selector, '--language', language], { files });
      assert.equal(code, 2, selector);
      assert.ok(err.join('\n').includes(message), err.join('\n'));
    }
    const { code, err } = await runInMemory(['match', '-l', 'a', '--language', 'other'], { files });
    assert.equal(code, 2);
    assert.match(err.join('\n'), /calico/);
  });

  it('explains each condition', async () => {
    const explain = async (language: string, selector: string, object: string) => {
      const given = ['explain', '-l', selector, '--language', language, '--object', object, '--format', 'json'];
      const { json } = await runInMemory(given, { files });
      const { objects } = json as {
        readonly objects: readonly {
          readonly answers: readonly {
            readonly answer: string;
            readonly requirements: readonly { readonly requirement: string; readonly answer: string }[];
          }[];
        }[];
      };
      return objects.flatMap(({ answers }) =>
        answers.map(({ answer, requirements }) => [
          answer,
          ...requirements.map((each) => `${each.requirement}: ${each.answer}`),
        ]),
      );
    };
    assert.deepEqual(await explain('calico', "app == 'web' && pcns.team == 'b'", 'Deployment/web'), [
      ['no', "app == 'web': yes", "pcns.team == 'b': no"],
    ]);
    assert.deepEqual(await explain('cilium', 'k8s:app=web,io.cilium.k8s.namespace.labels.team=a', 'Deployment/web'), [
      ['yes', 'k8s:app in (web): yes', 'io.cilium.k8s.namespace.labels.team in (a): yes'],
    ]);
    assert.deepEqual(await explain('cilium', 'io.cilium.k8s.namespace.labels.team=a', 'Pod/db'), [
      ['maybe', 'io.cilium.k8s.namespace.labels.team in (a): maybe'],
    ]);
  });
});
