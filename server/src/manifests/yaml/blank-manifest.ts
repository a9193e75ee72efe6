/** Replaces the template actions and placeholders of files that are not templates of a chart. */

import type { Span } from '../../text/span.ts';
import { type BlankedText, blank, blankInScalars } from '../placeholders/placeholders.ts';
import { splitDocuments } from './documents.ts';
import { parseValid } from './parse-yaml.ts';
import { maximumDepth, type Node, treeSizeOf } from './tree.ts';

/** Replaces the template actions and placeholders of a file. A file that is valid YAML is not a template: kubectl and kustomize do not evaluate template actions, so its structure is the structure of its YAML, and only the scalars with actions are unknown. */
export function blankManifest(text: string, extra: readonly string[] = []): BlankedText {
  const scalars = text.includes('{{') || text.includes('{%') ? scalarsOf(text) : undefined;
  return scalars === undefined ? blank(text, extra) : blankInScalars(text, scalars, extra);
}

/** Returns the spans of the scalars that may contain template actions, in order; undefined if the text is not valid YAML, or has a key that is a map or list. */
function scalarsOf(text: string): readonly Span[] | undefined {
  const spans = new Map<number, Span>();
  const unchanged: BlankedText = { text, blanks: [], placeholders: [], conditionals: [] };
  for (const document of splitDocuments(text)) {
    const read = parseValid(text, unchanged, document);
    if (read === undefined) return undefined;
    const { root } = read;
    if (root === undefined) continue;
    if (treeSizeOf(root).depth > maximumDepth || !addScalars(root, spans)) return undefined;
  }
  return [...spans.values()].sort((a, b) => a.start - b.start);
}

/** Adds the spans of the scalars in a tree that may contain template actions. Returns whether all keys are scalars. */
function addScalars(root: Node, spans: Map<number, Span>): boolean {
  const left: Node[] = [root];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (node.kind === 'scalar') {
      if (/\{[{%]/.test(node.text)) spans.set(node.span.start, node.span);
    } else if (node.kind === 'list') for (const item of node.items) left.push(item);
    else
      for (const { key, value } of node.entries) {
        if (key.pattern !== undefined) return false;
        left.push(key, value);
      }
  }
  return true;
}
