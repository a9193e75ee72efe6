/** Reports names of rules that do not exist in comments, annotations and `.selector-lens.yaml`. */

import { nearestWord } from '../../settings/shape.ts';
import { localize } from '../../text/localize.ts';
import type { WorkspaceFile } from '../../workspace/model.ts';
import { type Fact, maximumAboutNames, rule } from '../framework/rule.ts';
import { directives, everyRule } from '../framework/suppressions.ts';
import { shorten } from '../helpers/sentences.ts';

interface UnknownName extends Fact {
  readonly is: 'rule' | 'directive';
  /** The number of further findings in the file, which are not reported individually. */
  readonly more?: number;
  /** The unknown name; undefined if the comment, annotation or setting names no rule. */
  readonly name: string | undefined;
  readonly nearest: string | undefined;
}

export const unknownRule = rule<UnknownName>({
  id: 'unknown-rule',
  severity: 'warning',
  summary: 'A comment, annotation or setting with the name of a rule that does not exist.',
  why: 'The comment or setting has no effect, so the finding that it should suppress is still reported. `all` means all rules; the list of rules contains the valid names.',
  bad: [
    {
      title: 'A misspelled rule name.',
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
      title: 'Several rules.',
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
    const named = [...suppressions.all.flatMap(({ rules }) => rules), ...namesIn(file)];
    if (named.length + suppressions.all.length + suppressions.misspelt.length === 0) return;
    const words = [...ruleIds, everyRule];
    const known = new Set(words);
    const found: (() => UnknownName)[] = [
      ...suppressions.all
        .filter(({ rules }) => rules.length === 0)
        .map(
          ({ span }) =>
            (): UnknownName => ({ span, is: 'rule', name: undefined, nearest: undefined }),
        ),
      ...named
        .filter(({ name }) => !known.has(name))
        .map(
          ({ name, span }) =>
            (): UnknownName => ({ span, is: 'rule', name, nearest: nearestWord(name, words) }),
        ),
      ...suppressions.misspelt.map(({ directive, span }) => (): UnknownName => {
        const isBare = directive === 'selector-lens-disable';
        const nearest = isBare ? undefined : nearestWord(directive, Object.keys(directives));
        return { span, is: 'directive', name: directive, nearest };
      }),
    ];
    const more = found.length - maximumAboutNames;
    for (const [number, make] of found.slice(0, maximumAboutNames).entries())
      yield more > 0 && number === maximumAboutNames - 1 ? { ...make(), more } : make();
  },
  message({ is, name, nearest, more }) {
    const others = more === undefined ? '' : localize` This file has ${more} more findings of this rule.`;
    if (name === undefined)
      return localize`A suppression must name one or more rules, separated by commas, or 'all'.${others}`;
    const advice = nearest === undefined ? '' : localize` Did you mean '${nearest}'?`;
    if (is === 'rule') return localize`Unknown rule '${shorten(name)}'.${advice}${others}`;
    const known = Object.keys(directives).map((each) => `'${each}'`);
    return localize`Unknown directive '${shorten(name)}'; use ${known.slice(0, -1).join(', ')} or ${known.at(-1)}.${advice}${others}`;
  },
  fixes({ span, nearest }) {
    if (nearest === undefined) return [];
    return [{ title: localize`Change to '${nearest}'`, edits: [{ span, text: nearest }], preferred: true }];
  },
});

function namesIn(file: WorkspaceFile) {
  return (file.config?.ruleNames ?? []).map(({ text, span }) => ({ name: text, span }));
}
