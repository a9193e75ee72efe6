/** In which other forms can a selector be copied, and what does it become where it is pasted? */
import assert from 'node:assert/strict';
import { type Bench, bench } from '../harness/bench.ts';

const fixture = `
  ==> look.sh <==
  kubectl get pods -l 'app in (web,api),tier=front'
  #                    ^ sets
  kubectl get pods -l app=$APP
  #                   ^ unknown
  kubectl get pods -l ''
  #                    ^ quoted
  kubectl get pods -o name
  #                   ^ elsewhere
  ==> try.selector <==
  app=web
  # ^ scratch
  ==> service.yaml <==
  apiVersion: v1
  kind: Service
  metadata: {name: web, namespace: shop}
  spec:
    selector: {app: web}
    #          ^ service
  ==> budget.yaml <==
  apiVersion: policy/v1
  kind: PodDisruptionBudget
  metadata: {name: web}
  spec:
    selector:

  #   ^ fields
`;

function at(b: Bench, name: string): readonly [string, number] {
  const { uri, file, span } = b.place(name);
  if (!b.service.isOpen(uri)) b.service.edit(uri, file.text);
  return [uri, span.start];
}

describe('copying a selector', () => {
  it('gives the forms that it does not have yet', async () => {
    const b = await bench(fixture);
    const copies = (name: string) => b.service.copies(...at(b, name)).map(({ title, text }) => `${title}:\n${text}`);
    assert.deepEqual(copies('sets'), [
      'Copy the selector as matchLabels and matchExpressions:\n' +
        'matchLabels:\n  tier: front\nmatchExpressions:\n  - key: app\n    operator: In\n    values: [api, web]',
      'Copy the selector for a URL:\nlabelSelector=app%20in%20%28api%2Cweb%29%2Ctier%3Dfront',
    ]);
    assert.deepEqual(copies('service'), [
      'Copy the selector as a kubectl command:\nkubectl get pods -n shop -l app=web',
      'Copy the selector for a URL:\nlabelSelector=app%3Dweb',
    ]);
    assert.deepEqual(
      b.service.copies(...at(b, 'scratch')).map(({ title }) => title),
      [
        'Copy the selector as matchLabels and matchExpressions',
        'Copy the selector as a kubectl command',
        'Copy the selector for a URL',
      ],
    );
    assert.deepEqual(copies('unknown'), []);
    assert.deepEqual(copies('elsewhere'), []);
  });
});

describe('pasting a selector', () => {
  const yaml = 'matchLabels:\n  app: web\nmatchExpressions:\n  - {key: tier, operator: NotIn, values: [db]}\n';

  it('makes text of YAML between the quotes of a command', async () => {
    const b = await bench(fixture);
    const title = 'Paste as the text of a selector';
    assert.deepEqual(b.service.pasted(...at(b, 'quoted'), yaml), { title, text: 'app=web,tier notin (db)' });
    assert.deepEqual(b.service.pasted(...at(b, 'quoted'), 'app: web\n'), { title, text: 'app=web' });
    assert.deepEqual(b.service.pasted(...at(b, 'quoted'), 'selector:\n  app: web\n'), { title, text: 'app=web' });
  });

  it('makes YAML of text where a field wants it', async () => {
    const b = await bench(fixture);
    const pasted = b.service.pasted(...at(b, 'fields'), 'app=web,!canary');
    assert.equal(pasted?.title, 'Paste as matchLabels and matchExpressions');
    assert.equal(
      pasted?.text,
      'matchLabels:\n      app: web\n    matchExpressions:\n      - key: canary\n        operator: DoesNotExist',
    );
  });

  it('leaves everything else as it is', async () => {
    const b = await bench(fixture);
    for (const text of ['app=web', 'web', 'a: [b]', 'http://example.com', '{', '']) {
      assert.equal(b.service.pasted(...at(b, 'quoted'), text), undefined, text);
      assert.equal(b.service.pasted(...at(b, 'elsewhere'), text), undefined, text);
    }
  });
});
