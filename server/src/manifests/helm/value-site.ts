/** Describes which fields of objects the values of a chart fill. */

/** A field of an object that a template fills with a value of the chart. */
export interface ValueSite {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The path of the field that is filled; `[]` represents the items of a list. */
  readonly path: readonly string[];
  /** The path of the chart value, relative to `.Values`; empty if the whole text fills the field. */
  readonly value: readonly string[];
  /**
   * Set if the template iterates over the entries and writes each of them as text, so that values that are not strings
   * are not faults.
   */
  readonly looped?: true;
}
