/** Groups the rows of the tables by the kind or embedded type that they are about. */

import type { Facts } from './facts.ts';
import type { EmbedRow, LabelKeyRow, LabelRow, ReferenceRow, SelectorRow, TemplateRow } from './tables.ts';

/** The facts about one kind or type, for all of its versions or for some. */
export interface Part {
  readonly selectors: SelectorRow[];
  readonly labels: LabelRow[];
  readonly templates: TemplateRow[];
  readonly labelKeys: LabelKeyRow[];
  readonly references: ReferenceRow[];
  readonly embeds: EmbedRow[];
}

export interface Parts {
  readonly facts: Part;
  /** Facts that hold in some versions only, by those versions, separated by spaces. */
  readonly only: ReadonlyMap<string, Part>;
}

/** Groups all rows; the result has a name as `group/Kind` for a kind, and without a slash for a type. */
export function partsByOwner(facts: Facts): ReadonlyMap<string, Parts> {
  const owners = new Map<string, { readonly facts: Part; readonly only: Map<string, Part> }>();
  const partOf = ({ kind, type, versions }: Pick<SelectorRow, 'kind' | 'type' | 'versions'>): Part => {
    const name = kind ?? type ?? '';
    const owner = owners.get(name) ?? { facts: emptyPart(), only: new Map() };
    owners.set(name, owner);
    if (versions === undefined) return owner.facts;
    const part = owner.only.get(versions.join(' ')) ?? emptyPart();
    owner.only.set(versions.join(' '), part);
    return part;
  };
  for (const row of facts.selectors) partOf(row).selectors.push(row);
  for (const row of facts.labels) partOf(row).labels.push(row);
  for (const row of facts.templates) partOf(row).templates.push(row);
  for (const row of facts.labelKeys) partOf(row).labelKeys.push(row);
  for (const row of facts.references) partOf(row).references.push(row);
  for (const row of facts.embeds) partOf(row).embeds.push(row);
  return owners;
}

/** Returns a part without facts. */
export function emptyPart(): Part {
  return { selectors: [], labels: [], templates: [], labelKeys: [], references: [], embeds: [] };
}
