/** What is gathered about kinds before it is packed? */

import type {
  GroupKind,
  LabelKeyPlace,
  Meaning,
  SelectorForm,
  TemplateFact,
} from '../../../server/src/engine/catalogue/types.ts';
import type { PackedReach } from './reaches.ts';

export interface SelectorRow {
  readonly path: string;
  readonly form: SelectorForm;
  readonly targets: readonly GroupKind[];
  readonly reach: PackedReach;
  readonly absent: Meaning;
  readonly null: Meaning;
  readonly empty: Meaning;
  readonly filledFrom?: 'templateLabels' | 'generated';
  readonly templateLabelsAt?: string;
  /** `path=word` or `path!=word`, as in the packed form. */
  readonly ignored?: string;
  /** The server refuses it there. */
  readonly refused?: true;
  readonly mustMatchTemplate: boolean;
  readonly immutable: boolean;
  readonly plain: boolean;
}

export interface LabelRow {
  readonly path: string;
  readonly holds: 'labels' | 'annotations' | 'both';
  readonly of?: GroupKind;
}

export type TemplateRow = Omit<TemplateFact, 'sets' | 'setsName'> & {
  /** `key`, `key=value`, `key=@` for the name of the object. */
  readonly sets?: readonly string[];
};

export interface Mount {
  readonly path: string;
  readonly part: string;
}

export interface PartRecord {
  readonly selectors: SelectorRow[];
  readonly labels: LabelRow[];
  readonly templates: TemplateRow[];
  readonly labelKeys: LabelKeyPlace[];
  readonly mounts: Mount[];
}

export interface KindRecord extends GroupKind {
  /** Newest first. */
  versions: string[];
  namespaced?: boolean;
  plural?: string;
  shortNames?: readonly string[];
  /** `rule maxLength childSafeMaxLength`; where it is missing, the rule of custom resources holds. */
  name?: string;
  readonly facts: PartRecord;
  /** Facts of some versions only, by those versions. */
  readonly only: Map<string, PartRecord>;
}

export function emptyRecord(): PartRecord {
  return { selectors: [], labels: [], templates: [], labelKeys: [], mounts: [] };
}
