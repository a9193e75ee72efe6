/** Applies the patches of `kubectl patch` to the objects of the workspace, and finds what kubectl or the API server rejects. */

import type { SelectorFact } from '../../engine/catalogue/types.ts';
import { evaluate } from '../../engine/index.ts';
import { patchedObjects, patchTree } from '../../manifests/inline/patches.ts';
import type { CommandWord } from '../../manifests/inline/paths-and-names.ts';
import { kindsOf } from '../../manifests/inline/resources.ts';
import { operationFault } from '../../manifests/kustomize/operation-faults.ts';
import type { ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { blankManifest } from '../../manifests/yaml/blank-manifest.ts';
import { splitDocuments } from '../../manifests/yaml/documents.ts';
import { parseYaml } from '../../manifests/yaml/parse-yaml.ts';
import { childOf, itemsOf, type Node, textOf } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import { effectiveObject } from '../../workspace/kustomize/applied-object.ts';
import { Steps } from '../../workspace/kustomize/build-limits.ts';
import { resourceOf } from '../../workspace/kustomize/resource.ts';
import { withPatch } from '../../workspace/kustomize/transformers.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { objectsNamed } from '../../workspace/references/names.ts';
import { objectsOf } from '../../workspace/snapshot.ts';
import type { RuleContext } from '../framework/rule.ts';
import { templateOf } from './pod-template.ts';
import { objectNameOf } from './sentences.ts';

type PatchWord = CommandWord & { readonly is: 'patch' };

interface PatchFault {
  readonly message: string;
  readonly span?: Span;
  /** The text that was probably intended at the span. */
  readonly meant?: string;
}

/** Returns the objects of the workspace that a command patches, as they are written; several if there are several namespaces. */
export function objectsPatchedBy(
  { workspace, catalogue }: RuleContext,
  { resource = '', name, namespace }: Pick<PatchWord, 'resource' | 'name' | 'namespace'>,
): readonly ObjectInFile[] {
  const [type, ...others] = kindsOf(catalogue, resource);
  if (type === undefined || others.length > 0 || name === undefined) return [];
  const uris = new Set(objectsNamed(workspace, type.kind, name).map(({ uri }) => uri));
  return [...uris].flatMap((uri) => {
    const file = workspace.files.get(uri);
    const objects = file === undefined ? [] : objectsOf(workspace, file);
    return objects.flatMap((object) => {
      const own = object.namespace?.value;
      const isElsewhere = namespace !== undefined && typeof own === 'string' && own !== namespace;
      const isMeant = object.group === type.group && object.kind === type.kind && object.name?.value === name;
      return file !== undefined && isMeant && !isElsewhere ? [{ file, object }] : [];
    });
  });
}

/** Returns the reason why kubectl or the API server certainly rejects a patch; undefined if there is none. `content` is the content of the file with the patch, if the command names one. */
export function patchFault(context: RuleContext, word: PatchWord, content?: Node): PatchFault | undefined {
  const tree = content ?? patchTree(word);
  if (tree === undefined || word.type === undefined || (tree.kind === 'map' && tree.open)) return undefined;
  const at = (node: Node, message: string): PatchFault =>
    content === undefined ? { message, span: spanInCommand(word, node) } : { message };
  if (word.type === 'json' && tree.kind === 'map' && tree.entries.length > 0)
    return at(tree, localize`The patch is a map; \`--type=json\` needs a list of operations.`);
  if (word.type !== 'json' && tree.kind === 'list')
    return at(
      tree,
      localize`The patch is a list; \`--type=${word.type}\` needs a map. A list of operations needs \`--type=json\`.`,
    );
  if (word.type === 'json')
    for (const operation of itemsOf(tree)) {
      const fault = operationFault(operation);
      if (fault === undefined) continue;
      const { node, message, meant } = fault;
      const isWord = node.kind === 'scalar' && content === undefined && /^[\w/~.-]+$/.test(meant ?? '');
      return { ...at(node, message), ...(isWord && meant !== undefined && { meant }) };
    }
  const message = rejection(context, word, tree);
  if (message === undefined) return undefined;
  const [part] = content === undefined ? patchedObjects(word, context.catalogue) : [];
  const site = part && (part.object.selectorSites.find(({ state }) => state !== 'absent') ?? part.object.labelSites[0]);
  return site === undefined ? { message } : { message, span: site.keySpan };
}

/** Returns the span of a node in the text of a command: the first key of a map, and the start of a list. */
function spanInCommand({ letters }: PatchWord, node: Node): Span {
  const shown = node.kind === 'map' ? (node.entries[0]?.key ?? node) : node;
  const { start, end } = shown.span;
  const quote = shown.kind === 'scalar' && shown.style !== 'plain' ? 1 : 0;
  const last = shown.kind === 'list' ? start : end - quote - 1;
  return { start: letters.startOf(start + quote), end: letters.endOf(last) };
}

/** Returns the syntax tree of a patch that consists of one valid document. */
export function treeOfPatch(text: string): Node | undefined {
  const blanked = blankManifest(text);
  const [span, ...others] = splitDocuments(blanked.text);
  if (span === undefined || others.length > 0) return undefined;
  const { root, errors } = parseYaml(text, blanked, span);
  return errors.length > 0 ? undefined : root;
}

/** Returns the reason why the API server rejects a patch for all objects that it may change. */
function rejection(context: RuleContext, word: PatchWord, tree: Node): string | undefined {
  const objects = objectsPatchedBy(context, word);
  const messages = objects.map((where) => rejectionOf(context, word, tree, where));
  if (objects.length > 0) return messages.includes(undefined) ? undefined : messages[0];
  const { catalogue } = context;
  const [type] = kindsOf(catalogue, word.resource ?? '');
  const facts = (type && catalogue.kind(type.group, '', type.kind)?.selectors) ?? [];
  const isRequired = facts.some((fact) => isImmutable(fact) && fact.absent === 'invalid');
  if (type === undefined || !isRequired || word.type !== 'json' || !itemsOf(tree).some(removesSelector))
    return undefined;
  return localize`The selector of a ${type.kind} is required and immutable; the API server rejects this patch.`;
}

function removesSelector(operation: Node): boolean {
  return textOf(childOf(operation, 'op')) === 'remove' && textOf(childOf(operation, 'path')) === '/spec/selector';
}

function rejectionOf(
  { catalogue, uri }: RuleContext,
  { type }: PatchWord,
  tree: Node,
  { file, object }: ObjectInFile,
): string | undefined {
  const before = ownSelector(object);
  if (before === undefined || before.open || object.template !== undefined) return undefined;
  // An ellipsis or a word is a placeholder for omitted fields.
  const spec = childOf(tree, 'spec');
  if (spec?.kind === 'scalar' && spec.type !== 'null') return undefined;
  const operations = type === 'json' ? { kind: 'operations' as const, node: tree, uri } : undefined;
  const patch = operations ?? (tree.kind === 'map' ? { kind: 'merge' as const, object, tree, uri } : undefined);
  if (patch === undefined) return undefined;
  const entry = { field: 'patches', target: { span: tree.span }, ...options } as const;
  const [patched] = withPatch([resourceOf(file.uri, object)], patch, entry, new Steps()).resources;
  const after = patched && effectiveObject(patched, catalogue);
  const selector = after && ownSelector(after);
  if (after === undefined) return undefined;
  const name = objectNameOf(object);
  if (JSON.stringify(before.data) !== JSON.stringify(selector?.data))
    return localize`The selector of ${name} is immutable; the API server rejects this patch.`;
  const labels = selector && templateOf(after, selector)?.labels;
  if (labels === undefined || selector?.selector?.ok !== true) return undefined;
  if (evaluate(selector.selector.value, labels) !== 'no') return undefined;
  return localize`With this patch, the pod template does not match the selector of ${name}; the API server rejects it.`;
}

const options = { allowNameChange: false, allowKindChange: false };

/** Returns the selector of a workload, which is immutable; undefined for other kinds. */
function ownSelector({ selectorSites }: ManifestObject): SelectorSite | undefined {
  return selectorSites.find(({ fact, state }) => isImmutable(fact) && state === 'present');
}

function isImmutable({ immutable, mustMatchTemplate }: SelectorFact): boolean {
  return immutable && mustMatchTemplate;
}
