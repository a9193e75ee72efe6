/** Edits kustomizations while preserving their style. */

import type { Edit } from '../../text/edit.ts';
import type { Kustomization } from '../kustomize/model.ts';
import { scalarText } from './write-text.ts';

export function addResource({ nextResource }: Kustomization, path: string): Edit {
  const { at, before, after } = nextResource;
  return { span: { start: at, end: at }, text: `${before}${scalarText(path, 'plain')}${after}` };
}
