/** Tests that all parsed parts have correct spans. */

import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { readManifest } from '../../server/src/manifests/parse-manifest.ts';
import { lines } from '../harness/margin.ts';

function valueText(text: string, key: string): string | undefined {
  const entries = readManifest(text, catalogue).objects[0]?.labels?.entries ?? [];
  const span = entries.find((entry) => entry.key.text === key)?.value.span;
  return span && text.slice(span.start, span.end);
}

const source = lines(`
  # a comment
  apiVersion: v1
  kind: ConfigMap
  metadata:
    labels:
      plain: web # a comment
      words: web two
      folded: web
        two
      single: 'it''s'
      double: "a\\tb"
      literal: |-  # a comment
        web

        two
      kept: >2+
        web

      next: x
      empty:
      quoted-empty: ""
      tagged: !!str 1.10
      anchored: &x web
      alias: *x
      list: [a, b]
      map:
        a: b
      emoji: 😀
      after: x
      template: web-{{ .Values.env }} # a comment
      braces: {a: b}
      last: end`);

const spans: Readonly<Record<string, string>> = {
  plain: 'web',
  words: 'web two',
  folded: 'web\n      two',
  single: "'it''s'",
  double: '"a\\tb"',
  literal: '|-  # a comment\n      web\n\n      two',
  kept: '>2+\n      web',
  next: 'x',
  empty: '',
  'quoted-empty': '""',
  tagged: '1.10',
  anchored: 'web',
  alias: '*x',
  list: '[',
  map: 'a',
  emoji: '😀',
  after: 'x',
  template: 'web-{{ .Values.env }}',
  braces: '{',
  last: 'end',
};

describe('spans of values', () => {
  for (const [name, text] of [
    ['LF', source],
    ['CRLF', source.replaceAll('\n', '\r\n')],
    ['a broken document', `${source}\nx: [`],
    ['a second document', `a: b\n---\n${source}\n`],
  ] as const) {
    it(`with ${name}`, () => {
      const read = Object.keys(spans).map((key) => [key, valueText(text, key)?.replaceAll('\r\n', '\n')]);
      assert.deepEqual(Object.fromEntries(read), spans);
    });
  }

  it('in JSON', () => {
    const text = '{"apiVersion": "v1", "kind": "Pod", "metadata": {"labels": {"a": "b\\"c", "d": 1}}}';
    assert.equal(valueText(text, 'a'), '"b\\"c"');
    assert.equal(valueText(text, 'd'), '1');
  });
});

describe('spans of an object', () => {
  const text = lines(`
    apiVersion: networking.k8s.io/v1
    kind: NetworkPolicy
    metadata:
      name: web
      namespace: "shop"
    spec:
      podSelector:
        matchLabels: {app: web}
        matchExpressions:
          - key: tier
            operator: In
            values: [a, 'b']
      ingress:
        - from:
            - podSelector: {}
              namespaceSelector:
  `);
  const [object] = readManifest(text, catalogue).objects;
  const at = (span?: { readonly start: number; readonly end: number }) => span && text.slice(span.start, span.end);

  it('are those of its names', () => {
    assert.equal(at(object?.kindSpan), 'NetworkPolicy');
    assert.equal(at(object?.name?.span), 'web');
    assert.equal(at(object?.namespace?.span), '"shop"');
  });

  it('are those of its selectors', () => {
    const sites = object?.selectorSites.map(
      (site) => `${site.path}: ${at(site.keySpan)}, ${at(site.span)?.slice(0, 14)}`,
    );
    assert.deepEqual(sites?.toSorted(), [
      'spec.ingress[0].from[0].namespaceSelector: namespaceSelector, namespaceSelec',
      'spec.ingress[0].from[0].podSelector: podSelector, {}',
      'spec.podSelector: podSelector, matchLabels: {',
    ]);
  });

  it('are those of an expression', () => {
    const site = object?.selectorSites.find((each) => each.path === 'spec.podSelector');
    const [expression] = site?.expressions ?? [];
    assert.equal(at(expression?.key?.span), 'tier');
    assert.equal(at(expression?.operator?.span), 'In');
    assert.deepEqual(
      expression?.values.map((value) => at(value.span)),
      ['a', "'b'"],
    );
  });
});
