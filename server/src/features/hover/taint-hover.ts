/** The hover for the key of a taint or toleration: its meaning, and the declared nodes that have the taint. */

import { describeKey } from '../../engine/catalogue/key-descriptions.ts';
import { objectAt } from '../../manifests/cursor/cursor-target.ts';
import { taintFields } from '../../manifests/taint-fields.ts';
import { childOf, type Node, type ScalarNode } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { misspelling } from '../../text/misspelling.ts';
import { type Span, touches } from '../../text/span.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import { taintText } from '../../workspace/selection/node-fits.ts';
import { group, objectLine } from '../presentation/object-lines.ts';
import { paragraph, type RichText } from '../presentation/rich-text.ts';
import { type DeclaredTaint, declaredTaints } from '../selected/taints.ts';
import type { FileView } from '../view.ts';

/** Describes the taint or toleration whose key is at an offset; undefined if there is none. */
export function aboutTaint(
  view: FileView,
  offset: number,
): { readonly span: Span; readonly text: RichText } | undefined {
  const key = taintKeyAt(view, offset);
  if (key === undefined) return undefined;
  const known = view.catalogue.keys().find((fact) => fact.type === 'taint' && fact.key === key.text);
  const declared = view.complete ? declaredTaints(view) : [];
  const taints = declared.filter((taint) => taint.key === key.text);
  const lines = taints.map((taint) => objectLine(view, taint.node, taint.node.object.kindSpan, [taintText(taint)]));
  const text: RichText = [
    ...(known === undefined ? [] : [paragraph(`${describeKey(known).description}.`)]),
    ...group(view, localize`Nodes with this taint`, lines, key.span.start),
    ...(known === undefined && taints.length === 0 ? nearTaint(key.text, declared) : []),
  ];
  return text.length === 0 ? undefined : { span: key.span, text };
}

/** Names the only declared taint of which a key is probably a misspelling. */
function nearTaint(key: string, declared: readonly DeclaredTaint[]): RichText {
  const near = new Set(declared.map((taint) => taint.key).filter((each) => isLikely(misspelling(each, key))));
  const [only] = near;
  if (only === undefined || near.size > 1) return [];
  return [
    paragraph(localize`No declared node has a taint with this key. Did you mean `, { kind: 'code', text: only }, '?'),
  ];
}

function isLikely(how: ReturnType<typeof misspelling>): boolean {
  return how === 'evident' || how === 'likely';
}

/** Returns the key of the taint or toleration at an offset. */
function taintKeyAt(view: FileView, offset: number): ScalarNode | undefined {
  const object = objectAt(view.file.manifest, offset);
  if (object === undefined || !/taints|tolerations/i.test(view.text.slice(object.span.start, object.span.end)))
    return undefined;
  let node: Node | undefined = treeOf({ ...view, uri: view.file.uri }, object);
  let isInList = false;
  while (node !== undefined && node.kind !== 'scalar') {
    if (node.kind === 'list') {
      node = node.items.find(({ span }) => touches(span, offset));
      const key = isInList ? childOf(node, 'key') : undefined;
      if (isInList)
        return key?.kind === 'scalar' && key.pattern === undefined && touches(key.span, offset) ? key : undefined;
      continue;
    }
    const entry = node.entries.find(({ value }) => touches(value.span, offset));
    isInList = entry !== undefined && (taintFields.has(entry.key.text) || entry.key.text === 'tolerations');
    node = entry?.value;
  }
  return undefined;
}
