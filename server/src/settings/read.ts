/** Parses the settings of the user from unknown JSON. Invalid values are reported and keep their defaults. */

import { isListOfStrings, isRecord } from '../engine/structured.ts';
import { maximumGlobLength, maximumGlobs } from '../text/glob.ts';
import { localize } from '../text/localize.ts';
import { levels } from './level.ts';
import {
  codeLensPositions,
  coexist,
  defaultSettings,
  type LabelPolicy,
  largest,
  problemsOf,
  type RecommendedLabels,
  type RuleSeverity,
  ruleSeverities,
  type Settings,
} from './settings.ts';

export interface ReadSettings {
  readonly settings: Settings;
  /** A sentence for each invalid part. */
  readonly problems: readonly string[];
}

/** Parses the value of the section `selectorLens`. */
export function readSettings(value: unknown): ReadSettings {
  const problems: string[] = [];
  const given = isRecord(value) ? value : {};
  const rules = readRules(given['rules'], problems);
  const number = (name: 'maximumFileSize' | 'maximumFiles') => {
    const chosen = given[name];
    if (chosen === undefined || chosen === null) return defaultSettings[name];
    const maximum = largest[name];
    if (typeof chosen === 'number' && Number.isInteger(chosen) && chosen > 0 && chosen <= maximum) return chosen;
    problems.push(localize`selectorLens.${name} must be a whole number from 1 to ${maximum}.`);
    return defaultSettings[name];
  };
  const globs = (name: 'include' | 'exclude') => {
    const chosen = given[name];
    if (chosen === undefined || chosen === null) return defaultSettings[name];
    if (!Array.isArray(chosen) || !chosen.every((each) => typeof each === 'string')) {
      problems.push(localize`selectorLens.${name} must be a list of globs.`);
      return defaultSettings[name];
    }
    const wanted = boundedGlobs(chosen);
    if (wanted.length < chosen.length) problems.push(localize`selectorLens.${name} ${globLimits}`);
    return wanted;
  };
  const word = <T extends string>(name: string, words: readonly T[], usual: T): T => {
    const chosen = given[name];
    const known = words.find((each) => each === chosen);
    if (known === undefined && chosen !== undefined && chosen !== null)
      problems.push(localize`selectorLens.${name} must be one of ${words.join(', ')}.`);
    return known ?? usual;
  };
  const flag = (name: 'codeLens' | 'referencesCodeLens' | 'inlayHints') => {
    const chosen = given[name];
    if (chosen === undefined || chosen === null) return defaultSettings[name];
    if (typeof chosen === 'boolean') return chosen;
    problems.push(localize`selectorLens.${name} must be true or false.`);
    return defaultSettings[name];
  };
  const settings = {
    problems: word('problems', problemsOf, defaultSettings.problems),
    coexist: word('coexist', coexist, defaultSettings.coexist),
    compareWith: readCompareWith(given['compareWith'], problems),
    level: word('level', levels, defaultSettings.level),
    rules,
    maximumFileSize: number('maximumFileSize'),
    maximumFiles: number('maximumFiles'),
    include: globs('include'),
    exclude: globs('exclude'),
    codeLens: flag('codeLens'),
    codeLensPosition: word('codeLensPosition', codeLensPositions, defaultSettings.codeLensPosition),
    referencesCodeLens: flag('referencesCodeLens'),
    inlayHints: flag('inlayHints'),
    recommendedLabels: readRecommended(given['recommendedLabels'], problems),
    labelPolicy: readPolicy(given['labelPolicy'], problems),
    inlineSelectors: readInline(given['inlineSelectors'], problems),
  };
  return { settings, problems };
}

function readRules(value: unknown, problems: string[]): Settings['rules'] {
  const rules: Record<string, RuleSeverity> = {};
  for (const [id, severity] of Object.entries(isRecord(value) ? value : {})) {
    const known = ruleSeverities.find((each) => each === severity);
    if (known === undefined)
      problems.push(localize`selectorLens.rules: the severity of '${id}' must be one of ${ruleSeverities.join(', ')}.`);
    else rules[id] = known;
  }
  return rules;
}

function readRecommended(value: unknown, problems: string[]): RecommendedLabels {
  const usual = defaultSettings.recommendedLabels;
  if (value === undefined || value === null) return usual;
  const { keys = usual.keys, kinds = usual.kinds } = isRecord(value) ? value : { keys: undefined };
  if (isRecord(value) && isListOfStrings(keys) && isListOfStrings(kinds)) return { keys, kinds };
  problems.push(localize`selectorLens.recommendedLabels must have lists of keys and of kinds.`);
  return usual;
}

function readPolicy(value: unknown, problems: string[]): readonly LabelPolicy[] {
  if (value === undefined || value === null) return defaultSettings.labelPolicy;
  if (Array.isArray(value) && value.every(isPolicy)) return value;
  problems.push(localize`selectorLens.labelPolicy must be a list, each item with a key.`);
  return defaultSettings.labelPolicy;
}

function readInline(value: unknown, problems: string[]): Settings['inlineSelectors'] {
  const usual = defaultSettings.inlineSelectors;
  if (value === undefined || value === null) return usual;
  if (isRecord(value) && Object.values(value).every((each) => typeof each === 'boolean')) return { ...usual, ...value };
  problems.push(localize`selectorLens.inlineSelectors must have true or false for each language.`);
  return usual;
}

function isPolicy(value: unknown): value is LabelPolicy {
  if (!isRecord(value) || typeof value['key'] !== 'string') return false;
  return (
    ['kinds', 'values'].every((name) => value[name] === undefined || isListOfStrings(value[name])) &&
    ['required', 'forbidden'].every((name) => value[name] === undefined || typeof value[name] === 'boolean')
  );
}

/** Whether two versions of the settings cause the same files to be loaded. */
export function readsTheSame(a: Settings, b: Settings): boolean {
  const readingOf = ({ maximumFileSize, maximumFiles, include, exclude }: Settings) =>
    JSON.stringify([maximumFileSize, maximumFiles, include, exclude]);
  return readingOf(a) === readingOf(b);
}

/** Returns the globs of the editor's `files.exclude` that are enabled. Globs that depend on sibling files (`when`) are ignored: they hide build results, which are not manifests. */
export function readHidden(filesExclude: unknown): readonly string[] {
  if (!isRecord(filesExclude)) return [];
  return Object.entries(filesExclude).flatMap(([glob, hidden]) => (hidden === true ? [glob] : []));
}

const globLimits = `may have at most ${maximumGlobs} globs of at most ${maximumGlobLength} characters. The others are left out.`;

/** Returns the globs that do not exceed the limits; the same array if all of them are within the limits. */
function boundedGlobs(globs: readonly string[]): readonly string[] {
  const wanted = globs.filter((each) => each.length <= maximumGlobLength).slice(0, maximumGlobs);
  return wanted.length < globs.length ? wanted : globs;
}

function readCompareWith(chosen: unknown, problems: string[]): string {
  if (typeof chosen === 'string') return chosen;
  if (chosen !== undefined && chosen !== null) problems.push(localize`selectorLens.compareWith must be a string.`);
  return defaultSettings.compareWith;
}
