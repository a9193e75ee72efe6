/** Collects the facts about GitOps objects and their sources that determine the scopes. */

import type { ManifestObject } from '../model.ts';
import { childOf, itemsOf, type Node } from '../yaml/tree.ts';
import { argoFacts } from './argo.ts';
import { fluxFacts, knownText, repositoryOf, syncNames } from './flux.ts';
import type { CopiedFolder, GitopsFacts, SourceFacts } from './model.ts';
import { ownRevisions, plainPath } from './repository-url.ts';
import { artifactGroup, operatorGroup } from './spec.ts';

/** Returns the facts of a GitOps object; undefined for every other object. */
export function gitopsFactsOf(object: ManifestObject): GitopsFacts | undefined {
  const { gitopsSpec } = object;
  return gitopsSpec && (fluxFacts(object, gitopsSpec) ?? argoFacts(object, gitopsSpec));
}

/** Returns the facts of the Flux sources that an object represents or creates. */
export function sourceFactsOf(object: ManifestObject): readonly SourceFacts[] {
  const { group, kind, name, namespace, gitopsSpec: spec } = object;
  if (spec === undefined || name === undefined) return [];
  const own = namespace?.text ?? '';
  if (group === artifactGroup) return artifactsOf(spec, own);
  if (group === 'source.toolkit.fluxcd.io') return [sourceFacts(spec, `${kind}/${own}/${name.text}`)];
  const sync = group === operatorGroup ? childOf(spec, 'sync') : undefined;
  if (sync === undefined) return [];
  const [syncKind, syncName] = syncNames(sync, own);
  return [sourceFacts(sync, `${syncKind}/${own}/${syncName}`)];
}

function sourceFacts(spec: Node, id: string): SourceFacts {
  const url = knownText(childOf(spec, 'url'));
  const ignore = knownText(childOf(spec, 'ignore'));
  return {
    id,
    ...(url !== undefined && { url }),
    ...(ignore !== undefined && { ignore }),
    ...(id.startsWith('GitRepository/') ? revisionOf(spec) : { isPinned: true }),
  };
}

/** Returns the artifacts of an ArtifactGenerator: https://fluxcd.io/flux/components/source/artifactgenerators/. */
function artifactsOf(spec: Node, namespace: string): readonly SourceFacts[] {
  const sources = new Map<string, string>();
  for (const source of itemsOf(childOf(spec, 'sources'))) {
    const { repository } = repositoryOf(source, namespace);
    if (repository !== undefined) sources.set(knownText(childOf(source, 'alias')) ?? '', repository);
  }
  return itemsOf(childOf(spec, 'artifacts')).flatMap((artifact): readonly SourceFacts[] => {
    const name = knownText(childOf(artifact, 'name'));
    const copies = itemsOf(childOf(artifact, 'copy')).map((copy) => copiedFolder(copy, sources));
    return name === undefined ? [] : [{ id: `ExternalArtifact/${namespace}/${name}`, isPinned: true, copies }];
  });
}

/** For a copy from `@repo/apps/**` to `@artifact/`, the content of `apps` is copied; with any other pattern, or with `exclude`, only some files are copied. */
function copiedFolder(copy: Node, sources: ReadonlyMap<string, string>): CopiedFolder {
  const text = knownText(childOf(copy, 'from')) ?? '';
  const slash = text.indexOf('/');
  const pattern = text.slice(slash + 1);
  const isWhole = slash > 0 && childOf(copy, 'exclude') === undefined && /^(?:[^*?[\]{}]*\/)?\*\*$/.test(pattern);
  const to = plainPath((knownText(childOf(copy, 'to')) ?? '').replace(/^@artifact\/?/, ''));
  return {
    repository: sources.get(text.slice(1, slash)) ?? '',
    from: isWhole ? plainPath(pattern.slice(0, -2)) : undefined,
    to,
  };
}

/** Returns whether a GitRepository may provide a different revision than the one in the workspace, and its branch. */
function revisionOf(spec: Node): Pick<SourceFacts, 'isPinned' | 'branch'> {
  // With these fields, the artifact contains only some folders of this repository, or also folders of other
  // repositories.
  if (['include', 'sparseCheckout'].some((field) => childOf(spec, field) !== undefined)) return { isPinned: true };
  const ref = childOf(spec, 'ref');
  if (ref === undefined) return {};
  const others = ['tag', 'semver', 'commit', 'name'].some((key) => childOf(ref, key) !== undefined);
  // In a FluxInstance, `ref` is a scalar with the full name of the branch, such as `refs/heads/main`.
  const branch = ref.kind === 'scalar' ? ref : childOf(ref, 'branch');
  const name = branch === undefined ? '' : (knownText(branch)?.replace(/^refs\/heads\//, '') ?? 'unknown');
  if (others) return { isPinned: true };
  return ownRevisions.has(name) ? {} : { isPinned: true, branch: name };
}
