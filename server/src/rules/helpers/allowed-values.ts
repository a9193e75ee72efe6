/** Determines the values of a label that a team allows. */

import { isLabelValue } from '../../engine/index.ts';
import type { Allowed } from '../../settings/label-registry.ts';
import { isAllowed } from '../../settings/label-registry.ts';
import { localize } from '../../text/localize.ts';
import { labelsConfigOf, valuesFrom } from '../../workspace/label-values.ts';
import type { RuleContext } from '../framework/rule.ts';
import { shorten } from './sentences.ts';

export interface AllowedValues {
  /** The known allowed values that are valid label values. */
  readonly listed: readonly string[];
  /** Whether `listed` contains all allowed values. */
  readonly isComplete: boolean;
  /** A regular expression (RE2) for further allowed values. */
  readonly pattern: string | undefined;
  /** Whether the values of the source, if there is one, are known. */
  readonly isKnown: boolean;
  /** Whether a value is allowed; undefined if this is unknown. */
  allows(value: string): boolean | undefined;
  /** The allowed values in a message, such as `'blue', 'red'`. */
  readonly text: string;
}

/** Returns the allowed values of a label in a file. */
export function allowedValues(
  { uri, workspace }: Pick<RuleContext, 'uri' | 'workspace'>,
  allowed: Allowed,
): AllowedValues {
  const { values, pattern, from } = allowed;
  const folder = labelsConfigOf(workspace, uri)?.folder;
  const found = from && folder !== undefined ? valuesFrom(workspace.written ?? workspace, folder, from) : undefined;
  return {
    listed: [...new Set([...values, ...(found ?? [])])].filter(isLabelValue),
    isComplete: pattern === undefined && (from === undefined || found !== undefined),
    pattern,
    isKnown: from === undefined || found !== undefined,
    allows: (value) => isAllowed(allowed, value, found),
    get text() {
      return [
        ...listText([...values, ...(found ?? [])]),
        ...(pattern === undefined ? [] : [localize`values that match '${shorten(pattern)}'`]),
      ].join(', ');
    },
  };
}

/** The maximum number of values in a message. */
const mostListed = 8;

function listText(values: readonly string[]): readonly string[] {
  const shown = values.slice(0, mostListed).map((value) => `'${shorten(value)}'`);
  return values.length > mostListed ? [...shown, localize`and ${values.length - mostListed} others`] : shown;
}
