/** The severities that configurations set, for files and for single objects in them. */

import { getOrAdd } from '../engine/memoize.ts';
import { globMatcher } from '../text/glob.ts';
import { configName } from './config.ts';
import type { Level } from './level.ts';
import type { Config } from './read-config.ts';
import type { RuleSeverity } from './settings.ts';

/** An object as entries of a configuration name it. */
interface NamedObject {
  readonly kind: string;
  readonly name?: { readonly text: string } | undefined;
  readonly namespace?: { readonly text: string } | undefined;
}

/** The severities for one file. */
export interface Severities {
  readonly level: Level | undefined;
  /** The severity of a rule in an object, or outside of all objects; undefined if none is configured. */
  of(rule: string, object?: NamedObject): RuleSeverity | undefined;
  /** Whether the severity of a rule may differ between the objects of the file. */
  differs(rule: string): boolean;
}

export const noSeverities: Severities = { level: undefined, of: () => undefined, differs: () => false };

/** A configuration, with the path of the file relative to its folder. */
export interface ConfigFor {
  readonly config: Config;
  readonly path: string;
}

/** One entry: in files with this path, and only in some objects if `objects` is present. */
interface Entry {
  readonly rules: Readonly<Record<string, RuleSeverity>> | ((rule: string) => RuleSeverity | undefined);
  readonly objects?: readonly string[] | undefined;
}

/**
 * The severities of a chain of configurations, the one that the others extend first: later entries take precedence, and
 * in one file `rules`, `overrides` and `ignore` in this order. `all` in `ignore` turns every rule off, except for the
 * configuration itself, whose faults would otherwise be hidden.
 */
export function severitiesFor(chain: readonly ConfigFor[]): Severities {
  const entries = chain.flatMap(entriesFor);
  const level = chain.findLast(({ config }) => config.values.level !== undefined)?.config.values.level;
  const ofFile = entries.filter(({ objects }) => objects === undefined);
  const ofObjects = entries.length > ofFile.length;
  return {
    level,
    of: (rule, object) => lastOf(object === undefined || !ofObjects ? ofFile : entries, rule, object),
    differs: (rule) => ofObjects && entries.some((each) => each.objects !== undefined && severityIn(each, rule)),
  };
}

function entriesFor({ config: { values }, path }: ConfigFor): readonly Entry[] {
  const isMeant = (files: readonly string[] | undefined) => files === undefined || matcherOf(files)(path);
  return [
    ...(values.rules === undefined ? [] : [{ rules: values.rules }]),
    ...(values.overrides ?? []).filter(({ files }) => isMeant(files)),
    ...(values.ignore ?? [])
      .filter(({ rule, files }) => !(rule === 'all' && path === configName) && isMeant(files))
      .map(
        ({ rule, objects }): Entry => ({ rules: (id) => (rule === 'all' || rule === id ? 'off' : undefined), objects }),
      ),
  ];
}

function severityIn({ rules }: Entry, rule: string): RuleSeverity | undefined {
  if (typeof rules === 'function') return rules(rule);
  return Object.hasOwn(rules, rule) ? rules[rule] : undefined;
}

function lastOf(entries: readonly Entry[], rule: string, object: NamedObject | undefined): RuleSeverity | undefined {
  const meant = entries.findLast((each) => {
    if (severityIn(each, rule) === undefined) return false;
    return each.objects === undefined || (object !== undefined && isNamed(each.objects, object));
  });
  return meant && severityIn(meant, rule);
}

/** `KIND/NAME`, or `NAMESPACE/KIND/NAME` for an object that states its namespace. */
function isNamed(patterns: readonly string[], { kind, name, namespace }: NamedObject): boolean {
  const matches = matcherOf(patterns);
  const short = `${kind}/${name?.text ?? ''}`;
  return matches(short) || (namespace !== undefined && matches(`${namespace.text}/${short}`));
}

/** By the list of patterns of a configuration, which is evaluated for every file. */
const matchers = new WeakMap<readonly string[], (path: string) => boolean>();

function matcherOf(patterns: readonly string[]): (path: string) => boolean {
  return getOrAdd(matchers, patterns, globMatcher);
}
