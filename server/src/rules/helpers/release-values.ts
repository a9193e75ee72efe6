/** Finds the values of HelmReleases and Applications that make labels and selectors of the installed charts invalid. */

import { type Problem, validateLabelKey, validateLabelValue } from '../../engine/index.ts';
import { applicationSpec, argoSources } from '../../manifests/gitops/source-paths.ts';
import type { LabelEntry, ManifestObject, Written } from '../../manifests/model.ts';
import { written } from '../../manifests/sites/sites.ts';
import { childOf, type Node, nodeAt, type ScalarNode } from '../../manifests/yaml/tree.ts';
import type { ObjectInFile, Workspace } from '../../workspace/model.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { objectsOf } from '../../workspace/snapshot.ts';
import { effective, isKnownMap } from './validated-labels.ts';

/** A key or value of a built object that equals a key or value in the definition of the release. */
interface FaultInValues {
  readonly object: ObjectInFile;
  readonly is: 'key' | 'value';
  readonly scalar: Written;
  readonly problems: readonly Problem[];
}

/** Returns the invalid keys and values in built objects that occur exactly once in the values of the GitOps object of a scope. */
export function faultsInValues(
  workspace: Workspace,
  { gitops }: Scope,
  built: readonly ObjectInFile[],
): readonly FaultInValues[] {
  const file = gitops && workspace.files.get(gitops.uri);
  if (file === undefined) return [];
  const definitions = objectsOf(workspace, file).filter(({ gitopsSpec, name }) => {
    return gitopsSpec !== undefined && name?.text === gitops?.facts.name;
  });
  const roots = definitions.flatMap(valuesIn);
  if (roots.length === 0) return [];
  return built.flatMap((object) =>
    entriesOf(object.object).flatMap((entry) =>
      faultsOf(entry).flatMap(({ is, text, problems }): readonly FaultInValues[] => {
        const [found, ...others] = scalarsIn(roots, is, text);
        if (found === undefined || others.length > 0) return [];
        const origin = { uri: file.uri, span: found.span };
        return [{ object, is, problems, scalar: { ...written(found), origin } }];
      }),
    ),
  );
}

/** Returns the maps with values, and the parameters, of a HelmRelease or an Application. */
function valuesIn(object: ManifestObject): readonly Node[] {
  const spec = applicationSpec(object);
  const helm = argoSources(spec).map((source) => childOf(source, 'helm'));
  const nodes = [
    ...(spec === undefined ? [childOf(object.gitopsSpec, 'values')] : []),
    ...helm.flatMap((each) => [nodeAt(each, 'valuesObject'), nodeAt(each, 'parameters')]),
  ];
  return nodes.filter((node) => node !== undefined);
}

function entriesOf({ labelSites, selectorSites }: ManifestObject): readonly LabelEntry[] {
  const labels = labelSites.filter((site) => site.place.holds !== 'annotations' && isKnownMap(site));
  const selectors = selectorSites.filter(({ fact }) => fact.plain);
  return [...labels, ...selectors].flatMap(({ entries }) => effective(entries)).filter(isFromValues);
}

/** Whether an entry is not written by a patch or a helper, whose faults are reported there. */
function isFromValues({ key, value, conditional }: LabelEntry): boolean {
  return !conditional && typeof key.value === 'string' && typeof value.value === 'string' && value.type === 'string';
}

function faultsOf({ key, value }: LabelEntry) {
  const inKey = typeof key.value === 'string' ? validateLabelKey(key.value) : [];
  const inValue = typeof value.value === 'string' ? validateLabelValue(value.value) : [];
  return [
    { is: 'key' as const, text: key.text, problems: inKey },
    { is: 'value' as const, text: value.text, problems: inValue },
  ].filter(({ problems }) => problems.length > 0);
}

/** Returns the keys or values with a text. */
function scalarsIn(roots: readonly Node[], is: 'key' | 'value', text: string): readonly ScalarNode[] {
  const found: ScalarNode[] = [];
  const waiting = [...roots];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === 'list') waiting.push(...node.items);
    else if (node.kind === 'scalar' && is === 'value' && node.text === text) found.push(node);
    else if (node.kind === 'map')
      for (const { key, value } of node.entries) {
        if (is === 'key' && key.text === text) found.push(key);
        waiting.push(value);
      }
  }
  return found;
}
