/** The table of labels as CSV (RFC 4180), with a row for each value of each key. */

import type { LabelTable } from '../../features/labels/label-table.ts';
import { setByText } from '../../features/labels/labels-page.ts';
import { tame } from '../output/terminal-escape.ts';

export function labelsCsv({ keys }: LabelTable): readonly string[] {
  const head = ['key', 'value', 'objects', 'pods', 'selectors', 'setBy', 'file', 'line'];
  const rows = keys.flatMap((each) => {
    const { key, values, objects, pods, unknown, selectors } = each;
    const rest = [`${selectors.count}`, setByText(each)];
    const known = values.map(({ value, at, ...users }) => {
      return [key, value, `${users.objects}`, `${users.pods}`, ...rest, at.file, `${at.line}`];
    });
    // A key that only selectors use, or whose values are all unknown, has one row without a value.
    const isBare = known.length === 0 || unknown > 0;
    const users = known.length === 0 ? [`${objects}`, `${pods}`] : [`${unknown}`, ''];
    return isBare ? [...known, [key, '', ...users, ...rest, '', '']] : known;
  });
  return [head, ...rows].map((row) => row.map(cell).join(','));
}

/** Returns a cell, quoted if necessary. A spreadsheet would evaluate text that begins with certain characters as a formula. */
function cell(text: string): string {
  const shown = tame(text).replace(/^(?=[=+@\t-])/, "'");
  return /[",]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}
