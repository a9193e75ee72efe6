/** The severities that configurations set, for files and for single objects in them. */

import { getOrAdd, memoized } from '../engine/memoize.ts';
import { globMatcher } from '../text/glob.ts';
import { configName } from './config.ts';
import type { Level } from './level.ts';
import type { Config } from './read-config.ts';
import type { RuleSeverity } from './settings.ts';

/** The properties by which entries of a configuration identify an object. */
interface NamedObject {
  readonly kind: string;
  readonly name?: { readonly text: string } | undefined;
  readonly namespace?: { readonly text: string } | undefined;
}

export interface Severities {
  readonly level: Level | undefined;
  /** Returns the severity of a rule in an object, or outside of all objects; undefined if no severity is configured. */
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

/** The severity of one rule, or of all rules. If `objects` is present, the severity applies only to these objects. */
interface Choice {
  readonly rule: string;
  readonly severity: RuleSeverity;
  readonly objects?: readonly string[] | undefined;
}

/** The word for all rules in `ignore`. */
const everyRule = 'all';

/** Returns the severities of a chain of configurations, in which each configuration extends the previous one. Later entries take precedence, and in one file `rules`, `overrides` and `ignore` apply in this order. `all` in `ignore` turns every rule off, except for the configuration itself, whose faults would otherwise be hidden. */
export function severitiesFor(chain: readonly ConfigFor[]): Severities {
  const level = chain.findLast(({ config }) => config.values.level !== undefined)?.config.values.level;
  const choices = chain.flatMap(choicesFor);
  // Indexed by rule, because lookups are frequent (in some files, one for each finding) and a configuration may have
  // thousands of entries.
  const byRule = new Map<string, (readonly [number, Choice])[]>();
  for (const [number, choice] of choices.entries()) getOrAdd(byRule, choice.rule, () => []).push([number, choice]);
  const lastIn = (rule: string, object: NamedObject | undefined) =>
    byRule.get(rule)?.findLast(([, { objects }]) => objects === undefined || (object && isNamed(objects, object)));
  const isByObject = (rule: string) => byRule.get(rule)?.some(([, { objects }]) => objects !== undefined) === true;
  const differs = new Map<string, boolean>();
  return {
    level,
    of(rule, object) {
      const [own, all] = [lastIn(rule, object), lastIn(everyRule, object)];
      return own === undefined || (all !== undefined && all[0] > own[0]) ? all?.[1].severity : own[1].severity;
    },
    differs: (rule) => getOrAdd(differs, rule, () => isByObject(rule) || isByObject(everyRule)),
  };
}

function choicesFor({ config: { values }, path }: ConfigFor): readonly Choice[] {
  const isMeant = ({ files }: { readonly files?: readonly string[] }) => files === undefined || matcherOf(files)(path);
  const each = (rules: Readonly<Record<string, RuleSeverity>>, objects?: readonly string[]) =>
    Object.entries(rules).flatMap(([rule, severity]) => (rule === everyRule ? [] : [{ rule, severity, objects }]));
  return [
    ...each(values.rules ?? {}),
    ...(values.overrides ?? []).filter(isMeant).flatMap(({ rules, objects }) => each(rules, objects)),
    ...(values.ignore ?? [])
      .filter((ignored) => !(ignored.rule === everyRule && path === configName) && isMeant(ignored))
      .map(({ rule, objects }): Choice => ({ rule, severity: 'off', objects })),
  ];
}

/** Whether an object matches a pattern: `KIND/NAME`, or `NAMESPACE/KIND/NAME` for an object that states its namespace. */
function isNamed(patterns: readonly string[], { kind, name, namespace }: NamedObject): boolean {
  const matches = matcherOf(patterns);
  const short = `${kind}/${name?.text ?? ''}`;
  return matches(short) || (namespace !== undefined && matches(`${namespace.text}/${short}`));
}

const matcherOf = memoized(globMatcher);
