/** Lists the unknown facts about kinds and their selectors in the catalogue for review, group by group. */

import { openCatalogue } from '../../../server/src/engine/catalogue/index.ts';
import type { SerializedCatalogue } from '../../../server/src/engine/catalogue/serialized.ts';
import type { SelectorFact } from '../../../server/src/engine/catalogue/types.ts';

const HEAD = `What stays unknown of the selectors in the catalogue. Made together with its data; review the difference.
Of Kubernetes' own kinds every field is listed, of other groups the numbers: selectors, and how many of them have an
unknown meaning when absent or empty, an unknown reach, or no kinds that they are known to select. At the end: the kinds
of which it is unknown whether they are namespaced.
`;

/** Lists what is unknown: fields of Kubernetes' own groups, numbers for the others. */
export function listUnknown(serialized: SerializedCatalogue): string {
  const catalogue = openCatalogue(() => serialized);
  const lines = Object.entries(serialized.kinds).flatMap(([group, kinds]) => {
    const selectors = Object.keys(kinds).flatMap((kind) =>
      (catalogue.kind(group, '', kind)?.selectors ?? []).map((fact) => ({ kind, fact })),
    );
    if (isOwnGroup(group)) {
      return selectors.flatMap(({ kind, fact }) => {
        const words = unknownIn(fact);
        return words.length === 0 ? [] : [`${group}/${kind} ${fact.path}: ${words.join(', ')}`];
      });
    }
    const counts = new Map<string, number>();
    for (const { fact } of selectors) for (const word of unknownIn(fact)) counts.set(word, (counts.get(word) ?? 0) + 1);
    const told = [...counts].sort().map(([word, count]) => `${word} ${count}`);
    return told.length === 0 ? [] : [`${group}: ${selectors.length} selectors; ${told.join(', ')}`];
  });
  const unscoped = Object.entries(serialized.kinds).flatMap(([group, kinds]) =>
    Object.keys(kinds)
      .filter((kind) => catalogue.kind(group, '', kind)?.namespaced === undefined)
      .map((kind) => `${group}/${kind}`),
  );
  return `${HEAD}\n${lines.join('\n')}\n\n${unscoped.join('\n')}\n`;
}

/** The groups that the API server itself serves. */
const BUILT_IN =
  /^(?:admissionregistration|apiextensions|apiregistration|authentication|authorization|certificates|coordination|discovery|events|flowcontrol\.apiserver|internal\.apiserver|lifecycle|networking|node|rbac\.authorization|resource|scheduling|storage|storagemigration)\.k8s\.io$/;

function isOwnGroup(group: string): boolean {
  return !group.includes('.') || BUILT_IN.test(group);
}

function unknownIn(fact: SelectorFact): string[] {
  const filled = fact.filledFrom === undefined;
  return [
    ...(fact.absent === 'unknown' && filled ? ['absent'] : []),
    ...(fact.empty === 'unknown' && filled ? ['empty'] : []),
    ...(fact.reach === 'unknown' ? ['reach'] : []),
    ...(fact.targets.length === 0 ? ['targets'] : []),
  ];
}
