/** Completion of the restart policy of pods. */

import { objectAt } from '../../manifests/cursor/cursor-target.ts';
import { restartPoliciesOf } from '../../manifests/sites/required-faults.ts';
import type { FileView } from '../view.ts';
import type { Completion } from './model.ts';

/** Matches a line up to the value of `restartPolicy`, on a line of its own or in a map in braces after `spec`. */
const atValue = /^([ \t]*)(?:spec:[ \t]*\{[^{}\n]*)?restartPolicy:[ \t]+["']?([A-Za-z]*)$/;

/** Returns the restart policies that the object at an offset may have; empty if the offset is not in the restart policy of a pod. */
export function restartPolicyItems({ text, file }: FileView, offset: number): readonly Completion[] {
  const before = text.slice(Math.max(0, offset - 10_000), offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  const [all, indentation = '', typed = ''] = atValue.exec(before.slice(lineStart)) ?? [];
  const object = all === undefined ? undefined : objectAt(file.manifest, offset);
  if (all === undefined || object === undefined) return [];
  if (!all.includes('{') && !isInSpec(before.slice(0, lineStart), indentation.length)) return [];
  const end = offset + (/^[A-Za-z]*/.exec(text.slice(offset, offset + 100))?.[0].length ?? 0);
  const span = { start: offset - typed.length, end };
  return restartPoliciesOf(object).map((label) => ({
    label,
    kind: 'value',
    filter: label,
    edit: { span, text: label },
  }));
}

/** Whether the map around a line with an indentation is the value of `spec`; that of a container is an item of a list. */
function isInSpec(before: string, column: number): boolean {
  for (const line of before.split('\n').toReversed()) {
    const content = line.trimStart();
    if (content === '' || content.startsWith('#')) continue;
    if (line.length - content.length < column && !content.startsWith('- ')) return /^spec:[ \t\r]*$/.test(content);
    if (line.length - content.length < column) return false;
  }
  return false;
}
