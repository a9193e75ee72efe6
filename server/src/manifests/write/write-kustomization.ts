/** How is a kustomization changed in its author's own style? */

import type { Edit } from '../../text/edit.ts';
import type { Kustomization } from '../kustomize/model.ts';
import { scalarText } from './write-text.ts';

/** Lists one more file among the resources. */
export function addResource({ nextResource }: Kustomization, path: string): Edit {
  const { at, before, after } = nextResource;
  return { span: { start: at, end: at }, text: `${before}${scalarText(path, 'plain')}${after}` };
}
