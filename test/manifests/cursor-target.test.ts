/** Tests the target under the cursor for every position of a manifest. */

import assert from 'node:assert/strict';
import { cursorTargetAt, cursorTargetSpan } from '../../server/src/manifests/cursor/cursor-target.ts';
import { bench } from '../harness/bench.ts';

async function cursorTargets(fixture: string): Promise<Readonly<Record<string, string>>> {
  const b = await bench(fixture);
  const file = b.file();
  const answers = [...file.places].map(([name, place]) => {
    const cursorTarget = cursorTargetAt(b.manifest(), place.start);
    if (cursorTarget === undefined) return [name, '-'];
    const span = cursorTargetSpan(cursorTarget);
    const covered = file.text.slice(span.start, span.end);
    if (cursorTarget.kind === 'label')
      return [name, `${cursorTarget.on} of label in ${cursorTarget.site.path}: ${covered}`];
    const part =
      cursorTarget.part === undefined
        ? 'whole'
        : cursorTarget.part.kind === 'entry'
          ? cursorTarget.part.on
          : 'expression';
    return [name, `${part} of selector ${cursorTarget.site.path}: ${covered}`];
  });
  return Object.fromEntries(answers);
}

describe('cursor target', () => {
  it('is the label or selector at the cursor', async () => {
    const found = await cursorTargets(`
      apiVersion: apps/v1
      kind: Deployment
      #     ^ kind
      metadata:
        name: web
        #     ^ name
        labels:
        # ^ labels
          app: web
          # ^ ownKey
          #    ^ ownValue
        annotations:
          note: text
          #     ^ annotation
      spec:
        selector:
        # ^ field
          matchLabels:
          # ^ inside
            app: web
            # ^ key
            #    ^ value
            #       ^ valueEnd
          matchExpressions:
            - key: tier
            #      ^ expression
              operator: In
              values: [a, b]
              #           ^ expressionValue
        template:
          metadata:
            labels:
              app: web
              #    ^ templateValue
          spec:
            containers:
            # ^ elsewhere
            - name: web
    `);
    assert.deepEqual(found, {
      kind: '-',
      name: '-',
      labels: '-',
      ownKey: 'key of label in metadata.labels: app',
      ownValue: 'value of label in metadata.labels: web',
      annotation: 'value of label in metadata.annotations: text',
      field: 'whole of selector spec.selector: selector',
      inside: 'whole of selector spec.selector: selector',
      key: 'key of selector spec.selector: app',
      value: 'value of selector spec.selector: web',
      valueEnd: 'value of selector spec.selector: web',
      expression: 'expression of selector spec.selector: key: tier\n        operator: In\n        values: [a, b]',
      expressionValue: 'expression of selector spec.selector: key: tier\n        operator: In\n        values: [a, b]',
      templateValue: 'value of label in spec.template.metadata.labels: web',
      elsewhere: '-',
    });
  });

  it('is the innermost selector of peers', async () => {
    const found = await cursorTargets(`
      apiVersion: networking.k8s.io/v1
      kind: NetworkPolicy
      spec:
        podSelector: {}
        #            ^ empty
        ingress:
        - from:
          - namespaceSelector:
          #   ^ null
            podSelector: {matchLabels: {app: web}}
            #                           ^ peer
    `);
    assert.deepEqual(found, {
      empty: 'whole of selector spec.podSelector: podSelector',
      null: 'whole of selector spec.ingress[0].from[0].namespaceSelector: namespaceSelector',
      peer: 'key of selector spec.ingress[0].from[0].podSelector: app',
    });
  });

  it('is undefined in an empty file', () =>
    assert.equal(cursorTargetAt({ objects: [], documents: 0, syntaxErrors: 0 }, 0), undefined));
});
