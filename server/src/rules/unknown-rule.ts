/** Does every rule exist that a comment, an annotation or a `.selector-lens.yaml` names? */

import { nearestWord } from '../settings/shape.ts';
import type { Span } from '../text/span.ts';
import { type Fact, rule } from './rule.ts';
import { shorten } from './say.ts';
import { directives, everyRule } from './suppressions.ts';

interface UnknownName extends Fact {
  readonly is: 'rule' | 'directive';
  /** Undefined where no rule is named at all. */
  readonly name: string | undefined;
  readonly nearest: string | undefined;
}

export const unknownRule = rule<UnknownName>({
  id: 'unknown-rule',
  severity: 'warning',
  about: 'rule names',
  summary: 'A comment, an annotation or a setting names a rule that does not exist.',
  why: 'It silences nothing, so that the finding which it was meant for stays, or comes when the rule is switched on. Every rule has a name on the list of rules; `all` stands for each of them.',
  bad: [
    {
      title: 'A letter is missing.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  labels:
    # selector-lens-disable-next-line unused-supression: another tool looks after them
    owner: team-blue
`,
    },
  ],
  good: [
    {
      title: 'Several rules, each with its name.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  labels:
    # selector-lens-disable-next-line label-key-syntax, label-value-syntax: made to be wrong
    -owner: Team Blue
`,
    },
  ],
  *check({ suppressions, ruleIds, file }) {
    const words = [...ruleIds, everyRule];
    const unknown = (name: string, span: Span): readonly UnknownName[] =>
      words.includes(name) ? [] : [{ span, is: 'rule', name, nearest: nearestWord(name, words) }];
    for (const { rules, span } of suppressions.all) {
      if (rules.length === 0) yield { span, is: 'rule', name: undefined, nearest: undefined };
      for (const named of rules) yield* unknown(named.name, named.span);
    }
    for (const { directive, span } of suppressions.misspelt) {
      const nearest =
        directive === 'selector-lens-disable' ? undefined : nearestWord(directive, Object.keys(directives));
      yield { span, is: 'directive', name: directive, nearest };
    }
    for (const named of file.config?.ruleNames ?? []) yield* unknown(named.text, named.span);
  },
  say({ is, name, nearest }) {
    if (name === undefined) return "The suppression must name a rule, several with commas between them, or 'all'.";
    const advice = nearest === undefined ? '' : ` Did you mean '${nearest}'?`;
    if (is === 'rule') return `There is no rule '${shorten(name)}'.${advice}`;
    const known = Object.keys(directives).map((each) => `'${each}'`);
    return `A comment that silences a rule must begin with ${known.join(' or ')}.${advice}`;
  },
  mend({ span, nearest }) {
    if (nearest === undefined) return [];
    return [{ title: `Change it to '${nearest}'`, edits: [{ span, text: nearest }], preferred: true }];
  },
});
