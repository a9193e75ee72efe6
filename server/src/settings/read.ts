/** What did the user choose? Unknown JSON to settings; what is not understood keeps its default and is named. */

import { defaultSettings, type RuleSeverity, ruleSeverities, type Settings } from './settings.ts';

export interface ReadSettings {
  readonly settings: Settings;
  /** A sentence for each part that was not understood. */
  readonly problems: readonly string[];
}

/** Reads the value of the section `selectorLens`. */
export function readSettings(value: unknown): ReadSettings {
  const problems: string[] = [];
  const given = isRecord(value) ? value : {};
  const rules: Record<string, RuleSeverity> = {};
  for (const [id, severity] of Object.entries(isRecord(given['rules']) ? given['rules'] : {})) {
    const known = ruleSeverities.find((each) => each === severity);
    if (known === undefined)
      problems.push(`selectorLens.rules: the severity of '${id}' must be one of ${ruleSeverities.join(', ')}.`);
    else rules[id] = known;
  }
  const number = (name: 'maximumFileSize' | 'maximumFiles') => {
    const chosen = given[name];
    if (chosen === undefined || chosen === null) return defaultSettings[name];
    if (typeof chosen === 'number' && Number.isInteger(chosen) && chosen > 0) return chosen;
    problems.push(`selectorLens.${name} must be a whole number greater than 0.`);
    return defaultSettings[name];
  };
  const globs = (name: 'include' | 'exclude') => {
    const chosen = given[name];
    if (chosen === undefined || chosen === null) return defaultSettings[name];
    if (Array.isArray(chosen) && chosen.every((each) => typeof each === 'string')) return chosen;
    problems.push(`selectorLens.${name} must be a list of globs.`);
    return defaultSettings[name];
  };
  const settings = {
    rules,
    maximumFileSize: number('maximumFileSize'),
    maximumFiles: number('maximumFiles'),
    include: globs('include'),
    exclude: globs('exclude'),
  };
  return { settings, problems };
}

/** Do two choices read the same files? */
export function readsTheSame(a: Settings, b: Settings): boolean {
  const readingOf = ({ maximumFileSize, maximumFiles, include, exclude }: Settings) =>
    JSON.stringify([maximumFileSize, maximumFiles, include, exclude]);
  return readingOf(a) === readingOf(b);
}

/**
 * The globs of the editor's `files.exclude`. One can also be off, or depend on the files beside (`when`), which hides
 * what was made from them: no manifests.
 */
export function readHidden(filesExclude: unknown): readonly string[] {
  if (!isRecord(filesExclude)) return [];
  return Object.entries(filesExclude).flatMap(([glob, hidden]) => (hidden === true ? [glob] : []));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
