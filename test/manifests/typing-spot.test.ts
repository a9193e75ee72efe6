/** Where would the word at the cursor stand, once it is typed? */

import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { typingSpotAt } from '../../server/src/manifests/typing-spot.ts';
import { readFixture } from '../harness/margin.ts';

/** `key of metadata.labels beside app,tier, replacing "te"`. */
function typing(fixture: string): string {
  const [file] = readFixture(fixture);
  const here = file?.places.get('here');
  if (file === undefined || here === undefined) throw new Error('no place is called here');
  const spot = typingSpotAt(file.text, here.start, catalogue);
  if (spot === undefined) return '(none)';
  const on = spot.on === 'key' ? 'key' : `value of ${spot.key}`;
  const word = file.text.slice(spot.word.start, spot.word.end);
  const others = spot.others.length === 0 ? '' : ` beside ${spot.others.join(',')}`;
  return `${on} in ${spot.place.site.path}${others}, replacing "${word}"${spot.bare ? ' alone' : ''}`;
}

const head = `
  apiVersion: v1
  kind: Service
  metadata:
    name: web
`;

describe('typing', () => {
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
    ['a quoted key', '    labels:\n      "te"\n      #  ^ here\n', 'key in metadata.labels, replacing "te" alone'],
    ['an open quote', '    labels:\n      "te\n      #  ^ here\n', 'key in metadata.labels, replacing "te" alone'],
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
      'value of app in metadata.labels, replacing "we" alone',
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
    ['in annotations', '    annotations:\n      te\n      # ^ here\n', 'key in metadata.annotations, replacing "te"'],
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
    assert.equal(typing(fixture('"te"', '  ^')), 'key in metadata.labels, replacing "te" alone');
    assert.equal(typing(fixture('"app": "we"', '         ^')), 'value of app in metadata.labels, replacing "we" alone');
    assert.equal(
      typing(fixture('"app": "web", ""', '              ^')),
      'key in metadata.labels beside app, replacing "" alone',
    );
  });
});
