/** The messages of the examples of rules, for their pages: what a user sees is what a user searches for. */

import type { Example, Rule } from '../../server/src/rules/framework/rule.ts';
import { benchOver } from '../harness/bench.ts';
import { optionsFor } from '../harness/folders.ts';
import { readMargin } from '../harness/margin.ts';

/** The messages of each example that a rule reports. */
export type RuleMessages = ReadonlyMap<Example, readonly string[]>;

export async function messagesOf(rules: readonly Rule[]): Promise<RuleMessages> {
  const found = new Map<Example, readonly string[]>();
  for (const rule of rules) for (const example of rule.bad) found.set(example, await messagesIn(rule, example));
  return found;
}

async function messagesIn({ id }: Rule, example: Example): Promise<readonly string[]> {
  const { file = 'example.yaml', text, beside, settings } = example;
  const files = Object.entries({ [file]: text, ...beside }).map(([name, content]) =>
    readMargin(name, content.split('\n')),
  );
  const bench = await benchOver(files, { settings: { ...optionsFor(id).settings, ...settings } });
  return bench
    .findings(file)
    .flatMap(({ rule, severity, message }) => (rule === id ? [`${severity}: ${message}`] : []));
}
