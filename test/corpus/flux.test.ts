/**
 * Tests that Flux Kustomizations build the objects that `flux build kustomization` prints for the test data of Flux, in
 * `../shared/gitops-corpus/flux2` if it exists.
 */

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import type { ManifestObject } from '../../server/src/manifests/model.ts';
import { readFile, workspaceIn } from '../../server/src/workspace/snapshot.ts';

const folder = fileURLToPath(
  new URL('../../../shared/gitops-corpus/flux2/cmd/flux/testdata/build-kustomization', import.meta.url),
);
const root = 'file:///flux';

/** Each input with its expected output; of `ignore`, the command line includes two files again. */
const cases = [
  { path: 'podinfo', expected: 'podinfo-result.yaml', objects: 7 },
  { path: 'delete-service', expected: 'podinfo-without-service-result.yaml', objects: 2 },
  { path: 'var-substitution', expected: 'podinfo-with-var-substitution-result.yaml', objects: 2 },
  { path: 'ignore', expected: 'podinfo-with-ignore-result.yaml', objects: 2, ignore: '!configmap.yaml,!secret.yaml' },
  { path: 'podinfo-with-my-app', expected: 'podinfo-with-my-app-result.yaml', objects: 2 },
];

function textOf(name: string): string {
  return readFileSync(join(folder, name), 'utf8').replaceAll('{{ .fluxns }}', 'flux-system');
}

/** Kind, namespace, name and labels; the hash in a name is not compared if the files do not determine it. */
function described({ kind, namespace, name, labels }: ManifestObject): string {
  const sorted = (labels?.entries ?? []).map(({ key, value }) => `${key.text}=${value.text}`).toSorted();
  const known = (name?.text ?? '').replace(/^((?:podinfo-token|flux-grafana-dashboards))-.*$/, '$1');
  return `${kind} ${namespace?.text}/${known} ${sorted.join(',')}`;
}

/** The objects that all Flux Kustomizations build for one of the inputs. */
function built(path: string, ignore: string | undefined): readonly string[] {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && !each.name.endsWith('-result.yaml'))
    .map((each) => join(each.parentPath, each.name).slice(folder.length + 1));
  const files = names.map((name) => {
    const text = textOf(name);
    const isRoot = name === 'podinfo-kustomization.yaml';
    const isIgnore = ignore !== undefined && name.endsWith('.sourceignore');
    const used = isRoot
      ? text.replace('./kustomize', `./${path}`)
      : isIgnore
        ? `${text}${ignore.replace(',', '\n')}\n`
        : text;
    return readFile(`${root}/${name}`, used, catalogue);
  });
  const workspace = workspaceIn(
    [root],
    files.map((file) => [file.uri, file]),
  );
  const scopes = workspace
    .scopes()
    .all()
    .filter(({ gitops }) => gitops !== undefined);
  return scopes.flatMap((scope) => {
    return (workspace.rendering(scope.path, catalogue)?.objects ?? []).map(({ object }) => described(object));
  });
}

describe('the test data of Flux', () => {
  if (!existsSync(folder)) {
    it('is not there', () => assert.ok(!existsSync(folder)));
    return;
  }

  for (const { path, expected, objects, ignore } of cases) {
    it(`has the expected objects for ${path} (${objects})`, () => {
      const wanted = readFile(`${root}/${expected}`, textOf(expected), catalogue).manifest.objects.map(described);
      const found = built(path, ignore);
      // The workspace contains the definition of `my-app`, too, which only one of the inputs builds.
      const isOfMyApp = (line: string) => line.includes('kustomize.toolkit.fluxcd.io/name=my-app');
      const own = path === 'podinfo-with-my-app' ? found : found.filter((line) => !isOfMyApp(line));
      assert.equal(own.length, objects);
      assert.deepEqual(own.toSorted(), wanted.toSorted());
    });
  }
});
