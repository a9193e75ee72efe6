/** The variables of a Flux Kustomization, and their substitution in objects. Source: fluxcd/pkg `kustomize/kustomize_varsub.go`. */

import { getOrAdd, memoized } from '../../engine/memoize.ts';
import { mayContainVariables, type Piece, substitute } from '../../manifests/gitops/envsubst.ts';
import { knownText } from '../../manifests/gitops/flux.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { blank, blankPattern, isBlanked } from '../../manifests/placeholders/placeholders.ts';
import { splitDocuments } from '../../manifests/yaml/documents.ts';
import { parseYaml } from '../../manifests/yaml/parse-yaml.ts';
import { plainType } from '../../manifests/yaml/scalar-types.ts';
import { childOf, itemsOf, type MapNode, type Node, type Origin, type ScalarNode } from '../../manifests/yaml/tree.ts';
import { listOf, mapOf } from '../kustomize/edit-tree.ts';
import { type Resource, textAt } from '../kustomize/resource.ts';
import type { WorkspaceFile } from '../model.ts';
import type { Definition, RecipeSurroundings } from './recipes.ts';

/** A variable, and the position at which its value is written. */
export interface Variable {
  /** The value of the variable; undefined if it is unknown, for example because it is in a Secret. */
  readonly value: string | undefined;
  readonly origin: Origin;
}

export interface Variables {
  readonly values: ReadonlyMap<string, Variable>;
  /** Whether all sources of variables are known, so that any other variable is certainly not set. */
  readonly isComplete: boolean;
  /** Whether objects are processed even if there are no variables (`substituteStrategy: Always`). */
  readonly always: boolean;
}

/** Returns the variables of a Kustomization; undefined if it substitutes nothing. If scopes apply different versions of the Kustomization, only values that are equal in all versions are known. */
export function variablesFor(definition: Definition, around: RecipeSurroundings): Variables | undefined {
  const { versions = [] } = definition;
  if (versions.length === 0) return variablesOf(definition, around);
  const all = versions.map((spec) => variablesOf({ ...definition, spec }, around));
  const names = new Set(all.flatMap((each) => [...(each?.values.keys() ?? [])]));
  const values = new Map<string, Variable>();
  for (const name of names) {
    const [first, ...others] = all.map((each) => each?.values.get(name));
    const origin = all.flatMap((each) => each?.values.get(name)?.origin ?? [])[0];
    const isEqual = others.every((each) => each?.value === first?.value);
    if (origin !== undefined) values.set(name, { value: isEqual ? first?.value : undefined, origin });
  }
  return all.every((each) => each === undefined)
    ? undefined
    : { values, isComplete: false, always: all.every((each) => each?.always === true) };
}

function variablesOf({ gitops, object, spec, isAmbiguous }: Definition, around: RecipeSurroundings) {
  const postBuild = childOf(spec, 'postBuild');
  if (postBuild?.kind !== 'map') return undefined;
  const values = new Map<string, Variable>();
  let isComplete = !isAmbiguous && !postBuild.open;
  const namespace = object.namespace?.text ?? '';
  for (const item of itemsOf(childOf(postBuild, 'substituteFrom'))) {
    const [kind, name] = [knownText(childOf(item, 'kind')), knownText(childOf(item, 'name'))];
    const found = kind === undefined || name === undefined ? undefined : sourceOf({ kind, name, namespace }, around);
    if (found === undefined) isComplete = false;
    else for (const { key, value } of found.data.entries) values.set(key.text, variableOf(value, found.uri));
  }
  const own = childOf(postBuild, 'substitute');
  if (own?.kind === 'map') {
    if (own.open) isComplete = false;
    for (const { key, value } of own.entries) values.set(key.text, variableOf(value, gitops.uri));
  }
  const always = knownText(childOf(postBuild, 'substituteStrategy')) === 'Always';
  return { values, isComplete, always };
}

/** Creates a variable from a node. Newlines are removed from every value. */
function variableOf(node: Node, uri: string): Variable {
  const origin = node.kind === 'scalar' && node.origin !== undefined ? node.origin : { uri, span: node.span };
  const text = knownText(node);
  const isKnown = text !== undefined && !mayContainVariables(text);
  return { value: isKnown ? text.replaceAll('\n', '') : undefined, origin };
}

/** The kinds that provide the keys of a Secret: a SealedSecret becomes a Secret with the same name. */
const providers: ReadonlyMap<string, readonly string[]> = new Map([
  ['ConfigMap', ['\nConfigMap']],
  ['Secret', ['\nSecret', 'bitnami.com\nSealedSecret']],
]);

interface SourceName {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

/** The content of an object that provides variables, and its file. */
interface SourceData {
  readonly uri: string;
  readonly data: MapNode;
}

/** Returns the only object that provides variables; undefined if there is none, or if several files contain one. Objects that are certainly in other clusters provide none. */
function sourceOf(wanted: SourceName, around: RecipeSurroundings): SourceData | undefined {
  const { kind, name, namespace } = wanted;
  const namespaces = new Set([namespace, '']);
  const all = (providers.get(kind) ?? []).flatMap((type) =>
    [...namespaces].flatMap((each) => around.filesWith(`${type}\n${each}\n${name}`)),
  );
  const generating = around.generating(kind, name);
  const files = around.readable([...all, ...generating]);
  const [written, generators] = [
    files.filter((each) => all.includes(each)),
    files.filter((each) => !all.includes(each)),
  ];
  const nearest = around.nearest(written);
  if (nearest === undefined) return written.length > 0 ? undefined : generatedSource(wanted, generators, around);
  const object = sourcesIn(nearest)
    .get(name)
    ?.find((each) => isSource(each, wanted));
  if (object?.variables === undefined) return undefined;
  const { entries } = object.variables;
  const isPlain = entries.every(({ value }) => value.kind !== 'scalar' || !mayContainVariables(value.text));
  const applied = isPlain ? undefined : around.applied(nearest.uri, object);
  return { uri: nearest.uri, data: applied?.variables ?? object.variables };
}

/** The objects of a file that provide variables, by name: a file can contain those of many Kustomizations. */
const sourcesIn = memoized(({ manifest }: WorkspaceFile) => {
  const found = new Map<string, ManifestObject[]>();
  for (const object of manifest.objects)
    if (object.name !== undefined && object.variables !== undefined)
      getOrAdd(found, object.name.text, () => []).push(object);
  return found;
});

/** Whether an object with the name of a source is the source; its namespace may be set elsewhere. */
function isSource({ group, kind, namespace }: ManifestObject, wanted: SourceName): boolean {
  const isThere = namespace === undefined || [wanted.namespace, ''].includes(namespace.text);
  return isThere && providers.get(wanted.kind)?.includes(`${group}\n${kind}`) === true;
}

/** Returns the ConfigMap that the nearest kustomization generates. */
function generatedSource(
  { kind, name, namespace }: SourceName,
  generators: readonly WorkspaceFile[],
  around: RecipeSurroundings,
): SourceData | undefined {
  const nearest = around.nearest(generators);
  if (nearest === undefined) return undefined;
  const applied = around.applied(nearest.uri, { kind, name });
  const isThere = [undefined, '', namespace].includes(applied?.namespace?.text);
  return applied?.variables && isThere ? { uri: nearest.uri, data: applied.variables } : undefined;
}

/** Returns the file with the longest common path; undefined if there is none, or several. */
export function nearestOf(files: readonly WorkspaceFile[], from: string): WorkspaceFile | undefined {
  const common = (uri: string) => {
    const [a, b] = [uri.split('/'), from.split('/')];
    const different = a.findIndex((step, index) => step !== b[index]);
    return different === -1 ? a.length : different;
  };
  const sorted = files.toSorted((a, b) => common(b.uri) - common(a.uri));
  const [first, second] = sorted;
  if (first === undefined || second === undefined) return first;
  return common(first.uri) === common(second.uri) ? undefined : first;
}

/** The label or annotation that disables the replacement in an object. */
export const disablingMark = 'kustomize.toolkit.fluxcd.io/substitute';

/** Returns a resource with all variables replaced; the resource itself if it contains none. */
export function withVariables(resource: Resource, variables: Variables): Resource {
  if (!replacesAny(variables)) return resource;
  const { tree } = resource;
  const metadata = childOf(tree, 'metadata');
  const marks = ['labels', 'annotations'].map((field) => textAt(metadata ?? tree, field, disablingMark));
  if (marks.includes('disabled')) return resource;
  const changed = substituted(tree, variables);
  return changed === tree || changed.kind !== 'map' ? resource : { ...resource, tree: changed, shared: undefined };
}

/** Returns a text in an object with all variables replaced; undefined if one of them is unknown. */
export function textWithVariables(text: string, variables: Variables): string | undefined {
  if (!replacesAny(variables)) return text;
  const { replaced } = replacementOf(text, variables);
  return replaced.pattern === undefined ? replaced.text : undefined;
}

/** Whether Flux replaces variables: it does not if there are none. */
function replacesAny({ values, isComplete, always }: Variables): boolean {
  return values.size > 0 || !isComplete || always;
}

function substituted(node: Node, variables: Variables): Node {
  if (node.kind === 'scalar') return substitutedScalar(node, variables);
  if (node.kind === 'list') {
    const items = node.items.map((item) => substituted(item, variables));
    return items.every((item, index) => item === node.items[index]) ? node : listOf(items, node.span, node.open);
  }
  const entries = node.entries.map((entry) => {
    const written = substitutedScalar(entry.key, variables);
    const key = written.kind === 'scalar' ? written : entry.key;
    const value = substituted(entry.value, variables);
    return key === entry.key && value === entry.value ? entry : { ...entry, key, value };
  });
  const isSame = entries.every((entry, index) => entry === node.entries[index]);
  return isSame ? node : mapOf(entries, node.span, node.open);
}

function substitutedScalar(node: ScalarNode, variables: Variables): Node {
  if (!mayContainVariables(node.text)) return node;
  const known = getOrAdd(replacements, variables, () => new Map<string, Replacement>());
  const { replaced, origin } = getOrAdd(known, node.text, () => replacementOf(node.text, variables));
  const { pattern: _, assumed: __, ...bare } = node;
  const after: ScalarNode = { ...bare, ...replaced, ...(origin && { origin }) };
  return after.pattern === undefined && isWrittenPlain(node.text) ? parsedAgain(after) : after;
}

/** A string with its variables replaced, and the position that sets the first of these variables. */
interface Replacement {
  readonly replaced: ReturnType<typeof textOf>;
  readonly origin: Origin | undefined;
}

/** Caches replacements, because many objects of a Kustomization contain the same strings. */
const replacements = new WeakMap<Variables, Map<string, Replacement>>();

function replacementOf(text: string, { values, isComplete }: Variables): Replacement {
  let origin: Origin | undefined;
  const { pieces } = substitute(text, (name) => {
    const variable = values.get(name);
    if (variable === undefined) return isComplete ? undefined : { unknown: true };
    origin ??= variable.origin;
    return variable.value ?? { unknown: true };
  });
  return { replaced: textOf(pieces), origin };
}

/** Whether kustomize writes a string with variables without quotes, regardless of quotes in its file. Without quotes, the value of a variable can turn the string into a number, a quoted string or a map. */
function isWrittenPlain(text: string): boolean {
  return !/^[\s,[\]{}#&*!|>'"%@`]|^[-?:](?:\s|$)|:(?:\s|$)|\s#|[\n\t]|\s$/.test(text);
}

/** Matches a string that is a plain scalar in YAML; its type is string unless it looks like a number, a boolean or null. */
const simple = /^[\w.+/~-][\w.+/=~-]*$/;

/** Parses the text of a scalar as YAML again, after variables in it were replaced; returns an unknown scalar if it is malformed. */
function parsedAgain(node: ScalarNode): Node {
  const { text, span, origin } = node;
  if (simple.test(text)) return { ...node, style: 'plain', type: plainType(text) };
  const whole = `v: ${text}\n`;
  const blanked = { text: whole, blanks: [], placeholders: [], conditionals: [] };
  const [document] = splitDocuments(whole);
  const read = document && parseYaml(whole, blanked, document);
  const value = childOf(read?.root, 'v');
  if (read === undefined || value === undefined || read.errors.length > 0) return { ...node, pattern: '*' };
  return placed(value, span, origin);
}

function placed(node: Node, span: Node['span'], origin: Origin | undefined): Node {
  if (node.kind === 'scalar') return { ...node, span, ...(origin && { origin }) };
  if (node.kind === 'list')
    return listOf(
      node.items.map((item) => placed(item, span, origin)),
      span,
    );
  const entries = node.entries.map((entry) => {
    return {
      ...entry,
      key: { ...entry.key, span, ...(origin && { origin }) },
      value: placed(entry.value, span, origin),
    };
  });
  return mapOf(entries, span);
}

/** Returns the string that consists of the given pieces, and a pattern if a part of it is unknown. Other placeholders remain unknown. */
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
