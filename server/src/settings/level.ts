/** The levels, which are presets for the severities of all rules. */

export type Level = 'essential' | 'default' | 'strict';

export const levels: readonly Level[] = ['essential', 'default', 'strict'];

export const levelDescriptions: Readonly<Record<Level, string>> = {
  essential: 'Report errors and warnings only.',
  default: 'Report each rule with its own severity.',
  strict: 'Also run the rules that are off by default, and report their findings, information and hints as warnings.',
};

/** Returns the severity, at a level, of a finding of a rule whose severity is not configured. */
export function severityAt<S extends string>(level: Level, severity: S): S | 'warning' | 'off' {
  if (level === 'default' || severity === 'error' || severity === 'warning') return severity;
  return level === 'strict' ? 'warning' : 'off';
}
