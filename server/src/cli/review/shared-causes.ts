/** States a changed label that causes several changes once, before them. */

import { getOrAdd } from '../../engine/memoize.ts';
import { capitalized } from '../output/names.ts';
import { afterRequirement, type Cause, type ChangedLabel, withoutTexts } from './causes.ts';
import type { Review, Section, Statement } from './model.ts';

/** The maximum number of causes that are stated before the changes. */
const mostCauses = 2;

/** Returns the causes of several statements, and the sections without them. */
export function withSharedCauses(sections: readonly Section[]): {
  readonly causes: readonly Statement[];
  readonly sections: Review['sections'];
} {
  const found = new Map<string, ChangedLabel[]>();
  for (const { cause, text } of sections.flatMap(({ items }) => items))
    if (cause?.label !== undefined && without(text, cause.label) !== undefined)
      getOrAdd(found, keyOf(cause), () => []).push(cause.label);
  const shared = [...found].filter(([, labels]) => labels.length > 1).slice(0, mostCauses);
  const keys = new Set(shared.map(([key]) => key));
  const causes = new Map<string, Statement>();
  const brief = (item: Statement): Statement => {
    const { cause, text } = item;
    const key = cause?.label === undefined ? '' : keyOf(cause);
    const shorter = cause?.label && keys.has(key) ? without(text, cause.label) : undefined;
    if (cause === undefined || shorter === undefined) return item;
    const { cause: _, ...rest } = item;
    getOrAdd(causes, key, () => ({ text: sentence(found.get(key) ?? []), count: 0, cause: withoutTexts(cause) }));
    return { ...rest, text: shorter };
  };
  const others = sections.map((each) => ({ ...each, items: each.items.map(brief) }));
  return { causes: [...causes.values()], sections: others };
}

function keyOf({ path, line, isBefore, label }: Cause): string {
  return JSON.stringify([path, line, isBefore, label?.change]);
}

/** Returns a text without the changed label that explains it; undefined if it does not contain the label. */
function without(text: string, { change }: ChangedLabel): string | undefined {
  const parts = [`${afterRequirement}${change}`, `: ${change}`, ` ${capitalized(change)}.`];
  const part = parts.find((each) => text.includes(each));
  return part === undefined ? undefined : text.replace(part, '');
}

/** Returns the sentence about a changed label, with the name of the object, if there is only one. */
function sentence(labels: readonly ChangedLabel[]): string {
  const [first] = labels;
  const names = new Set(labels.map(({ of }) => of));
  const of = names.size === 1 ? first?.of : undefined;
  const template = 'of the pod template';
  const text = first?.change ?? '';
  return `${capitalized(of === undefined ? text : text.replace(template, `${template} of ${of}`))}.`;
}
