/** Parses the patches in a kustomization, including the content of inline patches. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { Span } from '../../text/span.ts';
import type { ManifestObject } from '../model.ts';
import { readDocument, readObject } from '../parse-manifest.ts';
import type { BlankedText } from '../placeholders/placeholders.ts';
import { blankManifest } from '../yaml/blank-manifest.ts';
import { splitDocuments } from '../yaml/documents.ts';
import { childOf, movedTo, type Node, startOf } from '../yaml/tree.ts';
import { isTrue, named, referenceOf, writtenAt } from './kustomization-fields.ts';
import { isSmall, kept } from './kustomize-documents.ts';
import type { PatchEntry, PatchTarget, PatchText } from './model.ts';
import { replacedFields } from './replaced-paths.ts';

export interface Reading {
  readonly text: string;
  readonly blanked: BlankedText;
  readonly catalogue: Catalogue;
}

/** The fields that contain patches, in the order in which they are applied. */
export const patchFields = ['patchesStrategicMerge', 'patches', 'patchesJson6902'] as const;

export function patchOf(item: Node, field: PatchEntry['field'], reading: Reading): readonly PatchEntry[] {
  if (field === 'patchesStrategicMerge') {
    if (item.kind !== 'scalar') return [];
    return [{ field, span: startOf(item), ...noOptions, ...contentOf(item, item, reading) }];
  }
  const written = childOf(item, 'target');
  const target = written?.kind === 'map' ? targetOf(written) : undefined;
  const text = childOf(item, 'patch');
  const path = childOf(item, 'path');
  return [
    {
      field,
      span: target?.span ?? startOf(path ?? text ?? item),
      ...contentOf(path, text, reading, target !== undefined),
      ...(target && { target }),
      ...optionsOf(childOf(item, 'options')),
    },
  ];
}

const noOptions = { allowNameChange: false, allowKindChange: false, allowNoTargetMatch: false };

/** Returns the options of a patch; an option that is not set is false. */
export function optionsOf(options: Node | undefined): typeof noOptions {
  return {
    allowNameChange: isTrue(options, 'allowNameChange'),
    allowKindChange: isTrue(options, 'allowKindChange'),
    allowNoTargetMatch: isTrue(options, 'allowNoTargetMatch'),
  };
}

function contentOf(
  path: Node | undefined,
  text: Node | undefined,
  reading: Reading,
  hasTarget = false,
): Partial<PatchEntry> {
  // An item of `patchesStrategicMerge` is either a path or an inline patch; the value of `patch` is always an inline
  // patch.
  const inline = text === path && !isInline(text) ? undefined : inlineOf(text, reading, hasTarget);
  if (inline !== undefined) return { inline };
  const [reference] = referenceOf(path);
  return reference === undefined ? {} : { path: reference };
}

export function targetOf(node: Node & { readonly kind: 'map' }): PatchTarget {
  const fields = ['group', 'version', 'kind', 'name', 'namespace', 'labelSelector', 'annotationSelector'] as const;
  const found = fields.map((field) => named(field, writtenAt(node, field)));
  return Object.assign({ span: node.entries[0]?.key.span ?? startOf(node) }, ...found);
}

/** Returns the content of an inline patch, which is written as a string in the kustomization. With a target, a patch that is merged needs no `apiVersion`. */
function inlineOf(node: Node | undefined, reading: Reading, hasTarget: boolean): PatchText | undefined {
  const documents = inlineDocuments(node, reading)?.map(({ root, objects }) => {
    const own = objects.length === 0 && root !== undefined && hasTarget ? readUntyped(root, reading) : objects;
    return { root, objects: own };
  });
  return (
    documents && {
      objects: documents.flatMap(({ root, objects }) => objects.map((object) => withReplacedFields(object, root))),
      trees: documents.flatMap(({ root, objects }) => (root === undefined || objects.length > 0 ? [] : kept(root))),
    }
  );
}

function readUntyped(root: Node, { catalogue }: Reading): readonly ManifestObject[] {
  const kind = childOf(root, 'apiVersion') === undefined ? childOf(root, 'kind') : undefined;
  if (kind?.kind !== 'scalar') return [];
  return readObject(root, catalogue, { group: '', version: '', kind: kind.text, kindSpan: kind.span });
}

function withReplacedFields(object: ManifestObject, root: Node | undefined): ManifestObject {
  const fields = root && replacedFields(root, object.group);
  return fields === undefined ? object : { ...object, replacedFields: fields };
}

/** Parses all documents in a string of the kustomization; a string that contains a path has no documents. */
export function inlineTrees(node: Node, reading: Reading): readonly Node[] {
  const documents = isInline(node) ? inlineDocuments(node, reading) : undefined;
  return (documents ?? []).flatMap(({ root }) => (root === undefined ? [] : kept(root)));
}

/** Whether a string that can be either a path or an inline patch is an inline patch. */
function isInline(node: Node | undefined): boolean {
  return node?.kind === 'scalar' && (node.style === 'block' || node.text.includes('\n') || /^\s*[[{]/.test(node.text));
}

/** Parses the documents in a string; empty for an empty string. A block scalar is parsed in place, so that the spans refer to the file; in all other strings, every span is the start of the string. */
function inlineDocuments(node: Node | undefined, reading: Reading) {
  if (node?.kind !== 'scalar' || (node.style !== 'block' && node.text === '')) return undefined;
  const block = node.style === 'block' ? blockLines(node.span, reading.blanked.text) : undefined;
  const read = (span: Span) => readDocument(reading.text, reading.blanked, span, reading.catalogue);
  return block === undefined ? readString(node, reading) : documentsIn(block, reading.blanked.text).map(read);
}

/** Returns the span of the lines of a literal block scalar; undefined for a folded block scalar, whose value differs from its source text. */
function blockLines(span: Span, text: string): Span | undefined {
  if (text[span.start] !== '|') return undefined;
  const start = text.indexOf('\n', span.start) + 1;
  return start === 0 || start > span.end ? undefined : { start, end: span.end };
}

function documentsIn(block: Span, text: string): readonly Span[] {
  const spans: Span[] = [];
  let start = block.start;
  for (const found of text.slice(block.start, block.end).matchAll(/^[ \t]*---[ \t]*\r?$/gm)) {
    spans.push({ start, end: block.start + found.index });
    start = block.start + found.index + found[0].length;
  }
  return [...spans, { start, end: block.end }].filter(({ start, end }) => text.slice(start, end).trim() !== '');
}

function readString(node: Node & { readonly kind: 'scalar' }, { catalogue }: Reading) {
  const blanked = blankManifest(node.text);
  return splitDocuments(blanked.text).map((span) => {
    const { root, objects } = readDocument(node.text, blanked, span, catalogue);
    const moved = root && isSmall(root) ? movedTo(root, startOf(node)) : undefined;
    return { root: moved, objects: moved === undefined || objects.length === 0 ? [] : readObject(moved, catalogue) };
  });
}
