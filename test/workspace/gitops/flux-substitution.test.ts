/** Tests the values of the variables of Flux Kustomizations, and the types of the texts that contain them. */

import assert from 'node:assert/strict';
import { builtBy, configMap, type Files, flux } from './flux-files.ts';

/** The label `x` of the object that the Kustomization of `ks.yaml` builds: its text and type. */
function label(written: string, substitute: string): string {
  const files = {
    'ks.yaml': flux('app', `path: app, postBuild: {substitute: {${substitute}}}`),
    'app/map.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: map\n  labels:\n    x: ${written}\n`,
  };
  return labelIn(files);
}

function labelIn(files: Files, path = 'ks.yaml'): string {
  const [object] = builtBy(path, files);
  const value = object?.object.labels?.entries.find(({ key }) => key.text === 'x')?.value;
  return `${value?.text} (${typeof value?.value === 'string' ? value.type : 'unknown'})`;
}

describe('a text with variables', () => {
  it('is unknown if a source of variables has an unknown kind', () => {
    for (const kind of ['Deployment', 'toString'])
      assert.equal(
        labelIn({
          'ks.yaml': flux('app', `path: app, postBuild: {substituteFrom: [{kind: ${kind}, name: a}]}`),
          'app/map.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map, labels: {x: \${A}}}\n`,
        }),
        `\${A} (unknown)`,
      );
  });

  it('is parsed again as YAML after they are replaced', () => {
    assert.equal(label(`\${A}`, 'A: "web"'), 'web (string)');
    assert.equal(label(`\${A}`, 'A: "1"'), '1 (number)');
    assert.equal(label(`\${A}`, 'A: "true"'), 'true (boolean)');
    assert.equal(label(`v\${A}`, 'A: "1"'), 'v1 (string)');
    // Kustomize removes quotes that are not necessary.
    assert.equal(label(`"\${A}"`, 'A: "1"'), '1 (number)');
    assert.equal(label(`\${Q}\${A}\${Q}`, `A: "1", Q: '"'`), '1 (string)');
    assert.equal(label(`\${A}`, `A: "'web'"`), 'web (string)');
    assert.equal(label(`\${A}`, 'A: "web # comment"'), 'web (string)');
    // Kustomize writes this text with quotes.
    assert.equal(label(`"\${A}: b"`, 'A: "1"'), '1: b (string)');
  });

  it('may become a map, which is no value of a label', () => {
    assert.equal(label(`\${A}`, 'A: "{a: b}"'), ' (unknown)');
    // Malformed.
    assert.equal(label(`\${A}`, 'A: "a: b"'), 'a: b (unknown)');
  });

  it('may become a whole selector, which is then unknown', () => {
    const files = {
      'ks.yaml': flux('app', 'path: app, postBuild: {substitute: {S: "{app: web}"}}'),
      'app/web.yaml': `apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec:\n  selector: \${S}\n`,
    };
    const [object] = builtBy('ks.yaml', files);
    assert.deepEqual(
      object?.object.selectorSites.map(({ entries, open }) => [entries.length, open]),
      [[0, true]],
    );
  });
});

describe('a value of a variable', () => {
  const app = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: map\n  labels:\n    x: \${A}\n`;
  const files = {
    'ks.yaml': flux('app', 'path: app, postBuild: {substituteFrom: [{kind: ConfigMap, name: vars}]}'),
    'app/map.yaml': app,
    'vars.yaml': flux('vars', 'path: vars, targetNamespace: flux-system, postBuild: {substitute: {B: two}}'),
    'vars/map.yaml': configMap('vars', `data: {A: "one-\${B}"}\n`),
  };

  it('is evaluated with the variables of the Kustomization that applies the ConfigMap', () => {
    assert.equal(labelIn(files), 'one-two (string)');
    assert.equal(labelIn({ ...files, 'vars.yaml': flux('vars', 'path: vars') }), `\${A} (unknown)`);
  });

  it('is unknown if the ConfigMap is applied by the Kustomization itself', () => {
    const own = {
      ...files,
      'ks.yaml': flux(
        'app',
        'path: app, postBuild: {substitute: {B: x}, substituteFrom: [{kind: ConfigMap, name: vars}]}',
      ),
      'app/vars.yaml': files['vars/map.yaml'],
      'vars/map.yaml': '',
    };
    assert.equal(labelIn(own), `\${A} (unknown)`);
  });

  it('is unknown if two Kustomizations need the variables of each other', () => {
    const round = (name: string, of: string, at: string) =>
      flux(
        name,
        `path: ${at}, targetNamespace: flux-system, postBuild: {substituteFrom: [{kind: ConfigMap, name: ${of}}]}`,
      );
    const files = {
      'ks.yaml': round('one', 'b', 'one'),
      'two.yaml': round('two', 'a', 'two'),
      'one/map.yaml': `${app}---\n${configMap('a', `data: {A: "\${A}"}\n`)}`,
      'two/map.yaml': configMap('b', `data: {A: "\${A}"}\n`),
    };
    assert.equal(labelIn(files), `\${A} (unknown)`);
  });

  it('may be in a ConfigMap that a kustomization generates', () => {
    const generated = (options: string) => ({
      ...files,
      'vars/map.yaml': '',
      'vars/kustomization.yaml': `configMapGenerator: [{name: vars, literals: [A=one, "B='two'"], options: {${options}}}]\n`,
    });
    assert.equal(labelIn(generated('disableNameSuffixHash: true')), 'one (string)');
    // The reference to the ConfigMap has no hash, so that Flux does not find it.
    assert.equal(labelIn(generated('immutable: true')), `\${A} (unknown)`);
  });

  it('is in an object of the kind and namespace of the source, not in another of that name in its file', () => {
    const inNamespace = (namespace: string, value: string) =>
      configMap('vars', `data: {A: ${value}}\n`).replace('{name: vars}', `{name: vars, namespace: ${namespace}}`);
    const secret = configMap('vars', 'stringData: {A: secret}\n').replace('ConfigMap', 'Secret');
    const others = { 'vars.yaml': '', 'vars/map.yaml': '' };
    const own = inNamespace('flux-system', 'own');
    assert.equal(labelIn({ ...files, ...others, 'all.yaml': `${inNamespace('shop', 'other')}${own}` }), 'own (string)');
    assert.equal(labelIn({ ...files, ...others, 'all.yaml': `${secret}${own}` }), 'own (string)');
  });

  describe('of one of several clusters', () => {
    const from = (optional = '') =>
      flux('app', `path: app, postBuild: {substituteFrom: [{kind: ConfigMap, name: vars${optional}}]}`);
    const cluster = (name: string, more: Files): Files => ({
      [`clusters/${name}/root.yaml`]: flux('flux-system', `path: clusters/${name}`),
      ...Object.fromEntries(Object.entries(more).map(([path, text]) => [`clusters/${name}/${path}`, text])),
    });
    const vars = (value: string) => configMap('vars', `data: {A: ${value}}\n`);
    const b = cluster('b', { 'app.yaml': from(), 'vars.yaml': vars('back') });
    const labelInA = (more: Files, shared: Files = {}) =>
      labelIn({ 'app/map.yaml': app, ...b, ...cluster('a', more), ...shared }, 'clusters/a/app.yaml');

    it('is unknown if the ConfigMap is only in other clusters', () => {
      assert.equal(labelInA({ 'app.yaml': from(), 'vars.yaml': vars('front') }), 'front (string)');
      assert.equal(labelInA({ 'app.yaml': from() }), `\${A} (unknown)`);
      assert.equal(labelInA({ 'app.yaml': from(', optional: true') }), `\${A} (unknown)`);
      const withDefault = { 'app/map.yaml': app.replace('{A}', '{A:=one}') };
      assert.equal(labelInA({ 'app.yaml': from(', optional: true') }, withDefault), `\${A:=one} (unknown)`);
      const third = cluster('c', { 'app.yaml': from(), 'vars.yaml': vars('third') });
      assert.equal(labelInA({ 'app.yaml': from() }, third), `\${A} (unknown)`);
    });

    it('is unknown if a kustomization generates the ConfigMap only in another cluster', () => {
      const kustomization =
        'resources: [root.yaml, app.yaml]\nnamespace: flux-system\ngeneratorOptions: {disableNameSuffixHash: true}\nconfigMapGenerator: [{name: vars, literals: [A=made]}]\n';
      const made = { 'clusters/b/vars.yaml': '', 'clusters/b/kustomization.yaml': kustomization };
      assert.equal(labelInA({ 'app.yaml': from() }, made), `\${A} (unknown)`);
      assert.equal(labelIn({ 'app/map.yaml': app, ...b, ...made }, 'clusters/b/app.yaml'), 'made (string)');
      // The ConfigMap in a file of cluster b does not hide the ConfigMap of cluster a.
      const own = { 'app.yaml': from(), 'kustomization.yaml': kustomization };
      assert.equal(labelInA(own), 'made (string)');
      assert.equal(labelInA(own, { 'plain/vars.yaml': vars('plain') }), 'made (string)');
      const inShop = {
        ...own,
        'kustomization.yaml': 'resources: [root.yaml, app.yaml, made]\n',
        'made/kustomization.yaml': kustomization.replace(/resources.*\nnamespace: flux-system/, 'namespace: shop'),
      };
      assert.equal(labelInA(inShop), `\${A} (unknown)`);
    });

    it('is known if the ConfigMap is shared, or may be in the same cluster', () => {
      const without = { 'clusters/b/vars.yaml': '', 'shared/vars.yaml': vars('shared') };
      const ks = { 'app.yaml': from(), 'shared.yaml': flux('shared', 'path: shared') };
      const shared = { ...without, 'clusters/b/shared.yaml': ks['shared.yaml'] };
      assert.equal(labelInA(ks, shared), 'shared (string)');
      assert.equal(labelInA({ 'app.yaml': from() }, without), 'shared (string)');
    });

    it('is that of a ConfigMap that is certainly in the cluster, not of a nearer one that is only possibly', () => {
      const more = { 'infra.yaml': flux('infra', 'path: infra'), 'config.yaml': flux('config', 'path: config') };
      const infra = {
        'infra/app.yaml': from(),
        'infra/kustomization.yaml': 'resources: [app.yaml]\n',
        'infra/vars.yaml': vars('plain'),
      };
      const value = (files: Files) => labelIn({ 'app/map.yaml': app, ...infra, ...files }, 'infra/app.yaml');
      assert.equal(value(cluster('a', more)), 'plain (string)');
      const certain = { ...cluster('a', more), 'config/vars.yaml': vars('front') };
      assert.equal(value(certain), 'front (string)');
      const { 'infra.yaml': onlyInfra } = more;
      const withoutIt = cluster('b', { 'infra.yaml': onlyInfra });
      assert.equal(value({ ...certain, ...withoutIt }), `\${A} (unknown)`);
    });

    it('is unknown if the Kustomization is in several clusters, and the ConfigMap only in one', () => {
      const both = { 'shared.yaml': flux('shared', 'path: shared') };
      const files = (more: Files, inB = more) => ({
        'app/map.yaml': app,
        'shared/ks.yaml': from(),
        ...cluster('a', { ...both, ...more }),
        ...cluster('b', { ...both, ...inB }),
      });
      const value = (all: Files) => labelIn(all, 'shared/ks.yaml');
      assert.equal(value(files({}, { 'vars.yaml': vars('back') })), `\${A} (unknown)`);
      assert.equal(value({ ...files({}), 'shared/vars.yaml': vars('both') }), 'both (string)');
    });

    it('is unknown if a Kustomization that several clusters apply applies the Kustomization', () => {
      const infra = { 'infra.yaml': flux('infra', 'path: infra') };
      const files = (inB: Files) => ({
        'app/map.yaml': app,
        'infra/apps.yaml': flux('apps', 'path: apps'),
        'apps/ks.yaml': from(),
        ...cluster('a', infra),
        ...cluster('b', { ...infra, ...inB }),
      });
      const value = (all: Files) => labelIn(all, 'apps/ks.yaml');
      assert.equal(value(files({ 'vars.yaml': vars('back') })), `\${A} (unknown)`);
      assert.equal(value({ ...files({}), 'infra/vars.yaml': vars('both') }), 'both (string)');
    });

    it('is unknown if the ConfigMap is applied by a Kustomization that several other clusters apply', () => {
      const infra = { 'infra.yaml': flux('infra', 'path: infra') };
      const shared = { 'infra/config.yaml': flux('config', 'path: config'), 'config/vars.yaml': vars('shared') };
      const both = { ...cluster('b', infra), ...cluster('c', infra), ...shared };
      assert.equal(labelInA({ 'app.yaml': from() }, { 'clusters/b/vars.yaml': '', ...both }), `\${A} (unknown)`);
      const known = { 'app.yaml': from(), ...infra };
      assert.equal(labelInA(known, { 'clusters/b/vars.yaml': '', ...both }), 'shared (string)');
    });

    it('is that of the cluster of the Kustomization, not of the cluster to which it applies objects', () => {
      const remote = from().replace('path: app', 'path: app, kubeConfig: {secretRef: {name: b}}');
      assert.equal(labelInA({ 'app.yaml': remote, 'vars.yaml': vars('front') }), 'front (string)');
      assert.equal(labelInA({ 'app.yaml': remote }), `\${A} (unknown)`);
    });
  });

  it('has no line ends', () => {
    const text = { ...files, 'vars/map.yaml': configMap('vars', 'data: {A: "a\\nb\\n"}\n') };
    assert.equal(labelIn(text), 'ab (string)');
  });

  it('is unknown if its ConfigMap has a key that Flux rejects (scenario 10)', () => {
    const keys = (more: string) => ({ ...files, 'vars/map.yaml': configMap('vars', `data: {A: one${more}}\n`) });
    assert.equal(labelIn(keys(', _b2: x')), 'one (string)');
    assert.equal(labelIn(keys(', my-var: x')), `\${A} (unknown)`);
  });

  it('is that of the nearest ConfigMap: in the file of the Kustomization, in its folder, or around it', () => {
    for (const at of ['vars.yaml', 'deep/vars.yaml', 'ks.yaml']) {
      const cluster = (name: string): Files => {
        const ks = flux(name, `path: apps/${name}, postBuild: {substituteFrom: [{kind: ConfigMap, name: vars}]}`);
        const vars = configMap('vars', `data: {A: ${name}}\n`);
        const own =
          at === 'ks.yaml' ? { [`${name}/ks.yaml`]: ks + vars } : { [`${name}/ks.yaml`]: ks, [`${name}/${at}`]: vars };
        return { ...own, [`apps/${name}/map.yaml`]: app };
      };
      for (const name of ['one', 'two'])
        assert.equal(labelIn({ ...cluster('one'), ...cluster('two') }, `${name}/ks.yaml`), `${name} (string)`, at);
    }
  });
});
