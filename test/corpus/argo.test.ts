/**
 * Tests that the examples of ApplicationSets in both template languages create equal Applications, in
 * `../shared/gitops-corpus/argo-cd` if it exists.
 */

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Scope } from '../../server/src/workspace/scopes/model.ts';
import { root, workspaceOf } from '../workspace/kustomizations.ts';

const folder = fileURLToPath(new URL('../../../shared/gitops-corpus/argo-cd', import.meta.url));

/** In this pair, the path of the Go template is `{{.path}}`, which is a map and not a folder. */
const different = 'applicationset/examples/git-generator-directory/excludes/git-directories-exclude-example.yaml';

/** The name, namespace, cluster and folders of an Application; what is unknown is `*`. */
function described({ gitops }: Scope): string {
  const { name, targetNamespace, cluster, sources } = gitops?.facts ?? { sources: [] };
  const folders = sources.map(({ path, repository, explicit }) => [path, repository, explicit]);
  return JSON.stringify([name, targetNamespace, cluster, folders]).replace(/\{\{[^{}]*\}\}/g, '*');
}

describe('the examples of ApplicationSets of Argo CD', () => {
  if (!existsSync(folder)) {
    it('are not there', () => assert.ok(!existsSync(folder)));
    return;
  }

  it('create equal Applications in both template languages (21 of 22 pairs, 47 Applications)', () => {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = entries
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => /\.(?:ya?ml|json)$/.test(path));
    const files = Object.fromEntries(
      paths.map((path) => [relative(folder, path).replaceAll('\\', '/'), readFileSync(path, 'utf8')]),
    );
    const scopes = workspaceOf(files).scopes().all();
    const created = (path: string) =>
      scopes
        .filter(({ gitops }) => gitops?.uri === `${root}/${path}`)
        .map(described)
        .toSorted();
    const twin = (path: string) => path.replace(/\.yaml$/, '-fasttemplate.yaml');
    const pairs = Object.keys(files).filter((path) => path.endsWith('.yaml') && twin(path) in files);
    const unequal = pairs.filter((path) => created(path).join('\n') !== created(twin(path)).join('\n'));
    assert.deepEqual(unequal, [different]);
    assert.deepEqual([pairs.length, pairs.flatMap(created).length], [22, 47]);
  });
});
