/** `selector-lens rule`: shows the documentation of a rule in the terminal. */

import { loadedRules } from '../../rules/framework/loaded-rules.ts';
import type { Example, Rule } from '../../rules/framework/rule.ts';
import { rulePageUrl } from '../../rules/framework/rule-page-url.ts';
import type { World } from '../environment.ts';
import { didYouMean, UsageError } from '../options/arguments.ts';
import { color, formats } from '../options/shared-options.ts';
import { type Colorize, colorizer, plain, tameJson } from '../output/terminal-escape.ts';
import { widthIn, wrapped } from '../output/wrap.ts';
import type { Arguments, Command } from './command.ts';

export const rule: Command = {
  name: 'rule',
  summary: 'Shows the documentation of a rule; without a name, lists all rules.',
  operand: { shown: '[NAME]', description: 'The name of a rule, as findings show it.', completes: 'rules', most: 1 },
  options: [formats('text', 'json'), color],
  examples: [
    { line: 'selector-lens rule selects-nothing', description: 'Show the documentation of a rule.' },
    { line: 'selector-lens rule', description: 'List all rules.' },
    { line: 'selector-lens rule --format json', description: 'List all rules with their documentation, for programs.' },
  ],
  run: (world, given) => Promise.resolve(showRule(world, given)),
};

function showRule(world: World, given: Arguments): number {
  const [name] = given.paths;
  const allRules = loadedRules();
  const isJson = given.values.get('format') === 'json';
  const colorize = colorizer(world.colours === true);
  if (name === undefined && isJson) {
    world.out(tameJson({ rules: allRules.map(dataOf) }));
    return 0;
  }
  if (name === undefined) {
    const width = Math.max(...allRules.map(({ id }) => id.length));
    for (const { id, severity, summary } of allRules)
      world.out(`${colorize(id.padEnd(width), 'bold')}  ${severity.padEnd(11)}  ${plain(summary)}`);
    return 0;
  }
  const found = allRules.find(({ id }) => id === name);
  if (found === undefined) {
    const hint = didYouMean(
      name,
      allRules.map(({ id }) => id),
    );
    throw new UsageError(`Unknown rule '${name}'.${hint === '' ? " 'selector-lens rule' lists all." : hint}`);
  }
  if (isJson) {
    world.out(tameJson({ rules: [dataOf(found)] }));
    return 0;
  }
  for (const line of pageLines(found, colorize, widthIn(world))) world.out(line);
  return 0;
}

/** Returns the documentation of a rule as plain data, whose strings are Markdown. */
function dataOf({ id, severity, summary, why, withoutFix, bad, good, acrossFiles }: Rule) {
  const shown = ({ title, file, text, shown: part }: Example) => ({ title, ...(file && { file }), text: part ?? text });
  return {
    name: id,
    severity,
    summary,
    why,
    acrossFiles: acrossFiles === true,
    fixable: withoutFix === undefined,
    bad: bad.map(shown),
    good: good.map(shown),
    url: rulePageUrl(id),
  };
}

function pageLines(
  { id, severity, summary, why, bad, good }: Rule,
  colorize: Colorize,
  width: number,
): readonly string[] {
  return [
    `${colorize(id, 'bold')} (${severity})`,
    '',
    ...wrapped(plain(summary).split(' '), '', '', width),
    '',
    ...wrapped(plain(why).split(' '), '', '', width),
    ...examples('Reported', bad, colorize),
    ...examples('Not reported', good, colorize),
    '',
    rulePageUrl(id),
  ];
}

function examples(title: string, shown: readonly Example[], colorize: Colorize): readonly string[] {
  return shown.flatMap((example) => [
    '',
    `${colorize(`${title}:`, 'bold')} ${plain(example.title)}`,
    '',
    ...(example.shown ?? example.text)
      .trimEnd()
      .split('\n')
      .map((line) => `    ${line}`.trimEnd()),
  ]);
}
