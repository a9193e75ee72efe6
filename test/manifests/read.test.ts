/** Tests the facts of one object in all common notations (requirement C2). */

import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { readManifest } from '../../server/src/manifests/parse-manifest.ts';
import { lines } from '../harness/margin.ts';
import { outline } from './outline.ts';

function configMap(labels: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels:\n${labels}`;
}

function labelsOf(labels: string): string {
  return outline(configMap(labels)).split('metadata.labels: ')[1] ?? '(none)';
}

describe('labels', () => {
  for (const [what, text, found] of [
    ['plain', '    app: web\n', 'app=web'],
    ['single quotes', "    'app': 'it''s'\n", "app=it's"],
    ['double quotes', '    "app": "a\\tb\\u0041"\n', 'app=a\tbA'],
    ['a block scalar', '    app: |-\n      web\n    tier: a\n', 'app=web, tier=a'],
    ['a folded scalar', '    app: >\n      web\n      two\n', 'app=web two\n'],
    ['a plain scalar over two lines', '    app: web\n      two\n', 'app=web two'],
    [
      'a quoted scalar that goes on at a lower indentation',
      '    app: "web\n  two"\n    tier: a\n',
      'app=web two, tier=a',
    ],
    ['a question mark', '    ? app\n    : web\n', 'app=web'],
    ['a tag', '    app: !!str 1.10\n', 'app=1.10'],
    ['another tag', '    app: !secret web\n    n: !secret 7\n', 'app=web, n=7'],
    [
      'tags of types, which count in quotes too',
      `    a: !!int "3"\n    b: !!bool 'true'\n    c: !!float 1\n    e: !!null ""\n`,
      'a=3 (number), b=true (boolean), c=1 (number), e= (null)',
    ],
    [
      'types',
      '    a: 1\n    b: yes\n    c:\n    d: ~\n    e: [x]\n    f: {y: z}\n',
      'a=1 (number), b=yes (boolean), c= (null), d= (null), e= (list), f= (map)',
    ],
    ['a comment between', '    a: 1a # one\n    # two\n\n    b: 2b\n', 'a=1a, b=2b'],
    ['the same key twice', '    app: one\n    app: two\n', 'app=one, app=two'],
    ['no space before a comment', '    app: web#1\n', 'app=web#1'],
    [
      'no space between a quote or bracket and a comment',
      `    a: "1"#a\n    b: 'b' #b\n    c: 'c'#\n`,
      'a=1, b=b, c=c',
    ],
    [
      'braces that close at a lower indentation',
      '    app: web\n  annotations: {\n    x: z\n  }\n',
      'app=web\n  metadata.annotations: x=z',
    ],
    ['a colon inside', '    app:web: x\n', 'app:web=x'],
    ['nothing', '  annotations: {}\n', '-\n  metadata.annotations: -'],
  ] as const) {
    it(what, () => assert.equal(labelsOf(text), found));
  }

  it('a long quoted scalar that goes on in the column of its key', () => {
    const long = 'two words\n    '.repeat(200);
    assert.match(labelsOf(`    app: '${long}'\n    tier: a\n`), /^app=two words .*, tier=a$/);
  });

  it('a quoted scalar of any length that goes on in the first column, as dashboards do', () => {
    const json = `{\n"panels": [${'{"legendFormat": "{{ pod }}", "note": "it is"},\n'.repeat(1000)}]\n}\n`;
    for (const value of [`'${json}'`, JSON.stringify(json).replaceAll('\\n', '\n'), `{a: '${json}'}`]) {
      const text = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: {app: web}}\ndata:\n  json: ${value}\n`;
      const { objects, firstErrors = [] } = readManifest(`${text}---\n${text}`, catalogue);
      assert.deepEqual([objects.length, firstErrors], [2, []]);
    }
  });

  it('that are a list, a string or null have no entries', () => {
    for (const value of ['[a, b]', 'web', '~', '']) {
      const text = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  labels: ${value}\n`;
      assert.equal(outline(text), 'ConfigMap (no name)\n  metadata.labels: -', value);
    }
  });
});

describe('aliases', () => {
  it('have entries at the anchor, and scalars at the alias', () => {
    const text = lines(`
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: &name web
        labels: &labels
          app: *name
      spec:
        selector:
          matchLabels: *labels
        template:
          metadata:
            labels: *labels
    `);
    assert.equal(
      outline(text),
      lines(`
        Deployment of apps web
          metadata.labels: app=web
          spec.template.metadata.labels: app=web
          ? spec.selector: app=web
      `),
    );
    const [object] = readManifest(text, catalogue).objects;
    const value = object?.labels?.entries[0]?.value.span;
    assert.equal(text.slice(value?.start, value?.end), '*name');
    assert.deepEqual(object?.selectorSites[0]?.entries[0]?.value.span, value);
  });

  for (const [what, labels, found] of [
    ['a merge key', '    <<: {app: web, tier: a}\n    tier: b\n', 'app=web (merged), tier=a (merged), tier=b'],
    ['a merge of several maps', '    <<: [{app: one}, {app: two, x: z}]\n', 'app=one (merged), x=z (merged)'],
    ['a quoted merge key', '    "<<": x\n', '<<=x'],
    ['an anchor that is not there', '    app: *none\n    tier: a\n', 'app= (null), tier=a'],
    ['an anchor that comes later', '    app: *x\n    tier: &x a\n', 'app= (null), tier=a'],
    ['an alias that is a key', '    app: &key web\n    *key : a\n', 'app=web, web=a'],
    ['an alias that is a key with a colon after its name', '    app: &key web\n    *key: a\n', 'app=web, web=a'],
    ['an alias that is a key in braces', '    {app: &a-key web, *a-key: a}\n', 'app=web, web=a'],
    ['an anchor that holds its own alias', '    app: &x {y: *x}\n    tier: a\n', 'app= (map), tier=a'],
  ] as const) {
    it(what, () => assert.equal(labelsOf(labels), found));
  }
});

describe('duplicate keys', () => {
  it('use the last value', () => {
    const text = lines(`
      apiVersion: v1
      kind: Service
      metadata: {name: a}
      spec:
        selector: {app: one}
        selector: {app: two, app: three}
    `);
    const [object] = readManifest(text, catalogue).objects;
    const selector = object?.selectorSites[0]?.selector;
    assert.deepEqual(selector?.ok && selector.value, {
      kind: 'all',
      requirements: [{ key: 'app', operator: '=', values: ['three'] }],
    });
  });
});

describe('selectors', () => {
  for (const [what, spec, found] of [
    ['a map', 'selector: {app: web}', '? spec.selector: app=web'],
    ['an empty map', 'selector: {}', '? spec.selector (empty): -'],
    ['null', 'selector:', '? spec.selector (null): -'],
    ['a written null', 'selector: null', '? spec.selector (null): -'],
    ['a string', 'selector: app=web', '? spec.selector: -'],
  ] as const) {
    it(`of a Service: ${what}`, () =>
      assert.equal(outline(`apiVersion: v1\nkind: Service\nspec:\n  ${spec}\n`).split('\n')[1]?.slice(2), found));
  }

  for (const [what, selector, state, requirements] of [
    ['matchLabels', '{matchLabels: {b: "2", a: "1"}}', 'present', 'a=1,b=2'],
    ['matchExpressions', '{matchExpressions: [{key: a, operator: In, values: [x, y]}]}', 'present', 'a in x,y'],
    ['both', '{matchLabels: {b: "2"}, matchExpressions: [{key: a, operator: Exists}]}', 'present', 'a exists ,b=2'],
    ['an empty map', '{}', 'empty', 'everything'],
    ['empty matchLabels', '{matchLabels: {}}', 'empty', 'everything'],
    ['null matchLabels', '{matchLabels: }', 'empty', 'everything'],
    ['empty expressions', '{matchExpressions: []}', 'empty', 'everything'],
    ['null', '', 'null', 'nothing'],
    ['a wrong operator', '{matchExpressions: [{key: a, operator: Is, values: [x]}]}', 'present', 'problems: 1'],
    ['no values', '{matchExpressions: [{key: a, operator: In}]}', 'present', 'problems: 1'],
    ['an unknown value', '{matchLabels: {a: "@A@"}}', 'present', 'a=?'],
  ] as const) {
    it(`of a NetworkPolicy: ${what}`, () => {
      const text = `apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nspec:\n  podSelector: ${selector}\n`;
      const site = readManifest(text, catalogue).objects[0]?.selectorSites[0];
      const parsed = site?.selector;
      assert.equal(site?.state, state);
      if (parsed?.ok !== true) return assert.equal(`problems: ${parsed?.problems.length}`, requirements);
      if (parsed.value.kind !== 'all') return assert.equal(parsed.value.kind, requirements);
      const printed = parsed.value.requirements.map(({ key, operator, values }) => {
        const shown = values.map((value) => (typeof value === 'string' ? value : '?')).join(',');
        return operator === '=' ? `${key}=${shown}` : `${key} ${operator} ${shown}`;
      });
      assert.equal(printed.join(','), requirements);
    });
  }
});

describe('incomplete text', () => {
  const before = 'apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n';
  for (const [what, typed, found] of [
    ['a key without a colon', 'spec:\n  selector:\n    app: web\n    tie', 'app=web'],
    ['a key with a colon', 'spec:\n  selector:\n    app: web\n    tier:', 'app=web, tier= (null)'],
    ['an open quote', 'spec:\n  selector:\n    app: "we', 'app=we'],
    ['an open brace', 'spec:\n  selector: {app: web, ', 'app=web'],
    ['an open list before', 'spec:\n  ports: [\n  selector:\n    app: web\n', undefined],
    ['a block scalar in the place of a key', 'spec:\n  selector:\n    app: web\n    |tier: a\n', 'app=web'],
    ['a tab', 'spec:\n  selector:\n    app: web\n\ttier: a\n', 'app=web'],
    ['a wrong indentation', 'spec:\n  selector:\n    app: web\n   tier: a\n', 'app=web'],
    ['an open action', 'spec:\n  selector:\n    app: {{ .Val', undefined],
    ['an empty map', 'spec:\n  selector:\n    \n', '-'],
  ] as const) {
    it(what, () => {
      const read = outline(before + typed);
      assert.equal(read.split('\n')[0], 'Service web');
      if (found !== undefined)
        assert.match(read, new RegExp(`spec\\.selector[^:]*: ${found.replace(/[()]/g, '\\$&')}`));
    });
  }
});
