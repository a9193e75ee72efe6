/** The documentation of rules as pages that agents read. */

import { loadedRules } from '../rules/framework/loaded-rules.ts';
import type { Example } from '../rules/framework/rule.ts';

export interface RulePage {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  text(): string;
}

/** Returns the pages of all rules. */
export function rulePages(): readonly RulePage[] {
  return loadedRules().map(({ id, severity, summary, why, bad, good }) => ({
    uri: `selector-lens://rules/${id}`,
    name: id,
    description: summary,
    text: () =>
      [
        `# ${id}`,
        summary,
        `Severity: ${severity}.`,
        why,
        ...bad.map((each) => exampleText('Reported', each)),
        ...good.map((each) => exampleText('Not reported', each)),
      ].join('\n\n'),
  }));
}

function exampleText(title: string, example: Example): string {
  return `${title}: ${example.title}\n\n\`\`\`yaml\n${(example.shown ?? example.text).trimEnd()}\n\`\`\``;
}
