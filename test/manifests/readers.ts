/** Compares the trees of both YAML parsers for a text, document by document. */

import assert from 'node:assert/strict';
import { blank } from '../../server/src/manifests/placeholders/placeholders.ts';
import { TreeBuilder } from '../../server/src/manifests/yaml/build-tree.ts';
import { splitDocuments } from '../../server/src/manifests/yaml/documents.ts';
import { parseUsual } from '../../server/src/manifests/yaml/fast-yaml-parser.ts';
import { readTolerantly } from '../../server/src/manifests/yaml/tolerant-parser.ts';

export interface Counts {
  /** The number of documents. */
  all: number;
  /** The number of documents that the fast parser supports. */
  usual: number;
  /** The number of documents that the fast parser supports, as Kubernetes does, and the library rejects. */
  rejected: number;
}

/**
 * Checks that the fast parser creates the tree of the library, unless one of them does not support the text; counts
 * all cases.
 */
export function compareReaders(text: string, counts: Counts = { all: 0, usual: 0, rejected: 0 }): Counts {
  const blanked = blank(text);
  for (const span of splitDocuments(blanked.text)) {
    const builder = new TreeBuilder(text, blanked, span, 0);
    const root = parseUsual(blanked.text, span, builder);
    counts.all++;
    if (root === undefined) continue;
    counts.usual++;
    const read = { root: builder.finish(root), errors: builder.errors };
    const reference = readTolerantly(text, blanked, span);
    if (reference.errors.length > 0) counts.rejected++;
    // A plain word may end with a colon before a bracket or a comma for Kubernetes; for the library, it is a key there.
    else if (/[^\s"'\]}]:[,[\]{}]/.test(blanked.text.slice(span.start, span.end))) continue;
    else assert.deepEqual(read, reference, blanked.text.slice(span.start, span.end));
  }
  return counts;
}
