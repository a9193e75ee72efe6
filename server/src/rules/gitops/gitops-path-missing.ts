/** Reports paths of GitOps objects that do not exist in the repository, or that the source excludes. */

import { written } from '../../manifests/sites/sites.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import type { ScalarNode } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { misspelling } from '../../text/misspelling.ts';
import { foldersOf, type GitopsScope, scopesDefinedBy } from '../../workspace/gitops/defined-scopes.ts';
import type { FolderTree } from '../../workspace/gitops/folder-tree.ts';
import { type ResolvedPath, resolvedPaths } from '../../workspace/gitops/resolved-paths.ts';
import { fileNameOf, folderOf, isWithin } from '../../workspace/uri.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { shorten } from '../helpers/sentences.ts';

/** Nothing exists at the path; or it is a folder that the source leaves out, or one that should be a chart. */
type Fault = 'missing' | 'leftOut' | 'noChart';

interface Missing extends Fact {
  readonly node: ScalarNode;
  readonly kind: string;
  readonly fault: Fault;
  /** The path that was probably intended. */
  readonly meant?: string;
}

export const gitopsPathMissing = rule<Missing>({
  id: 'gitops-path-missing',
  severity: 'warning',
  acrossFiles: true,
  needsNoRendering: true,
  summary: 'A folder, component or file of values of a GitOps object that is not in the repository.',
  why: 'The controller reports that the path is not found, and applies nothing. Paths that are optional, such as files of values with `ignoreMissingValueFiles`, are not checked. The rule reports a path only if it is certain that the source is the repository of the workspace: a remote in `.git/config` or `repository` in `.selector-lens.yaml` has its URL, or a path with this URL contains the object that names it. Sources with a different revision or branch are not checked. If no folder has a similar name, the finding is reported with severity information, because a folder may contain only files that are not indexed.',
  bad: [
    {
      title: 'A misspelled folder. The first Kustomization contains its own definition, so the repository is known.',
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
      title: 'A source that is a different repository.',
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
      for (const path of resolvedPaths(workspace, scope, object)) {
        const fault = path.isCertain && !path.isOptional ? faultOf(context, scope, path) : undefined;
        if (fault === undefined) continue;
        const meant = fault === 'missing' ? meantBy(path, foldersOf(workspace)) : undefined;
        const isLikely = fault !== 'missing' || meant !== undefined;
        // A folder may contain only files that are not indexed, such as programs.
        if (scope.kind === 'argo-application' && path.is === 'folder' && !isLikely) continue;
        yield {
          span: path.node.span,
          node: path.node,
          kind: object.kind,
          fault,
          ...(meant !== undefined && { meant }),
          ...(!isLikely && { severity: 'information' as const }),
        };
      }
    }
  },
  message({ node, kind, fault, meant }) {
    const path = shorten(node.text);
    if (fault === 'leftOut')
      return localize`The source excludes '${path}' (\`.sourceignore\`); the ${kind} applies nothing.`;
    if (fault === 'noChart') return localize`'${path}' contains no 'Chart.yaml'; the ${kind} applies nothing.`;
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

function faultOf(context: RuleContext, { kind, gitops }: GitopsScope, path: ResolvedPath): Fault | undefined {
  const { uri, is, source, node } = path;
  const tree = foldersOf(context.workspace);
  const exists = is === 'values' ? tree.filesIn(folderOf(uri)).includes(uri) : tree.has(uri);
  const isIndexed = is !== 'values' || /\.ya?ml$/.test(uri);
  if (!exists) return !isIndexed || /\.t?gz$/.test(node.text) || context.isUnread(uri) ? undefined : 'missing';
  if (is !== 'folder' || source === undefined || gitops.contents[source] !== undefined) return undefined;
  if (kind === 'flux-kustomization') return 'leftOut';
  const chart = `${uri}/Chart.yaml`;
  const hasChart = tree.filesIn(uri).includes(chart) || context.isUnread(chart);
  return kind === 'helm-release' && !hasChart ? 'noChart' : undefined;
}

/** Returns the path with one misspelled name corrected, if only one folder or file has such a path. */
function meantBy({ node, is, root, uri }: ResolvedPath, tree: FolderTree): string | undefined {
  let known = uri;
  while (isWithin(known, root) && known !== root && !tree.has(folderOf(known))) known = folderOf(known);
  if (!isWithin(known, root) || known === root) return undefined;
  const rest = uri.slice(known.length);
  const isFile = is === 'values';
  const exists = (each: string) => (isFile ? tree.filesIn(folderOf(each)).includes(each) : tree.has(each));
  const beside = isFile && rest === '' ? tree.filesIn(folderOf(known)) : tree.foldersIn(folderOf(known));
  const likely = beside.filter((each) => {
    const how = misspelling(fileNameOf(known), fileNameOf(each));
    return (how === 'evident' || how === 'likely') && exists(`${each}${rest}`);
  });
  const [only, ...others] = likely;
  if (only === undefined || others.length > 0) return undefined;
  const steps = node.text.split('/');
  const index = steps.findLastIndex((step) => step !== '') - rest.split('/').slice(1).length;
  return steps[index] === fileNameOf(known) ? steps.with(index, fileNameOf(only)).join('/') : undefined;
}
