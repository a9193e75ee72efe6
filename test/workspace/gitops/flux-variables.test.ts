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
