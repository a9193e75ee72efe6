/** The meaning of a well-known key, or of the prefix of any other key, as one paragraph; empty if nothing is known. */

import { describeKey } from '../../engine/catalogue/key-descriptions.ts';
import type { Catalogue } from '../../engine/catalogue/types.ts';
import { isReservedPrefix } from '../../engine/index.ts';
import { localize } from '../../text/localize.ts';
import { type Block, type Line, type Part, paragraph } from './rich-text.ts';

/** The words for the statuses of keys; a status that is not listed is shown by its name. */
const statuses: Readonly<Record<string, string>> = {
  stable: 'well-known',
  ecosystem: 'well-known',
  convention: 'a convention, not a standard',
  unknown: 'well-known',
};

/** Describes a key as a label or annotation; empty if nothing is known. */
export function keyMeaning(catalogue: Catalogue, key: string, as: 'label' | 'annotation'): readonly Block[] {
  const fact = catalogue.key(key, as);
  if (fact === undefined) return prefixMeaning(key);
  const { description, example: value } = describeKey(fact);
  const example: Line = value === undefined ? [] : [localize`, for example `, { kind: 'code', text: value }];
  const instead: Line =
    fact.replacement === undefined ? [] : [' Use ', { kind: 'code', text: fact.replacement }, ' instead.'];
  const status = statuses[fact.status] ?? fact.status;
  return [paragraph({ kind: 'code', text: fact.key }, `: ${description}`, ...example, ` (${status}).`, ...instead)];
}

/** Describes the prefix of a key: keys without a prefix are private to users, and the prefixes of Kubernetes are reserved. */
function prefixMeaning(key: string): readonly Block[] {
  // A template writes the key, or a part of it.
  if (key.includes('{{')) return [];
  const slash = key.indexOf('/');
  const name: Part = { kind: 'code', text: key };
  if (slash === -1)
    return key === '' ? [] : [paragraph(name, localize` has no prefix, so the key is private to the user.`)];
  const prefix = key.slice(0, slash);
  if (!isReservedPrefix(prefix)) return [];
  const isOwn = prefix === 'kubernetes.io' || prefix === 'k8s.io';
  const reserved: Line = isOwn
    ? [
        localize`The prefix `,
        { kind: 'code', text: prefix },
        localize` is reserved for Kubernetes, and this key is not documented.`,
        localize` New keys of Kubernetes name their subsystem in the prefix, `,
        { kind: 'code', text: 'subsystem.kubernetes.io' },
        '.',
      ]
    : [
        localize`Prefixes under `,
        { kind: 'code', text: prefix.endsWith('k8s.io') ? 'k8s.io' : 'kubernetes.io' },
        localize` are reserved for Kubernetes projects.`,
        ...(prefix.endsWith('k8s.io')
          ? [localize` New keys prefer `, { kind: 'code' as const, text: 'kubernetes.io' }, '.']
          : []),
      ];
  const stage = /(?:^|\.)(alpha|beta)\./.exec(prefix)?.[1];
  const old: Line =
    stage === undefined ? [] : [localize` A prefix that contains '${stage}' belongs to an old feature.`];
  return [paragraph(...reserved, ...old)];
}
