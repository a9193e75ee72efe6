/** The statements of a team about a label key, as shown in completion and hovers. */

import type { RuleContext } from '../../rules/framework/rule.ts';
import { labelRegistryFor } from '../../rules/framework/team-settings.ts';
import { allowedValues } from '../../rules/helpers/allowed-values.ts';
import type { Demand, RegisteredLabel } from '../../settings/label-registry.ts';
import type { Kinds } from '../../settings/label-shapes.ts';
import { localize } from '../../text/localize.ts';
import type { Users } from '../../workspace/label-users.ts';

/** A file, with what determines the statements that apply to it. */
type Stated = Pick<RuleContext, 'uri' | 'workspace' | 'settings'>;

/** Returns sentences about a key as plain text, each with a period; none if the team states nothing about the key. */
export function statementsAbout(context: Stated, key: string): readonly string[] {
  const registry = labelRegistryFor(context);
  const entries = registry.of(key).filter(({ source }) => source === 'labels' || source === 'labelPolicy');
  const replacement = registry.replacementOf(key);
  return [
    ...entries.flatMap((entry) => statementsOf(context, entry)),
    ...(replacement === undefined ? [] : [localize`Replaced by '${replacement.key}'.`]),
  ];
}

function statementsOf(context: Stated, entry: RegisteredLabel): readonly string[] {
  const { meaning, owner, allowed, required, forbidden, since, replaces, selectable } = entry;
  const scope = entry.kinds.length === 0 || entry.kinds.includes('*') ? '' : localize` on ${entry.kinds.join(', ')}`;
  const values = allowed && allowedValues(context, allowed).text;
  const from = since === undefined ? '' : localize` since ${since}`;
  return [
    ...(meaning === undefined ? [] : [withPeriod(meaning)]),
    ...(owner === undefined ? [] : [localize`Owner: ${owner}.`]),
    ...(values === undefined ? [] : [localize`Allowed values${scope}: ${values || localize`unknown`}.`]),
    ...(required === undefined ? [] : [localize`Required on ${demandText(required)}${from}.`]),
    ...(forbidden ? [localize`Not allowed${scope}.`] : []),
    ...(replaces.length === 0 ? [] : [localize`Replaces ${replaces.map((each) => `'${each}'`).join(', ')}.`]),
    ...(selectable ? [] : [localize`Not allowed in selectors.`]),
  ];
}

function withPeriod(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Returns where a label is required, such as `Deployments and all pods`. */
function demandText({ objects, pods, namespaces, files }: Demand): string {
  const places = [
    ...(objects === undefined ? [] : [kindsText(objects, localize`all objects`)]),
    ...(pods === undefined ? [] : [pods === true ? localize`all pods` : localize`pods of ${pods.join(', ')}`]),
    ...(namespaces ? [localize`Namespaces`] : []),
  ];
  const where = files === undefined ? '' : localize` in ${files.globs.join(', ')}`;
  const last = places.at(-1) ?? '';
  const before = places.slice(0, -1).join(', ');
  return `${before === '' ? last : localize`${before} and ${last}`}${where}`;
}

function kindsText(kinds: Kinds, all: string): string {
  return kinds === true ? all : kinds.join(', ');
}

/** Returns the number of users of a label, such as `12 pods and 3 other objects`; empty if there are none. */
export function usersText({ pods, objects }: Users): string {
  const podsText = pods === 1 ? localize`1 pod` : localize`${pods} pods`;
  const others = objects === 1 ? localize`1 other object` : localize`${objects} other objects`;
  if (pods === 0) return objects === 0 ? '' : objects === 1 ? localize`1 object` : localize`${objects} objects`;
  return objects === 0 ? podsText : localize`${podsText} and ${others}`;
}
