/** Tests which sources of GitOps objects are certainly the repository of the workspace. */

import assert from 'node:assert/strict';
import { catalogue } from '../../../server/src/engine/catalogue/index.ts';
import { noListing } from '../../../server/src/workspace/live/folder-listing.ts';
import { readFile, workspaceIn } from '../../../server/src/workspace/snapshot.ts';
import { root } from '../kustomizations.ts';

const url = 'https://git.example.com/shop.git';

function app(source: string): string {
  return `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: shop}\nspec: {source: {${source}}}\n`;
}

interface Around {
  readonly remotes?: readonly string[];
  readonly at?: string;
  readonly branch?: string;
  readonly [path: string]: unknown;
}

/** The folder of the source in `argocd/app.yaml`, and whether it is certain; `remotes` are those of the repository. */
function located(definition: string, { remotes = [], at = root, branch, ...others }: Around = {}): string {
  const files = { 'argocd/app.yaml': definition, 'shop/a.yaml': 'a: b', 'deploy/shop/b.yaml': 'a: b', ...others };
  const read = Object.entries(files).map(
    ([path, text]) => [`${root}/${path}`, readFile(`${root}/${path}`, String(text), catalogue)] as const,
  );
  const listing = {
    ...noListing,
    repositoryOf: () => (remotes.length === 0 ? undefined : { root: at, remotes, ...(branch && { branch }) }),
  };
  const scopes = workspaceIn([root], read, { listing }).scopes().all();
  const [place] = scopes.find(({ gitops }) => gitops !== undefined)?.gitops?.located ?? [];
  if (place === undefined) return 'elsewhere';
  const folder = place.folder.slice(root.length + 1);
  return [place.isCertain ? 'certain' : 'assumed', place.exists ? '' : 'missing', folder].filter(Boolean).join(' ');
}

const remotes = ['git.example.com/shop'];

describe('a source with the URL of a remote', () => {
  it('is certainly this repository, whether its path exists or not', () => {
    assert.equal(located(app(`repoURL: "git@git.example.com:shop.git", path: shop`), { remotes }), 'certain shop');
    assert.equal(located(app(`repoURL: ${url}, path: gone`), { remotes }), 'certain missing gone');
  });

  it('is assumed without remotes', () => {
    assert.equal(located(app(`repoURL: ${url}, path: shop`)), 'assumed shop');
    assert.equal(located(app(`repoURL: ${url}, path: gone`)), 'elsewhere');
  });

  it('is not certain in another revision', () => {
    for (const revision of ['v1.0.0', 'release'])
      assert.equal(
        located(app(`repoURL: ${url}, path: shop, targetRevision: ${revision}`), { remotes }),
        'assumed shop',
      );
  });

  it('is certain in the current branch', () => {
    const source = app(`repoURL: ${url}, path: gone, targetRevision: release/2`);
    assert.equal(located(source, { remotes, branch: 'release/2' }), 'certain missing gone');
    assert.match(located(source, { remotes, branch: 'release' }), /^assumed|^elsewhere/);
    for (const revision of ['HEAD', '""', 'main', 'master'])
      assert.equal(
        located(app(`repoURL: ${url}, path: shop, targetRevision: ${revision}`), { remotes, branch: 'feature' }),
        'certain shop',
      );
    const artifact = app('repoURL: "oci://git.example.com/shop", path: shop, targetRevision: release');
    assert.equal(located(artifact, { remotes, branch: 'release' }), 'assumed shop');
  });

  it('has paths below the root of the repository, which may be above the workspace folder', () => {
    const above = root.slice(0, root.lastIndexOf('/'));
    const name = root.slice(above.length + 1);
    const around = { remotes, at: above };
    assert.equal(located(app(`repoURL: ${url}, path: ${name}/shop`), around), 'certain shop');
    assert.match(located(app(`repoURL: ${url}, path: elsewhere`), around), /^assumed missing/);
  });
});

describe('a source with another URL than all remotes', () => {
  it('is assumed to be this repository: the remotes may be those of a copy', () => {
    assert.equal(located(app(`repoURL: ${url}, path: shop`), { remotes: ['git.example.com/fork'] }), 'assumed shop');
  });

  it('is another repository if an object has the URL of a remote', () => {
    const other = app(`repoURL: https://git.example.com/other, path: shop`);
    const own = app(`repoURL: ${url}, path: shop`).replace('name: shop', 'name: own');
    assert.equal(located(other, { remotes, 'argocd/own.yaml': own }), 'elsewhere');
    // The other repository has the same folders, so that the object seems to be in the folder that it builds.
    const mirror = other.replace('path: shop', 'path: argocd');
    assert.equal(located(mirror, { remotes, 'argocd/own.yaml': own }), 'elsewhere');
    assert.equal(
      located(mirror.replace(/https:[^,]+/, '"{{ .Values.url }}"'), { remotes, 'argocd/own.yaml': own }),
      'certain argocd',
    );
  });
});

describe('a source without a known URL', () => {
  it('is certainly this repository if the object is in the folder that it builds', () => {
    assert.equal(located(app(`repoURL: ${url}, path: argocd`)), 'certain argocd');
  });

  it('is assumed to be this repository if most of its paths exist here', () => {
    const other = app('repoURL: https://git.example.com/other, path: shop').replace('name: shop', 'name: other');
    const more = app(`repoURL: ${url}, path: deploy`).replace('name: shop', 'name: more');
    assert.equal(
      located(app(`repoURL: ${url}, path: shop`), { 'argocd/b.yaml': other, 'argocd/c.yaml': more }),
      'assumed shop',
    );
    assert.equal(
      located(app('repoURL: https://git.example.com/other, path: shop'), {
        'argocd/b.yaml': app(`repoURL: ${url}, path: shop`),
        'argocd/c.yaml': more,
      }),
      'elsewhere',
    );
  });

  it('is assumed to be this repository if its URL is a placeholder, and the path exists', () => {
    for (const written of [`"\${REPOSITORY}"`, `"{{ .Values.repository }}"`]) {
      assert.equal(located(app(`repoURL: ${written}, path: shop`), { remotes }), 'assumed shop');
      assert.equal(located(app(`repoURL: ${written}, path: gone`), { remotes }), 'elsewhere');
    }
  });
});

describe('the repository in a configuration', () => {
  const config = (text: string) => ({ '.selector-lens.yaml': `repository: ${text}\n` });

  it('is certain if a path of it exists', () => {
    assert.equal(located(app(`repoURL: ${url}, path: shop`), config('ssh://git@git.example.com/shop')), 'certain shop');
  });

  it('overrides the remotes, and excludes other URLs', () => {
    const others = { remotes, ...config('[https://git.example.com/a, https://git.example.com/b]') };
    assert.equal(located(app(`repoURL: ${url}, path: shop`), others), 'elsewhere');
    assert.equal(located(app(`repoURL: https://git.example.com/b, path: shop`), others), 'certain shop');
  });

  it('is inherited', () => {
    const nested = { ...config(url), 'argocd/.selector-lens.yaml': 'extends: ../.selector-lens.yaml\n' };
    assert.equal(located(app(`repoURL: ${url}, path: shop`), nested), 'certain shop');
  });
});

describe('a source of Flux', () => {
  const kustomization = (source: string) => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: shop, namespace: flux-system}
spec: {path: ./shop, sourceRef: {kind: ${source}, name: shop}}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: ${source}
metadata: {name: shop, namespace: flux-system}
spec: {url: "${url}"}
`;

  it('is certain if it is a GitRepository with the URL of a remote', () => {
    assert.equal(located(kustomization('GitRepository'), { remotes }), 'certain shop');
    assert.equal(located(kustomization('OCIRepository'), { remotes }), 'assumed shop');
  });

  it('is not certain in another branch or tag', () => {
    const ref = (text: string) =>
      kustomization('GitRepository').replace(`url: "${url}"`, `url: "${url}", ref: ${text}`);
    assert.equal(located(ref('{branch: main}'), { remotes }), 'certain shop');
    for (const other of ['{branch: next}', '{tag: v1}', '{semver: 1.x}', `{branch: "\${BRANCH}"}`])
      assert.equal(located(ref(other), { remotes }), 'assumed shop', other);
    assert.equal(located(ref('{branch: next}'), { remotes, branch: 'next' }), 'certain shop');
    assert.equal(located(ref('{tag: next}'), { remotes, branch: 'next' }), 'assumed shop');
  });

  it('is not certain if it includes other repositories, or only some folders', () => {
    for (const more of ['include: [{repository: {name: x}}]', 'sparseCheckout: [web]'])
      assert.equal(
        located(kustomization('GitRepository').replace(`url: "${url}"`, `url: "${url}", ${more}`), { remotes }),
        'assumed shop',
      );
  });
});
