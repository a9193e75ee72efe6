/**
 * The variables of a Flux Kustomization, and their substitution in objects.
 * Source: fluxcd/pkg `kustomize/kustomize_varsub.go`.
 */

import { mayContainVariables, type Piece, substitute } from '../../manifests/gitops/envsubst.ts';
import { knownText } from '../../manifests/gitops/flux.ts';
import { blank, blankPattern, isBlanked } from '../../manifests/placeholders/placeholders.ts';
import { childOf, itemsOf, type MapNode, type Node, type Origin, type ScalarNode } from '../../manifests/yaml/tree.ts';
import { listOf, mapOf } from '../kustomize/edit-tree.ts';
import { type Resource, textAt } from '../kustomize/resource.ts';
import type { WorkspaceFile } from '../model.ts';
import type { Definition, RecipeSurroundings } from './recipes.ts';

/** A variable, and where its value is written. */
export interface Variable {
  /** Undefined if the value is unknown: that of a Secret, for example. */
  readonly value: string | undefined;
  readonly origin: Origin;
}

export interface Variables {
  readonly values: ReadonlyMap<string, Variable>;
  /** All sources of variables are known, so that every other name is not set. */
  readonly isComplete: boolean;
  /** Objects are changed even without any variable. */
  readonly always: boolean;
}

/** Returns the variables of a Kustomization; undefined if it substitutes nothing. */
export function variablesFor({ gitops, object, spec, isAmbiguous }: Definition, around: RecipeSurroundings) {
  const postBuild = childOf(spec, 'postBuild');
  if (postBuild?.kind !== 'map') return undefined;
  const values = new Map<string, Variable>();
  let isComplete = !isAmbiguous && !postBuild.open;
  const namespace = object.namespace?.text ?? '';
  for (const item of itemsOf(childOf(postBuild, 'substituteFrom'))) {
    const [kind, name] = [knownText(childOf(item, 'kind')), knownText(childOf(item, 'name'))];
    const found =
      kind === undefined || name === undefined ? undefined : sourceOf({ kind, name, namespace }, gitops.uri, around);
    if (found === undefined) isComplete = false;
    for (const { key, value } of found?.data.entries ?? [])
      values.set(key.text, variableOf(value, found?.file.uri ?? ''));
  }
  const own = childOf(postBuild, 'substitute');
  if (own?.kind === 'map') {
    if (own.open) isComplete = false;
    for (const { key, value } of own.entries) values.set(key.text, variableOf(value, gitops.uri));
  }
  const always = knownText(childOf(postBuild, 'substituteStrategy')) === 'Always';
  return { values, isComplete, always };
}

/** Newlines are removed from every value. */
function variableOf(node: Node, uri: string): Variable {
  const origin = node.kind === 'scalar' && node.origin !== undefined ? node.origin : { uri, span: node.span };
  const text = knownText(node);
  const isKnown = text !== undefined && !mayContainVariables(text);
  return { value: isKnown ? text.replaceAll('\n', '') : undefined, origin };
}

/** The kinds that provide the keys of a Secret: a SealedSecret becomes a Secret with the name of its own. */
const providers: Readonly<Record<string, readonly string[]>> = {
  ConfigMap: ['\nConfigMap'],
  Secret: ['\nSecret', 'bitnami.com\nSealedSecret'],
};

interface SourceName {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

/** The only object that provides variables; undefined if there is none, or if several files have one. */
function sourceOf(
  { kind, name, namespace }: SourceName,
  from: string,
  around: RecipeSurroundings,
): { readonly file: WorkspaceFile; readonly data: MapNode } | undefined {
  const namespaces = new Set([namespace, '']);
  const files = (providers[kind] ?? []).flatMap((type) =>
    [...namespaces].flatMap((each) => around.filesWith(`${type}\n${each}\n${name}`)),
  );
  const nearest = nearestOf(files, from);
  const object = nearest?.manifest.objects.find((each) => each.name?.text === name && each.variables !== undefined);
  return nearest === undefined || object?.variables === undefined
    ? undefined
    : { file: nearest, data: object.variables };
}

/** The file with the longest common path; undefined if there is none, or several. */
function nearestOf(files: readonly WorkspaceFile[], from: string): WorkspaceFile | undefined {
  const common = (uri: string) => {
    const [a, b] = [uri.split('/'), from.split('/')];
    return a.findIndex((step, index) => step !== b[index]);
  };
  const sorted = files.toSorted((a, b) => common(b.uri) - common(a.uri));
  const [first, second] = sorted;
  if (first === undefined || second === undefined) return first;
  return common(first.uri) === common(second.uri) ? undefined : first;
}

const disabled = 'kustomize.toolkit.fluxcd.io/substitute';

/** Returns a resource with all variables replaced; the resource itself if it contains none. */
export function withVariables(resource: Resource, variables: Variables): Resource {
  const { values, isComplete, always } = variables;
  if (values.size === 0 && isComplete && !always) return resource;
  const { tree } = resource;
  const metadata = childOf(tree, 'metadata');
  const marks = ['labels', 'annotations'].map((field) => textAt(metadata ?? tree, field, disabled));
  if (marks.includes('disabled')) return resource;
  const changed = substituted(tree, variables);
  return changed === tree || changed.kind !== 'map' ? resource : { ...resource, tree: changed, shared: undefined };
}

function substituted(node: Node, variables: Variables): Node {
  if (node.kind === 'scalar') return substitutedScalar(node, variables);
  if (node.kind === 'list') {
    const items = node.items.map((item) => substituted(item, variables));
    return items.every((item, index) => item === node.items[index]) ? node : listOf(items, node.span, node.open);
  }
  const entries = node.entries.map((entry) => {
    const key = substitutedScalar(entry.key, variables);
    const value = substituted(entry.value, variables);
    return key === entry.key && value === entry.value ? entry : { ...entry, key, value };
  });
  const isSame = entries.every((entry, index) => entry === node.entries[index]);
  return isSame ? node : mapOf(entries, node.span, node.open);
}

function substitutedScalar(node: ScalarNode, { values, isComplete }: Variables): ScalarNode {
  if (!mayContainVariables(node.text)) return node;
  let origin: Origin | undefined;
  const { pieces } = substitute(node.text, (name) => {
    const variable = values.get(name);
    if (variable === undefined) return isComplete ? undefined : { unknown: true };
    origin ??= variable.origin;
    return variable.value ?? { unknown: true };
  });
  const { pattern: _, assumed: __, ...bare } = node;
  return { ...bare, ...textOf(pieces), ...(origin && { origin }) };
}

/** The text of some pieces, with a pattern if a part of it is unknown. Other placeholders remain unknown. */
function textOf(pieces: readonly Piece[]): Pick<ScalarNode, 'text' | 'pattern'> {
  const text = pieces.map((piece) => (typeof piece === 'string' ? piece : piece.unknown)).join('');
  const isKnown = pieces.every((piece) => typeof piece === 'string' && !hasPlaceholder(piece));
  if (isKnown) return { text };
  return { text, pattern: pieces.map((piece) => (typeof piece === 'string' ? patternOf(piece) : '*')).join('') };
}

function hasPlaceholder(text: string): boolean {
  return isBlanked(blank(text).text);
}

function patternOf(text: string): string {
  const { text: blanked, blanks } = blank(text);
  return isBlanked(blanked) ? blankPattern(blanked, blanks) : text;
}
