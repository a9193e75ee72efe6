/** Reports paths in GitOps objects that do not exist in the repository, or that the source excludes. */

import { applicationSpec, unknownReferences } from '../../manifests/gitops/source-paths.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { written } from '../../manifests/sites/sites.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import { childOf, type Node, type ScalarNode } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { misspelling } from '../../text/misspelling.ts';
import { unmatchedPatterns } from '../../workspace/gitops/argo/generator-patterns.ts';
import { foldersOf, type GitopsScope, scopesDefinedBy } from '../../workspace/gitops/defined-scopes.ts';
import type { FolderTree } from '../../workspace/gitops/folder-tree.ts';
import { type ResolvedPath, resolvedPaths } from '../../workspace/gitops/resolved-paths.ts';
import { fileNameOf, folderOf, isWithin, relativePath } from '../../workspace/uri.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { isAppliedAsWritten } from '../helpers/applied-as-written.ts';
import { fluxKustomization } from '../helpers/example-manifests.ts';
import { shorten, shortenPath } from '../helpers/sentences.ts';

/**
 * Nothing exists at the path, or at most files that are not indexed; the path is a file; the source excludes the folder; the
 * folder is not a chart; the folder contains a chart, which Flux cannot build; the path is absolute; no source has the
 * name with which the path starts; or a pattern of a generator, or all of its patterns, match nothing.
 */
type Fault =
  | 'missing'
  | 'noManifests'
  | 'file'
  | 'leftOut'
  | 'noChart'
  | 'chart'
  | 'absolute'
  | 'noReference'
  | 'unmatched'
  | 'noneMatched';

interface Missing extends Fact {
  readonly node: ScalarNode;
  /** A path as the controller interprets it, and the GitOps object that contains the path. */
  readonly path: string;
  readonly owner: string;
  readonly fault: Fault;
  readonly is: ResolvedPath['is'];
  /** The path of a chart that Flux cannot build. */
  readonly chart?: string;
  /** The existing path that was probably intended, if there is one. */
  readonly meant?: string;
}

export const gitopsPathMissing = rule<Missing>({
  id: 'gitops-path-missing',
  severity: 'warning',
  needs: 'gitops',
  acrossFiles: true,
  needsNoRendering: true,
  summary:
    'A folder, component or values file of a GitOps object that is not in the repository, or a folder that Flux cannot build.',
  why: 'The controller reports that the path is not found, and applies nothing. Paths that are optional, such as values files with `ignoreMissingValueFiles`, are not checked. It is certain that the source is the repository of the workspace if a remote in `.git/config` or `repository` in `.selector-lens.yaml` has its URL, or if a path with this URL contains the object that names it. If the repository is only assumed, a path is reported only if exactly one path has a similar name. Sources with a different revision or branch are not checked, and neither are the paths of an ApplicationSet if its parameters are not all in this repository. If no path has a similar name, the severity of the finding is `information`, because a folder may contain only files that are not indexed; if a plugin or Jsonnet builds the folder, nothing is reported. Argo CD also rejects absolute paths of folders, and values files such as `$values/prod.yaml` if `sources` contains no source with this name. A pattern of a git generator is reported if it matches no folder or file, and a similar pattern matches something, or (as information) all patterns of the generator match nothing. For a folder without a kustomization file, Flux builds every YAML file in the folder and its subfolders, and fails if one of them is not a Kubernetes object: exclude charts in `.sourceignore`, or add a kustomization file.',
  bad: [
    {
      title: 'A misspelled folder. The first Kustomization contains its own definition, so the repository is known.',
      file: 'cluster/apps.yaml',
      text: `${fluxKustomization('cluster', './cluster')}---
${fluxKustomization('config', './clutser')}`,
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
      const reported = new Set<ScalarNode>();
      for (const scope of scopesDefinedBy(workspace, uri, object)) {
        for (const path of resolvedPaths(workspace, scope, object)) {
          const fact = reported.has(path.node) ? undefined : missingAt(context, scope, path);
          if (fact === undefined || !isAppliedAsWritten(context, scope, object, sourceFields)) continue;
          const { node, text, is } = path;
          reported.add(node);
          const owner = ownerOf(scope, object);
          yield { ...fact, span: node.span, node, path: text, is, owner };
        }
      }
      for (const { node, name, known } of unknownReferences(object)) {
        if (!isAppliedAsWritten(context, undefined, object, sourceFields)) continue;
        const similar = known.filter((each) => misspelling(name, each) !== undefined);
        const [only, ...others] = known.length === 1 ? known : similar;
        const meant = only === undefined || others.length > 0 ? {} : { meant: node.text.replace(name, () => only) };
        yield {
          fault: 'noReference',
          span: node.span,
          node,
          path: node.text,
          is: 'values',
          owner: object.kind,
          ...meant,
        };
      }
      for (const { node, is, isOnly, folder, meant } of unmatchedPatterns(workspace, uri, object)) {
        const isKnown = meant !== undefined || (isOnly && (is === 'folder' || /\.(?:ya?ml|json)$/.test(node.text)));
        if (!isKnown || context.isUnread(folder) || !isAppliedAsWritten(context, undefined, object, generators))
          continue;
        const fault = isOnly ? 'noneMatched' : 'unmatched';
        const found = meant === undefined ? { severity: 'information' as const } : { meant };
        const about = { node, path: node.text, is: is === 'folder' ? ('folder' as const) : ('values' as const) };
        yield { fault, span: node.span, ...about, owner: object.kind, ...found };
      }
    }
  },
  message({ path: written, owner, fault, is, meant, chart = '' }) {
    const path = shortenPath(written, meant);
    if (fault === 'chart')
      return localize`'${path}' has no kustomization file, so the ${owner} builds every YAML file and fails at '${shorten(chart)}', a chart.`;
    if (fault === 'absolute')
      return localize`'${path}' must be relative to the root of the repository; the ${owner} applies nothing.`;
    if (fault === 'leftOut')
      return localize`The source excludes '${path}' (\`.sourceignore\`); the ${owner} applies nothing.`;
    if (fault === 'noChart') return localize`'${path}' contains no 'Chart.yaml'; the ${owner} applies nothing.`;
    if (fault === 'noManifests')
      return localize`No YAML or JSON file of this repository is in '${path}', so the ${owner} probably applies nothing.`;
    if (fault === 'file') return localize`'${path}' is a file, not a folder; the ${owner} applies nothing.`;
    if (fault === 'noReference')
      return localize`No source of the ${owner} has \`ref: ${shorten(written.slice(1).split('/')[0] ?? '')}\`, so Argo CD cannot build it.`;
    const missing =
      fault === 'unmatched' || fault === 'noneMatched'
        ? unmatchedText(path, is, fault)
        : is === 'folder'
          ? localize`'${path}' does not exist in this repository; the ${owner} applies nothing.`
          : localize`'${path}' does not exist in this repository; the build of the ${owner} fails.`;
    return meant === undefined ? missing : `${missing} ${localize`Did you mean '${shortenPath(meant, written)}'?`}`;
  },
  fixes: ({ node, path, meant }) =>
    meant === undefined || node.style === 'block' || node.origin !== undefined || node.text !== path
      ? []
      : [
          {
            title: localize`Change to '${shortenPath(meant, path)}'`,
            edits: [replaceScalar(written(node), meant)],
            preferred: true,
          },
        ],
});

/** Returns the name of the GitOps object that contains a path, for a message. For an ApplicationSet, and in a chart, this is the Application if its name is known. */
function ownerOf({ gitops: { facts } }: GitopsScope, { kind }: ManifestObject): string {
  return (facts.from ?? facts.rendered) === undefined || facts.name.includes('{{')
    ? kind
    : `Application '${shorten(facts.name)}'`;
}

function unmatchedText(path: string, is: ResolvedPath['is'], fault: 'unmatched' | 'noneMatched'): string {
  if (fault === 'unmatched')
    return is === 'folder'
      ? localize`'${path}' matches no folder of this repository.`
      : localize`'${path}' matches no file of this repository.`;
  return is === 'folder'
    ? localize`'${path}' matches no folder of this repository, so the generator creates no Application.`
    : localize`'${path}' matches no file of this repository, so the generator creates no Application.`;
}

function generators({ gitopsSpec }: ManifestObject): readonly (Node | undefined)[] {
  return [childOf(gitopsSpec, 'generators')];
}

/** Returns the fields that determine the sources of a GitOps object. */
function sourceFields(object: ManifestObject): readonly (Node | undefined)[] {
  const spec = applicationSpec(object) ?? object.gitopsSpec;
  return ['source', 'sources', 'path', 'components', 'sourceRef', 'chart', 'sync'].map((key) => childOf(spec, key));
}

/** Returns the fault of a path, if it is certain, or if it is likely because a similar path exists. */
function missingAt(
  context: RuleContext,
  scope: GitopsScope,
  path: ResolvedPath,
): Pick<Missing, 'fault' | 'meant' | 'severity' | 'chart' | 'related'> | undefined {
  if (path.isOptional || path.isPinned) return undefined;
  const isFolder = path.is === 'folder';
  if (isFolder && scope.kind === 'argo-application' && path.text.startsWith('/')) {
    const meant = path.text.replace(/^\/+/, '');
    return { fault: 'absolute', ...(meant !== '' && { meant }) };
  }
  const fault = faultOf(context, scope, path);
  if (fault === undefined && path.isCertain) return chartIn(context, scope, path);
  if (fault === undefined || (fault !== 'missing' && !path.isCertain)) return undefined;
  if (fault !== 'missing') return { fault };
  const meant = meantBy(path, foldersOf(context.workspace));
  if (meant !== undefined) return { fault, meant };
  if (!path.isCertain) return undefined;
  if (!isFolder || scope.kind !== 'argo-application') return { fault, severity: 'information' };
  // Argo CD also builds folders of programs and Jsonnet files, which are not indexed.
  const source = scope.gitops.facts.sources[path.source ?? 0];
  const isProgram = source?.explicit === 'plugin' || source?.directory?.jsonnet === true;
  return isProgram ? undefined : { fault: 'noManifests', severity: 'information' };
}

/** Finds a chart among the files that Flux lists in a generated kustomization: a `Chart.yaml` is not a Kubernetes object, so the build fails. */
function chartIn({ workspace }: RuleContext, { kind, gitops }: GitopsScope, { is, source = 0, root }: ResolvedPath) {
  if (kind !== 'flux-kustomization' || is !== 'folder') return undefined;
  const uri = gitops.contents[source]?.resources.find((each) => {
    return fileNameOf(each) === 'Chart.yaml' && workspace.files.get(each)?.chart?.name !== undefined;
  });
  const file = uri === undefined ? undefined : workspace.files.get(uri);
  if (uri === undefined || file === undefined) return undefined;
  const related = [{ file, span: { start: 0, end: 0 }, message: localize`The chart is defined here.` }];
  return { fault: 'chart', chart: relativePath(root, uri), related } as const;
}

function faultOf(context: RuleContext, { kind, gitops }: GitopsScope, path: ResolvedPath): Fault | undefined {
  const { uri, is, source, text } = path;
  const tree = foldersOf(context.workspace);
  const isFile = tree.filesIn(folderOf(uri)).includes(uri);
  const exists = is === 'values' ? isFile : tree.has(uri);
  const isIndexed = is !== 'values' || /\.ya?ml$/.test(uri);
  if (!exists && isFile) return 'file';
  // A link has the content of its target.
  const isLink = context.workspace.at(path.root, relativePath(path.root, uri)) !== uri;
  if (!exists && isLink) return undefined;
  if (!exists) return !isIndexed || /\.t?gz$/.test(text) || context.isUnread(uri) ? undefined : 'missing';
  if (is !== 'folder' || source === undefined || gitops.contents[source] !== undefined) return undefined;
  if (kind === 'flux-kustomization') return 'leftOut';
  const chart = `${uri}/Chart.yaml`;
  const hasChart = tree.filesIn(uri).includes(chart) || context.isUnread(chart);
  return kind === 'helm-release' && !hasChart ? 'noChart' : undefined;
}

/** Returns the path with one misspelled component corrected; undefined unless exactly one existing folder or file has such a path. If the repository is uncertain, the path may exist, so only likely misspellings are considered. */
function meantBy({ text, is, root, uri, isCertain }: ResolvedPath, tree: FolderTree): string | undefined {
  let known = uri;
  while (isWithin(known, root) && known !== root && !tree.has(folderOf(known))) known = folderOf(known);
  if (!isWithin(known, root) || known === root) return undefined;
  const rest = uri.slice(known.length);
  const isFile = is === 'values';
  const exists = (each: string) => (isFile ? tree.filesIn(folderOf(each)).includes(each) : tree.has(each));
  const beside = isFile && rest === '' ? tree.filesIn(folderOf(known)) : tree.foldersIn(folderOf(known));
  const likely = beside.filter((each) => {
    const how = misspelling(fileNameOf(known), fileNameOf(each));
    return how !== undefined && (isCertain || how !== 'possible') && exists(`${each}${rest}`);
  });
  const [only, ...others] = likely;
  if (only === undefined || others.length > 0) return undefined;
  const steps = text.split('/');
  const index = steps.findLastIndex((step) => step !== '') - rest.split('/').slice(1).length;
  return steps[index] === fileNameOf(known) ? steps.with(index, fileNameOf(only)).join('/') : undefined;
}
