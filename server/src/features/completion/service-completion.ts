/** Completion of the DNS names of Services: in URLs, and in `externalName`. */

import { serviceNames, servicesNamed } from '../../workspace/services.ts';
import type { FileView } from '../view.ts';
import type { Completion } from './model.ts';
import { mostItems } from './most-frequent.ts';

/** Matches the text after which a host name is expected: `externalName:` or `://`. */
const before = /(?:externalName:[ \t]{0,20}["']?|:\/\/)$/;

/** Returns the names of all Services with a known namespace; empty if no host name is expected at the offset. */
export function serviceNameItems({ workspace, catalogue, text }: FileView, offset: number): readonly Completion[] {
  let start = offset;
  while (start > 0 && offset - start < 253 && /[a-z0-9.-]/.test(text.charAt(start - 1))) start--;
  if (!before.test(text.slice(Math.max(0, start - 40), start))) return [];
  const typed = text.slice(start, offset);
  const names = [...serviceNames(workspace)].filter((name) => name.startsWith(typed.split('.', 1)[0] ?? ''));
  const hosts = names
    .slice(0, mostItems)
    .flatMap((name) => servicesNamed(workspace, catalogue, name))
    .flatMap(({ object, namespace }) =>
      namespace === undefined || object.name === undefined
        ? []
        : [`${object.name.text}.${namespace}.svc.cluster.local`],
    );
  return [...new Set(hosts)].toSorted().map((label) => ({
    label,
    kind: 'value',
    description: 'Service',
    filter: label,
    edit: { span: { start, end: offset }, text: label },
  }));
}
