/** Do all readers of YAML make one tree of a text? Compared document by document. */

import assert from 'node:assert/strict';
import { blank } from '../../server/src/manifests/placeholders/placeholders.ts';
import { TreeBuilder } from '../../server/src/manifests/yaml/build-tree.ts';
import { splitDocuments } from '../../server/src/manifests/yaml/documents.ts';
import { parseUsual } from '../../server/src/manifests/yaml/fast-yaml-parser.ts';
import { readEvents } from '../../server/src/manifests/yaml/parse-yaml.ts';
import { readTolerantly } from '../../server/src/manifests/yaml/tolerant-parser.ts';

export interface Counts {
  /** Documents. */
  all: number;
  /** Those that our own reader knew how to read. */
  usual: number;
}

/**
 * What our own reader makes of a text must be what the library makes of it; it may refuse, and is then counted less.
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

/** Of what our own reader can read, the tolerant library makes the same tree once more. */
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
