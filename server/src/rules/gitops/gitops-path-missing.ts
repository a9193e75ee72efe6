/** Reports paths of GitOps objects that do not exist in the repository, or that the source leaves out. */

import { knownText } from '../../manifests/gitops/flux.ts';
import { sourcePaths } from '../../manifests/gitops/source-paths.ts';
import { written } from '../../manifests/sites/sites.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import type { ScalarNode } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { misspelling } from '../../text/misspelling.ts';
import { foldersOf, scopesDefinedBy } from '../../workspace/gitops/defined-scopes.ts';
import type { FolderTree } from '../../workspace/gitops/folder-tree.ts';
import type { LocatedFolder } from '../../workspace/gitops/repositories.ts';
import { fileNameOf, folderOf, isWithin, relativePath } from '../../workspace/uri.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { shorten } from '../helpers/sentences.ts';

interface Missing extends Fact {
  readonly node: ScalarNode;
  readonly kind: string;
  /** The folder exists, and the source leaves it out. */
  readonly isLeftOut: boolean;
  /** The probably intended path. */
  readonly meant?: string;
}

export const gitopsPathMissing = rule<Missing>({
  id: 'gitops-path-missing',
  severity: 'warning',
  acrossFiles: true,
  needsNoRendering: true,
  summary: 'A path of a Flux Kustomization, a HelmRelease or an Application that is not in the repository.',
  why: 'The controller reports that the path is not found, and applies nothing. The rule reports a path only if it is certain that the source is the repository of the workspace: a remote in `.git/config` or `repository` in `.selector-lens.yaml` has its URL, or a path of this URL contains the object that names it. Sources with another revision or branch are not checked. If no folder has a similar name, the finding is an information, since a folder may contain only files that are not indexed.',
  bad: [
    {
      title:
        'A misspelled folder. The first Kustomization contains its own definition, so that the repository is known.',
      file: 'cluster/apps.yaml',
      text: `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: cluster
  namespace: flux-system
spec:
  interval: 10m
  path: ./cluster
  prune: true
  sourceRef:
    kind: GitRepository
    name: flux-system
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: config
  namespace: flux-system
spec:
  interval: 10m
  path: ./clutser
  prune: true
  sourceRef:
    kind: GitRepository
    name: flux-system
`,
    },
  ],
  good: [
    {
      title: 'A source that is another repository.',
      text: `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: podinfo
  namespace: flux-system
spec:
  interval: 10m
  path: ./kustomize
  prune: true
  sourceRef:
    kind: GitRepository
    name: podinfo
`,
    },
  ],
  *check(context) {
    const { stored, uri, workspace } = context;
    for (const object of stored) {
      const [scope] = scopesDefinedBy(workspace, uri, object);
      if (scope === undefined) continue;
      const { located, contents, kind } = scope.gitops;
      for (const [index, node] of sourcePaths(object).entries()) {
        const place = located[index];
        if (node?.kind !== 'scalar' || knownText(node) === undefined || !place?.isCertain) continue;
        if (
          place.exists ? contents[index] !== undefined || kind !== 'flux-kustomization' : context.isUnread(place.folder)
        )
          continue;
        const meant = place.exists ? undefined : meantBy(place, foldersOf(workspace), node.text);
        const isLikely = place.exists || meant !== undefined;
        // A folder may consist of files that are not indexed, such as programs.
        if (kind === 'argo-application' && !isLikely) continue;
        yield {
          span: node.span,
          node,
          kind: object.kind,
          isLeftOut: place.exists,
          ...(meant !== undefined && { meant }),
          ...(!isLikely && { severity: 'information' as const }),
        };
      }
    }
  },
  message({ node, kind, isLeftOut, meant }) {
    const path = shorten(node.text);
    if (isLeftOut) return localize`The source excludes '${path}' (\`.sourceignore\`); the ${kind} applies nothing.`;
    if (meant === undefined) return localize`'${path}' does not exist in this repository; the ${kind} applies nothing.`;
    return localize`'${path}' does not exist in this repository; the ${kind} applies nothing. Did you mean '${shorten(meant)}'?`;
  },
  fixes: ({ node, meant }) =>
    meant === undefined || node.style === 'block' || node.origin !== undefined
      ? []
      : [
          {
            title: localize`Change to '${shorten(meant)}'`,
            edits: [replaceScalar(written(node), meant)],
            preferred: true,
          },
        ],
});

/** The path with one misspelled name corrected, if only one folder has such a path. */
function meantBy({ root, folder }: LocatedFolder, tree: FolderTree, text: string): string | undefined {
  let known = folder;
  while (isWithin(known, root) && known !== root && !tree.has(folderOf(known))) known = folderOf(known);
  if (!isWithin(known, root) || known === root) return undefined;
  const rest = folder.slice(known.length);
  const likely = tree.foldersIn(folderOf(known)).filter((each) => {
    const how = misspelling(fileNameOf(known), fileNameOf(each));
    return (how === 'evident' || how === 'likely') && tree.has(`${each}${rest}`);
  });
  const [only, ...others] = likely;
  if (only === undefined || others.length > 0) return undefined;
  const path = relativePath(root, `${only}${rest}`);
  return text.startsWith('./') ? `./${path}` : path;
}
