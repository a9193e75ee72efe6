/** Which documents that are no objects does a kustomization use? JSON patches, its own transformers, configurations. */

import { childOf, extentOf, type Node } from './tree.ts';

/** The lists of field specs that a configuration may hold. */
export const configurationFields = [
  'commonLabels',
  'labels',
  'templateLabels',
  'commonAnnotations',
  'namespace',
  'namePrefix',
  'nameSuffix',
  'nameReference',
  'varReference',
  'images',
  'replicas',
] as const;

const operation = /["']?op["']?[ \t]*:/;
const configuration = new RegExp(`^(?:${configurationFields.join('|')}):[ \\t]*(?:\\r?\\n[ \\t]*)?-`, 'm');

/** A look at the text: most texts hold none. */
export function mayBeForKustomize(text: string): boolean {
  return operation.test(text) || text.includes('builtin') || configuration.test(text);
}

/** What is larger is written by no person, and aliases make it immense. */
const maximumSize = 5_000;

/** Whether a document is such a one, and small enough to be kept. */
export function isForKustomize(root: Node): boolean {
  const { size, depth } = extentOf(root);
  if (size > maximumSize || depth > 100) return false;
  if (root.kind === 'list') return root.items.length > 0 && root.items.every(isOperation);
  if (root.kind !== 'map') return false;
  const apiVersion = childOf(root, 'apiVersion');
  if (apiVersion !== undefined) return apiVersion.kind === 'scalar' && apiVersion.text === 'builtin';
  return configurationFields.some((field) => childOf(root, field)?.kind === 'list');
}

function isOperation(node: Node): boolean {
  return childOf(node, 'op')?.kind === 'scalar' && childOf(node, 'path')?.kind === 'scalar';
}
