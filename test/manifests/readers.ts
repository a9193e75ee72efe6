/** Compares the trees of all YAML parsers for a text, document by document. */

import assert from 'node:assert/strict';
import { blank } from '../../server/src/manifests/placeholders/placeholders.ts';
import { TreeBuilder } from '../../server/src/manifests/yaml/build-tree.ts';
import { splitDocuments } from '../../server/src/manifests/yaml/documents.ts';
import { parseUsual } from '../../server/src/manifests/yaml/fast-yaml-parser.ts';
import { readEvents } from '../../server/src/manifests/yaml/parse-yaml.ts';
import { readTolerantly } from '../../server/src/manifests/yaml/tolerant-parser.ts';

export interface Counts {
  /** The number of documents. */
  all: number;
  /** The number of documents that the fast parser supports. */
  usual: number;
}

/**
 * Checks that the fast parser creates the tree of the library, unless it does not support the text; counts both cases.
 */
export function compareReaders(text: string, counts: Counts = { all: 0, usual: 0 }): Counts {
  const blanked = blank(text);
  for (const span of splitDocuments(blanked.text)) {
    const builder = new TreeBuilder(text, blanked, span, 0);
    const root = parseUsual(blanked.text, span, builder);
    counts.all++;
    if (root === undefined) continue;
    counts.usual++;
    const document = blanked.text.slice(span.start, span.end);
    assert.deepEqual({ root: builder.finish(root), errors: builder.errors }, readEvents(text, blanked, span), document);
  }
  return counts;
}

/** Checks that the tolerant library creates the same tree for text that the fast parser supports. */
export function compareTolerantReader(text: string): void {
  const blanked = blank(text);
  for (const span of splitDocuments(blanked.text)) {
    const builder = new TreeBuilder(text, blanked, span, 0);
    const root = parseUsual(blanked.text, span, builder);
    const document = blanked.text.slice(span.start, span.end);
    if (root !== undefined)
      assert.deepEqual(
        readTolerantly(text, blanked, span),
        { root: builder.finish(root), errors: builder.errors },
        document,
      );
  }
}
