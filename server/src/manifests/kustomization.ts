/** What does a kustomization put together? The paths that it names, as it names them. */

import type { Span } from '../text/span.ts';
import { splitDocuments } from './documents.ts';
import { mask } from './masks.ts';
import { readYaml } from './read-yaml.ts';
import { childOf, type Node } from './tree.ts';

export interface PathReference {
  readonly path: string;
  readonly span: Span;
}

export interface Kustomization {
  /** A Component does not build alone. */
  readonly component: boolean;
  /** `resources`, `bases` and `components`: files and folders whose objects it takes. */
  readonly resources: readonly PathReference[];
  /** Files that change objects and are none themselves. */
  readonly patches: readonly PathReference[];
}

const kustomizationNames = new Set(['kustomization.yaml', 'kustomization.yml', 'Kustomization']);

export function isKustomizationName(name: string): boolean {
  return kustomizationNames.has(name);
}

/** Reads a kustomization; text that is none is one without references. */
export function readKustomization(text: string): Kustomization {
  const masked = mask(text);
  const first = splitDocuments(masked.text)[0];
  const root = first === undefined ? undefined : readYaml(text, masked, first).root;
  const kind = childOf(root, 'kind');
  const lists = (names: readonly string[]) => names.flatMap((name) => itemsOf(childOf(root, name)));
  return {
    component: kind?.kind === 'scalar' && kind.text === 'Component',
    resources: lists(['resources', 'bases', 'components']).flatMap(referenceOf),
    patches: [
      ...lists(['patchesStrategicMerge', 'transformers', 'configurations', 'generators', 'crds']).flatMap(referenceOf),
      ...lists(['patches', 'patchesJson6902', 'replacements']).flatMap((item) => referenceOf(childOf(item, 'path'))),
    ],
  };
}

function itemsOf(node: Node | undefined): readonly Node[] {
  return node?.kind === 'list' ? node.items : [];
}

/** An inline patch spans lines; a path does not. */
function referenceOf(node: Node | undefined): readonly PathReference[] {
  if (node?.kind !== 'scalar' || node.text === '' || node.text.includes('\n')) return [];
  return [{ path: node.text, span: node.span }];
}
