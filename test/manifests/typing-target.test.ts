/** Tests the completion target of an incomplete word at the cursor. */

import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import type { CompletionTarget } from '../../server/src/manifests/cursor/completion-target.ts';
import { typingTargetAt } from '../../server/src/manifests/cursor/parse-with-marker.ts';
import { readFixture } from '../harness/margin.ts';

/** `key of metadata.labels beside app,tier, replacing "te"`. */
function typing(fixture: string): string {
  const [file] = readFixture(fixture);
  const here = file?.places.get('here');
  if (file === undefined || here === undefined) throw new Error('no place is called here');
  const cursorTarget = typingTargetAt(file.text, here.start, { catalogue });
  if (cursorTarget === undefined) return '(none)';
  const token = file.text.slice(cursorTarget.token.start, cursorTarget.token.end);
  const { needsColon, needsComma } = cursorTarget.style;
  const quotes = /^["']/.test(token) ? ' with its quotes' : '';
  const isKey = cursorTarget.place.kind === 'label' && cursorTarget.place.on === 'key';
  const rest = `${isKey && !needsColon ? ' alone' : ''}${needsComma ? ' and a comma' : ''}`;
  return `${told(cursorTarget.place)}, replacing "${token.replaceAll(/["']/g, '')}"${quotes}${rest}`;
}

function told(place: CompletionTarget): string {
  switch (place.kind) {
    case 'label': {
      const on = place.on === 'key' ? 'key' : `value of ${place.key}`;
      const beside = place.others.map((entry) => entry.key.text);
      return `${on} in ${place.site.path}${beside.length === 0 ? '' : ` beside ${beside.join(',')}`}`;
    }
    case 'selector':
      return `${place.part} of ${place.site.path}`;
    case 'selectorField':
      return `${place.fields.join(' or ')} in ${place.site.path}`;
    case 'expressionField':
      return `${place.fields.join(' or ')} of a requirement in ${place.site.path}`;
    case 'expressionKey':
    case 'operator':
    case 'expressionValue': {
      const { key, operator, values } = place.expression;
      const there = [key?.text, operator?.text, ...values.map(({ text }) => text)].filter((each) => each !== undefined);
      return `${place.kind} in ${place.site.path} beside ${there.join(' ') || 'nothing'}`;
    }
    case 'selectorText':
    case 'fieldText':
    case 'field':
      return `${place.kind} in ${place.site.path}`;
    case 'labelKey':
      return `labelKey of ${place.of?.kind}${place.others.length === 0 ? '' : ` beside ${place.others.join(',')}`}`;
    case 'namespace':
      return `namespace${place.others.length === 0 ? '' : ` beside ${place.others.join(',')}`}`;
    case 'fieldPath':
      return `fieldPath over ${[...place.labels, ...place.annotations].map(({ key }) => key.text).join(',')}`;
    case 'reference':
      return `${place.on} in ${place.site.path}`;
    case 'policyPort':
      return `port of ${place.direction}`;
    case 'path':
      return `path to a ${place.to} beside ${place.others.join(',')}`;
    case 'identity':
      return `${place.field} beside ${[...place.others].join(',')}`;
  }
}

const head = `
  apiVersion: v1
  kind: Service
  metadata:
    name: web
`;

describe('completion target', () => {
  const cases: readonly (readonly [what: string, typed: string, found: string])[] = [
    ['on an empty line', '    labels:\n\n    # ^ here\n', 'key in metadata.labels, replacing ""'],
    [
      'on an empty line between',
      '    labels:\n      app: web\n\n     #^ here\n      tier: a\n',
      'key in metadata.labels beside app,tier, replacing ""',
    ],
    [
      'on an empty line after',
      '    labels:\n      app: web\n\n     #^ here\n',
      'key in metadata.labels beside app, replacing ""',
    ],
    [
      'a half key',
      '    labels:\n      app: web\n      te\n      # ^ here\n',
      'key in metadata.labels beside app, replacing "te"',
    ],
    [
      'a half key with a prefix',
      '    labels:\n      app.kubernetes.io/na\n      #                   ^ here\n',
      'key in metadata.labels, replacing "app.kubernetes.io/na"',
    ],
    ['a whole key', '    labels:\n      app: web\n      #^ here\n', 'key in metadata.labels, replacing "app" alone'],
    [
      'a quoted key',
      '    labels:\n      "te"\n      #  ^ here\n',
      'key in metadata.labels, replacing "te" with its quotes',
    ],
    [
      'an open quote',
      '    labels:\n      "te\n      #  ^ here\n',
      'key in metadata.labels, replacing "te" with its quotes',
    ],
    ['a value', '    labels:\n      app: we\n      #      ^ here\n', 'value of app in metadata.labels, replacing "we"'],
    ['no value yet', '    labels:\n      app: \n      #    ^ here\n', 'value of app in metadata.labels, replacing ""'],
    [
      'no value yet, between',
      '    labels:\n      app: \n      #    ^ here\n      tier: a\n',
      'value of app in metadata.labels beside tier, replacing ""',
    ],
    [
      'a quoted value',
      '    labels:\n      app: "we"\n      #       ^ here\n',
      'value of app in metadata.labels, replacing "we" with its quotes',
    ],
    [
      'in braces',
      '    labels: {app: web, te}\n    #                    ^ here\n',
      'key in metadata.labels beside app, replacing "te"',
    ],
    ['in empty braces', '    labels: {}\n    #        ^ here\n', 'key in metadata.labels, replacing ""'],
    [
      'a value in braces',
      '    labels: {app: we}\n    #               ^ here\n',
      'value of app in metadata.labels, replacing "we"',
    ],
    ['in open braces', '    labels: {te\n    #          ^ here\n', 'key in metadata.labels, replacing "te"'],
    ['in annotations', '    annotations:\n      te\n      # ^ here\n', '(none)'],
    ['in a selector', '  spec:\n    selector:\n      te\n      # ^ here\n', 'key in spec.selector, replacing "te"'],
    [
      'a value of a selector',
      '  spec:\n    selector:\n      app: we\n      #      ^ here\n',
      'value of app in spec.selector, replacing "we"',
    ],
    ['in a comment', '    labels:\n      app: web # te\n      #            ^ here\n', '(none)'],
    ['elsewhere', '  spec:\n    te\n    # ^ here\n', '(none)'],
    ['at the key of the map', '    labels:\n    # ^ here\n      app: web\n', '(none)'],
    [
      'with text behind that is broken',
      '    labels:\n      te\n      # ^ here\n  spec: [\n',
      'key in metadata.labels, replacing "te"',
    ],
    [
      'beside templates',
      '    labels:\n      {{- include "x" . | nindent 4 }}\n      te\n      # ^ here\n',
      'key in metadata.labels, replacing "te"',
    ],
  ];
  for (const [what, typed, found] of cases) it(what, () => assert.equal(typing(head + typed), found));

  it('in a pod template, with its requirements in other documents', () => {
    const fixture = `
      apiVersion: v1
      kind: ConfigMap
      ---
      apiVersion: apps/v1
      kind: Deployment
      spec:
        template:
          metadata:
            labels:
              app: web

             #^ here
          spec:
            containers:
            - image: web:1
      ---
      a: b
    `;
    assert.equal(typing(fixture), 'key in spec.template.metadata.labels beside app, replacing ""');
  });

  it('in JSON', () => {
    const fixture = (line: string, mark: string) => `
      {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
          "labels": {
            ${line}
            #${mark} here
          }
        }
      }
    `;
    assert.equal(typing(fixture('"te"', '  ^')), 'key in metadata.labels, replacing "te" with its quotes');
    assert.equal(
      typing(fixture('"app": "we"', '         ^')),
      'value of app in metadata.labels, replacing "we" with its quotes',
    );
    assert.equal(
      typing(fixture('"app": "web", ""', '              ^')),
      'key in metadata.labels beside app, replacing "" with its quotes',
    );
  });
});
