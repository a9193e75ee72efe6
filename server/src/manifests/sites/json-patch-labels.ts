/** Finds the labels to which the operations of a JSON patch (RFC 6902) refer: a label key is the last segment of the path. */

import type { Edit } from '../../text/edit.ts';
import type { Span } from '../../text/span.ts';
import type { Written } from '../model.ts';
import { childOf, type Node } from '../yaml/tree.ts';
import { written } from './sites.ts';
import { pieceOf, replacePieces } from './string-pieces.ts';

export interface PointedLabel {
  /** The dot-separated path of the map that contains the label, such as `spec.template.metadata.labels`. */
  readonly map: string;
  readonly key: string;
  /** The whole `path` of the operation. */
  readonly path: Written;
  /** The range of the label key within the path. */
  readonly keySpan: Span | undefined;
  /** The value that the operation writes or tests. */
  readonly value?: Written;
}

/** Returns the labels to which the paths in a JSON patch refer, in the order of the operations. */
export function pointedLabels(operations: Node): readonly PointedLabel[] {
  const items = operations.kind === 'list' ? operations.items : [];
  return items.flatMap((item) =>
    ['path', 'from'].flatMap((field): readonly PointedLabel[] => {
      const node = childOf(item, field);
      if (node?.kind !== 'scalar' || !node.text.startsWith('/')) return [];
      const path = written(node);
      const [key = '', ...above] = node.text.slice(1).split('/').map(decoded).reverse();
      const value = field === 'path' ? childOf(item, 'value') : undefined;
      return [
        {
          map: above.reverse().reduce(joined, ''),
          key,
          path,
          keySpan: pieceOf(path, lastPart(node.text)),
          ...(value?.kind === 'scalar' && { value: written(value) }),
        },
      ];
    }),
  );
}

/** Returns the edits that replace the key at the end of the path. */
export function renamePointed({ path }: PointedLabel, to: string): readonly Edit[] {
  return replacePieces(path, [{ span: lastPart(path.text), text: to.replaceAll('~', '~0').replaceAll('/', '~1') }]);
}

function lastPart(pointer: string): Span {
  return { start: pointer.lastIndexOf('/') + 1, end: pointer.length };
}

function decoded(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function joined(path: string, part: string): string {
  if (/^\d+$/.test(part)) return `${path}[${part}]`;
  return path === '' ? part : `${path}.${part}`;
}
