/** Reports suppressions of rules that have no findings in the suppressed lines. */

import type { Edit } from '../../text/edit.ts';
import { english, localize, localized } from '../../text/localize.ts';
import { removeRule } from '../fixes/fix-suppression.ts';
import { type Done, type Fact, maximumAboutNames, rule } from '../framework/rule.ts';
import { everyRule, type NamedRule, type Suppression } from '../framework/suppressions.ts';

interface Unused extends Fact {
  readonly suppression: Suppression;
  readonly named: NamedRule;
  /** The number of further findings in the file, which are not reported individually. */
  readonly more?: number;
}

const id = 'unused-suppression';

export const unusedSuppression = rule<Unused>({
  id,
  severity: 'warning',
  needs: 'suppressions',
  afterOthers: true,
  summary:
    'A comment or annotation that disables a rule although the rule reports nothing for the line, object or file.',
  why: 'An unnecessary suppression hides future findings. A suppression is not reported while its rule is off or has not checked the file yet.',
  bad: [
    {
      title: 'An outdated comment above a value that is now valid.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  labels:
    # selector-lens-disable-next-line label-value-syntax: the old shop reads it
    owner: team-blue
`,
    },
    {
      title: 'An annotation that disables a rule for an object.',
      change: [
        `labels:
    # selector-lens-disable-next-line label-value-syntax: the old shop reads it`,
        `annotations:
    selector-lens/disable: "label-value-syntax: the old shop reads it"
  labels:`,
      ],
    },
  ],
  good: [
    {
      title: 'A comment for a finding on the next line.',
      change: [
        `# selector-lens-disable-next-line label-value-syntax: the old shop reads it
    owner: team-blue`,
        `# selector-lens-disable-next-line label-value-syntax: made to be wrong
    owner: Team Blue`,
      ],
    },
  ],
  *check({ suppressions, ruleIds, done }) {
    if (suppressions.all.length === 0) return;
    const known = new Set([...ruleIds, everyRule]);
    const isUnused = (named: NamedRule) =>
      known.has(named.name) && named.name !== id && hadItsChance(named, done) && !done.used.has(named);
    const found = suppressions.all
      .filter(({ until }) => until?.state !== 'past')
      .flatMap((suppression) => suppression.rules.filter(isUnused).map((named) => ({ suppression, named })));
    const more = found.length - maximumAboutNames;
    for (const [number, each] of found.slice(0, maximumAboutNames).entries()) {
      const isLast = more > 0 && number === maximumAboutNames - 1;
      yield { span: each.named.span, ...each, tags: ['unnecessary'], ...(isLast && { more }) };
    }
  },
  message({ named, suppression, more }) {
    const what = named.name === everyRule ? localize`No rule` : localize`Rule '${named.name}'`;
    const finds = named.name === everyRule ? localize`reports anything` : localize`reports nothing`;
    const others = more === undefined ? '' : localize` This file has ${more} more findings of this rule.`;
    return localize`${what} ${finds} ${localized(places[suppression.reach])}; remove the suppression.${others}`;
  },
  fixes({ suppression, named }, { text }) {
    const edit: Edit | undefined = removeRule(text, suppression, named);
    if (edit === undefined) return [];
    const title =
      suppression.rules.length === 1
        ? localize`Remove the suppression`
        : localize`Remove '${named.name}' from the suppression`;
    return [{ title, edits: [edit], preferred: true, safe: true }];
  },
});

const places: Readonly<Record<Suppression['reach'], string>> = {
  'next-line': english`on the next line`,
  line: english`on this line`,
  file: english`in this file`,
  object: english`in this object`,
};

function hadItsChance({ name }: NamedRule, done: Done): boolean {
  return name === everyRule ? done.everyRule : done.ran(name);
}
