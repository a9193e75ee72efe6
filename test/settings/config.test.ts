/** Tests the parsing of a `.selector-lens.yaml`, and the problems of an invalid one. */

import assert from 'node:assert/strict';
import { configSchema, configTable } from '../../server/src/settings/config.ts';
import { configExample } from '../../server/src/settings/config-page.ts';
import { readConfig } from '../../server/src/settings/read-config.ts';
import { severitiesFor } from '../../server/src/settings/severities.ts';
import { lines } from '../harness/margin.ts';
import { show } from '../harness/show.ts';

/** The invalid lines, with their problems. */
function problemsOf(text: string): string {
  const source = lines(text);
  return show(
    source,
    readConfig(source).problems.map(({ span, message }) => ({ span, note: message })),
  );
}

describe('.selector-lens.yaml', () => {
  it('is parsed with every key', () => {
    const config = readConfig(configExample);
    assert.deepEqual(config.problems, []);
    assert.equal(config.values.kubernetesVersion, 'any');
    assert.deepEqual(config.values.rules, { 'label-value-type': 'off' });
    assert.deepEqual(
      config.scopes.map(({ files, ...rest }) => [rest, files('apps/shop/web/a.yaml'), files('platform/dns.yaml')]),
      [
        [{ name: 'shop', paths: ['apps/shop/**'], namespace: 'shop', cluster: 'eu', with: ['platform'] }, true, false],
        [{ name: 'platform', paths: ['platform/'], cluster: 'eu', with: [] }, false, true],
      ],
    );
    assert.equal(config.externals.files('shared/dns.yaml'), true);
    assert.equal(config.externals.objects.length, 1);
    assert.equal(config.generated('rendered/all.yaml'), true);
    assert.deepEqual(config.reading.placeholders, ['@@NAME@@']);
    assert.deepEqual(config.values.recommendedLabels, { keys: ['app.kubernetes.io/name'], kinds: ['Deployment'] });
    assert.deepEqual(config.values.labelPolicy, [
      { key: 'team', kinds: ['*'], required: true, values: ['blue', 'red'] },
      { key: 'example.com/old', forbidden: true },
    ]);
  });

  it('has a schema with every key, and with the existing rules', () => {
    const schema = JSON.stringify(configSchema(['one-rule', 'another']));
    for (const key of Object.keys(configTable)) assert.ok(schema.includes(`"${key}":{`), key);
    assert.equal(schema.split('"propertyNames":{"enum":["one-rule","another"]}').length, 3);
  });

  it('accepts versions and booleans with or without quotes', () => {
    assert.equal(readConfig('kubernetesVersion: 1.30\n').values.kubernetesVersion, '1.30');
    assert.equal(readConfig('kubernetesVersion: "1.30"\n').values.kubernetesVersion, '1.30');
    assert.deepEqual(readConfig('rules: { a: off, b: "off" }\n').values.rules, { a: 'off', b: 'off' });
  });

  it('has limits for items and patterns, and the first omitted one is reported', () => {
    const patterns = (count: number) => Array.from({ length: count }, (_, n) => `f${n}.yaml`);
    const ignoring = (files: readonly string[]) => readConfig(JSON.stringify({ ignore: [{ rule: 'all', files }] }));
    const messages = (files: readonly string[]) => ignoring(files).problems.map(({ message }) => message);
    assert.deepEqual(messages(patterns(2000)), []);
    assert.deepEqual(messages([`a{${patterns(100).join(',')}}`, ...patterns(1901)]), [
      '`ignore[0].files[0]` must be a pattern of at most 500 characters.',
    ]);
    const braces = ['{a,b,c,d}{a,b,c,d}', ...patterns(3000)];
    assert.deepEqual(messages(braces), [
      '`ignore[0].files[1985]` and all patterns after it are ignored: a configuration may have at most 2000 patterns.',
    ]);
    const long = Array.from({ length: 300 }, (_, n) => `**/a*${'b'.repeat(90)}${n}`);
    assert.deepEqual(messages(long), [
      '`ignore[0].files[205]` and all patterns after it are ignored: the patterns with wildcards of a configuration may have at most 20000 characters.',
    ]);
    const config = ignoring(braces);
    for (const [path, severity] of [
      ['ad', 'off'],
      ['f1983.yaml', 'off'],
      ['f1984.yaml', undefined],
    ] as const)
      assert.equal(severitiesFor([{ config, path }]).of('one-rule'), severity, path);
    const values = Array.from({ length: 6000 }, (_, n) => `v${n}`);
    const policy = readConfig(JSON.stringify({ labelPolicy: [{ key: 'team', values }] }));
    assert.deepEqual(
      policy.problems.map(({ message }) => message),
      [
        '`labelPolicy[0].values[4999]` and all items after it are ignored: a configuration may have at most 5000 items.',
      ],
    );
  });

  it('may be empty', () => {
    for (const text of ['', '# only a comment\n', '{}\n', 'scopes:\nrules:\n']) {
      const config = readConfig(text);
      assert.deepEqual(config.problems, [], text);
      assert.deepEqual(config.values, {}, text);
      assert.equal(config.reading.key, '', text);
    }
  });

  it('reports invalid parts, and uses the rest', () => {
    assert.equal(
      problemsOf(`
        rulez: {}
        wibble: 1
        kubernetesVersion: latest
        rules: { a: loud }
        scopes:
          - { name: shop, paths: apps }
          - { paths: [a] }
          - { name: web, paths: [a], with: [shopp, web2] }
          - { name: shop, paths: ["../b", /c], klaster: eu }
        externals: [{ labels: { a: b } }]
        placeholders: [NAME, "@@@"]
        labelPolicy: [{ key: a, required: maybe }]
        generated: x
        catalogue: [{ group: example.com, kind: Widget, selectors: [{ paht: spec.selector, form: map }] }]
      `),
      lines(`
        rulez: {}
        ~~~~~ The key 'rulez' is unknown. Did you mean 'rules'?
        wibble: 1
        ~~~~~~ The key 'wibble' is unknown. Valid keys: kubernetesVersion, extends, level, rules, overrides, ignore, repository, published, scopes, externals, catalogue, nodes, placeholders, generated, labels, recommendedLabels, labelPolicy, expect.
        kubernetesVersion: latest
                           ~~~~~~ \`kubernetesVersion\` must be 'any' or a version such as '1.36'.
        rules: { a: loud }
                    ~~~~ \`rules.a\` must be one of off, hint, information, warning, error.
          - { name: shop, paths: apps }
                                 ~~~~ \`scopes[0].paths\` must be a list.
          - { paths: [a] }
            ~ \`scopes[1]\` must have \`name\`.
          - { name: web, paths: [a], with: [shopp, web2] }
                                            ~~~~~ No scope of this file is called 'shopp'. Did you mean 'shop'?
                                                   ~~~~ No scope of this file is called 'web2'. Did you mean 'web'?
          - { name: shop, paths: ["../b", /c], klaster: eu }
                                  ~~~~~~ \`scopes[3].paths[0]\` must be a pattern for paths below the folder of this file.
                                          ~~ \`scopes[3].paths[1]\` must be a pattern for paths below the folder of this file.
                                               ~~~~~~~ The key 'klaster' is unknown in \`scopes[3]\`. Did you mean 'cluster'?
        externals: [{ labels: { a: b } }]
                    ~ \`externals[0]\` must have \`files\` or \`kind\`.
        placeholders: [NAME, "@@@"]
                       ~~~~ \`placeholders[0]\` must be a string that contains the word NAME, such as '@@NAME@@'.
                             ~~~~~ \`placeholders[1]\` must be a string that contains the word NAME, such as '@@NAME@@'.
        labelPolicy: [{ key: a, required: maybe }]
                                          ~~~~~ \`labelPolicy[0].required\` must be true or false.
        generated: x
                   ~ \`generated\` must be a list.
        catalogue: [{ group: example.com, kind: Widget, selectors: [{ paht: spec.selector, form: map }] }]
                                                                    ~ \`catalogue[0].selectors[0]\`: must have the field \`path\`.
                                                                      ~~~~ \`catalogue[0].selectors[0]\`: unknown field \`paht\`; known are \`absent\`, \`empty\`, \`form\`, \`immutable\`, \`mustMatchTemplate\`, \`null\`, \`path\`, \`plain\`, \`reach\`, \`targets\`, \`templateLabelsAt\`.
      `),
    );
  });

  it('is used as far as its YAML is valid, and reports the error once', () => {
    const config = readConfig('rules: { a: off }\nscopes: [ { name: x\ngenerated: ["a"]\n');
    assert.deepEqual(
      config.problems.filter((each) => each.code === 'syntax').map((each) => each.message),
      ['YAML syntax error: missing closing ]; the part that can be parsed is used.'],
    );
    assert.deepEqual(config.values.rules, { a: 'off' });
  });

  it('gives a path the last severity that applies, and none if it is ignored', () => {
    const config = readConfig(
      lines(`
        rules: { one: warning, two: hint }
        overrides:
          - { files: ["a/**"], rules: { one: error } }
          - { files: ["a/b/**"], rules: { one: information } }
        ignore:
          - { rule: two, files: ["a/b/*"] }
          - { rule: all, files: [fixtures/] }
      `),
    );
    const rules = ['one', 'two', 'three'];
    const inFile = (path: string) => rules.map((rule) => severitiesFor([{ config, path }]).of(rule));
    assert.deepEqual(inFile('x.yaml'), ['warning', 'hint', undefined]);
    assert.deepEqual(inFile('a/x.yaml'), ['error', 'hint', undefined]);
    assert.deepEqual(inFile('a/b/x.yaml'), ['information', 'off', undefined]);
    assert.deepEqual(inFile('fixtures/x.yaml'), ['off', 'off', 'off']);
  });

  it('returns the severity of each rule in an object', () => {
    const config = readConfig(
      lines(`
        rules: { one: hint }
        overrides:
          - { objects: ["Deployment/web*", "shop/Service/cart"], rules: { one: error } }
          - { files: [legacy/], objects: ["*/*"], rules: { two: off } }
        ignore:
          - { rule: all, objects: [Deployment/web-old], reason: leaves soon }
      `),
    );
    assert.deepEqual(config.problems, []);
    const of = (path: string, rule: string, kind: string, name: string, namespace?: string) =>
      severitiesFor([{ config, path }]).of(rule, {
        kind,
        name: { text: name },
        ...(namespace !== undefined && { namespace: { text: namespace } }),
      });
    assert.equal(of('x.yaml', 'one', 'Deployment', 'web-new'), 'error');
    assert.equal(of('x.yaml', 'one', 'Deployment', 'web-old'), 'off');
    assert.equal(of('x.yaml', 'one', 'Deployment', 'cart'), 'hint');
    assert.equal(of('x.yaml', 'one', 'Service', 'cart', 'shop'), 'error');
    assert.equal(of('x.yaml', 'one', 'Service', 'cart', 'other'), 'hint');
    assert.equal(of('x.yaml', 'one', 'Service', 'cart'), 'hint');
    assert.equal(of('legacy/x.yaml', 'two', 'Service', 'cart'), 'off');
    assert.equal(of('x.yaml', 'two', 'Service', 'cart'), undefined);
    assert.equal(severitiesFor([{ config, path: 'x.yaml' }]).differs('two'), true);
    assert.equal(severitiesFor([{ config: readConfig('rules: { two: off }'), path: 'x' }]).differs('two'), false);
  });

  it('needs files or objects for an override, and valid names of objects', () => {
    assert.deepEqual(
      readConfig('overrides: [{ rules: {} }]\nignore: [{ rule: one, objects: [web, a/b/c/d] }]').problems.map(
        ({ message }) => message,
      ),
      [
        '`overrides[0]` must have `files` or `objects`.',
        '`ignore[0].objects[0]` must be an object such as `Deployment/web`.',
        '`ignore[0].objects[1]` must be an object such as `Deployment/web`.',
      ],
    );
  });

  it('returns the named rules with their positions', () => {
    const config = readConfig('rules: { one: off }\nignore: [{ rule: two, files: [a] }]\n');
    assert.deepEqual(
      config.ruleNames.map(({ text, span }) => [text, span.start]),
      [
        ['one', 9],
        ['two', 37],
      ],
    );
  });
});
