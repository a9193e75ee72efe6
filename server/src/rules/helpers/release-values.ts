/** Finds the values of HelmReleases and Applications that make the objects of the installed charts invalid. */

import { type Problem, validateLabelKey, validateLabelValue } from '../../engine/index.ts';
import { lastAnswer } from '../../engine/last-result.ts';
import { applicationSpec, argoSources } from '../../manifests/gitops/source-paths.ts';
import { scalarLetters } from '../../manifests/inline/scalar-source-map.ts';
import { isSmall } from '../../manifests/kustomize/kustomize-documents.ts';
import type { LabelEntry, ManifestObject, Written } from '../../manifests/model.ts';
import { written } from '../../manifests/sites/sites.ts';
import { blankManifest } from '../../manifests/yaml/blank-manifest.ts';
import { parseYaml } from '../../manifests/yaml/parse-yaml.ts';
import { childOf, itemsOf, type Node, type ScalarNode, textOf } from '../../manifests/yaml/tree.ts';
import type { Span } from '../../text/span.ts';
import { definitionIn } from '../../workspace/gitops/defined-scopes.ts';
import type { ObjectInFile, Workspace } from '../../workspace/model.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { effective, isKnownMap } from './validated-labels.ts';

/** A key or value of a built object that equals a key or value in the definition of the release. */
interface FaultInValues {
  readonly object: ObjectInFile;
  readonly is: 'key' | 'value';
  readonly scalar: Written;
  readonly problems: readonly Problem[];
}

/** A key or value in the values of a release. */
export interface ReleaseScalar {
  readonly node: ScalarNode;
  readonly is: 'key' | 'value';
  /** The key of a value, or the last key in the name of a parameter. */
  readonly key?: string;
  /** The string that contains the values, in which `node` has its position. */
  readonly within?: ScalarNode;
}

/** What an object contains: a text, and its key if the text is a value. */
interface Wanted {
  readonly is: 'key' | 'value';
  readonly text: string;
  readonly key?: string;
  /** The action of the template that writes the text. */
  readonly action?: string;
}

/** Returns the invalid keys and values in built objects that the values of the GitOps object of a scope write; `text` is the text of its file. */
export function faultsInValues(
  workspace: Workspace,
  scope: Scope,
  built: readonly ObjectInFile[],
  text: string,
): readonly FaultInValues[] {
  if (!hasValues(workspace, scope)) return [];
  const { uri = '' } = scope.gitops ?? {};
  return built.flatMap((object) =>
    entriesOf(object.object).flatMap((entry) =>
      faultsOf(entry).flatMap(({ problems, ...wanted }): readonly FaultInValues[] => {
        const found = valueOfRelease(workspace, scope, wanted);
        if (found === undefined) return [];
        const origin = { uri, span: spanOfValue(text, found) };
        return [{ object, is: wanted.is, problems, scalar: { ...written(found.node), origin } }];
      }),
    ),
  );
}

/** Whether the GitOps object of a scope sets values of charts itself. */
export function hasValues(workspace: Workspace, scope: Scope): boolean {
  return scalarsOfScope(workspace, scope).length > 0;
}

/** Returns the key or value in the definition of the GitOps object of a scope that certainly writes a text of the output; undefined if there is none, or several. */
export function valueOfRelease(
  workspace: Workspace,
  scope: Scope,
  { is, text, key, action = '' }: Wanted,
): ReleaseScalar | undefined {
  const equal = scalarsOfScope(workspace, scope).filter((each) => each.is === is && each.node.text === text);
  const [same] = equal.filter((each) => each.key !== undefined && each.key === key);
  if (same !== undefined) return same;
  const read = Array.from(action.matchAll(/\.Values(?:\.\w{1,100}){1,20}/g), ([path]) => path.split('.').at(-1));
  const [found, ...others] = read.length === 0 ? equal : equal.filter((each) => read.includes(each.key));
  return others.length === 0 ? found : undefined;
}

/** Returns the position of a value in the text of its file. */
export function spanOfValue(text: string, { node, within }: ReleaseScalar): Span {
  if (within === undefined) return node.span;
  const letters = scalarLetters(text, within);
  if (!letters.text.startsWith(within.text.trimEnd())) return within.span;
  return { start: letters.startOf(node.span.start), end: letters.endOf(node.span.end - 1) };
}

function scalarsOfScope(workspace: Workspace, { gitops }: Scope): readonly ReleaseScalar[] {
  const definition = gitops && definitionIn(gitops, workspace.files);
  return definition === undefined ? [] : scalarsOf(definition);
}

const scalarsOf = lastAnswer((object: ManifestObject): readonly ReleaseScalar[] => {
  const spec = applicationSpec(object);
  if (spec === undefined) return scalarsIn(childOf(object.gitopsSpec, 'values'));
  return argoSources(spec)
    .map((source) => childOf(source, 'helm'))
    .flatMap((helm) => [
      ...scalarsIn(childOf(helm, 'valuesObject')),
      ...itemsOf(childOf(helm, 'parameters')).flatMap(parameter),
      ...scalarsInString(childOf(helm, 'values')),
    ]);
});

function parameter(item: Node): readonly ReleaseScalar[] {
  const value = childOf(item, 'value');
  const key = textOf(childOf(item, 'name'))
    ?.replaceAll(/\[\d+\]/g, '')
    .split('.')
    .at(-1);
  return value?.kind === 'scalar' ? [{ node: value, is: 'value', ...(key !== undefined && { key }) }] : [];
}

function scalarsIn(root: Node | undefined, within?: ScalarNode): readonly ReleaseScalar[] {
  const found: ReleaseScalar[] = [];
  const inString = within && { within };
  const visit = (node: Node, key: string | undefined): void => {
    if (node.kind === 'scalar') found.push({ node, is: 'value', ...(key !== undefined && { key }), ...inString });
    else if (node.kind === 'list') for (const item of node.items) visit(item, key);
    else
      for (const entry of node.entries) {
        found.push({ node: entry.key, is: 'key', ...inString });
        visit(entry.value, entry.key.text);
      }
  };
  if (root !== undefined && isSmall(root)) visit(root, undefined);
  return found;
}

function scalarsInString(node: Node | undefined): readonly ReleaseScalar[] {
  if (node?.kind !== 'scalar' || node.pattern !== undefined) return [];
  const blanked = blankManifest(node.text);
  const { root } = parseYaml(node.text, blanked, { start: 0, end: node.text.length });
  return scalarsIn(root, node);
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

function faultsOf({ key, value }: LabelEntry): readonly (Wanted & { readonly problems: readonly Problem[] })[] {
  const inKey = typeof key.value === 'string' ? validateLabelKey(key.value) : [];
  const inValue = typeof value.value === 'string' ? validateLabelValue(value.value) : [];
  return [
    { is: 'key' as const, text: key.text, problems: inKey },
    { is: 'value' as const, text: value.text, key: key.text, problems: inValue },
  ].filter(({ problems }) => problems.length > 0);
}
