/** Creates the objects that imperative commands create, with the labels and selectors that kubectl sets on them. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { Span } from '../../text/span.ts';
import type { ManifestObject } from '../model.ts';
import { readObject } from '../parse-manifest.ts';
import type { Node, ScalarNode } from '../yaml/tree.ts';
import type { CommandWord } from './paths-and-names.ts';

type Plain = string | { readonly [key: string]: Plain };

/** Returns the object that a command creates; all parts of the object have the position of its name in the command. */
export function createdObjects(word: CommandWord, catalogue: Catalogue): readonly ManifestObject[] {
  if (word.is !== 'created') return [];
  const { letters, creates } = word;
  const span = { start: letters.startOf(0), end: letters.endOf(letters.text.length - 1) };
  return readObject(nodeOf(manifestOf(creates, letters.text), span), catalogue);
}

function manifestOf(kind: 'Deployment' | 'Pod' | 'Service', name: string): Plain {
  const labels: Plain = kind === 'Pod' ? { run: name } : { app: name };
  const metadata: Plain = { name, labels };
  switch (kind) {
    case 'Pod':
      return { apiVersion: 'v1', kind, metadata };
    case 'Service':
      return { apiVersion: 'v1', kind, metadata, spec: { selector: labels } };
    case 'Deployment': {
      const spec: Plain = { selector: { matchLabels: labels }, template: { metadata: { labels } } };
      return { apiVersion: 'apps/v1', kind, metadata, spec };
    }
  }
}

function nodeOf(value: Plain, span: Span): Node {
  if (typeof value === 'string') return scalar(value, span);
  const entries = Object.entries(value).map(([key, each]) => ({
    key: scalar(key, span),
    value: nodeOf(each, span),
    merged: false,
    conditional: false,
  }));
  return { kind: 'map', span, flow: true, entries, open: false, treeSize: { size: 50, depth: 10, repeats: false } };
}

function scalar(text: string, span: Span): ScalarNode {
  return { kind: 'scalar', span, text, style: 'plain', type: 'string' };
}
