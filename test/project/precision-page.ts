/** The tables of the page about precision: the reviewed findings in public repositories, by rule and by repository. */

import { parseReview } from '../ecosystem/reviewed-findings.ts';

/** Returns the tables for the text of `reviewed.txt`. */
export function precisionTables(text: string): string {
  const review = [...parseReview(text)];
  const findings = review.flatMap(([name, { verdicts }]) =>
    [...verdicts].map(([finding, verdict]) => ({ name, rule: finding.split(' ')[0] ?? '', verdict })),
  );
  const quiet = review.filter(([, { verdicts }]) => verdicts.size === 0).length;
  const rows = (by: 'rule' | 'name', shown: (key: string) => string) =>
    [...new Set(findings.map((each) => each[by]))]
      .toSorted((a, b) => (a < b ? -1 : 1))
      .map((key) => {
        const ofKey = findings.filter((each) => each[by] === key);
        const count = (verdict: string) => ofKey.filter((each) => each.verdict === verdict).length;
        return `| ${shown(key)} | ${count('true')} | ${count('false')} | ${count('?')} |`;
      });
  const commits = new Map(review.map(([name, { commit }]) => [name, commit]));
  const repository = (name: string) =>
    `[${name}](https://github.com/${name}/tree/${commits.get(name)}) at \`${commits.get(name)?.slice(0, 10)}\``;
  const all = (verdict: string) => findings.filter((each) => each.verdict === verdict).length;
  const columns = 'True | False | Not read |\n| --- | --- | --- | --- |';
  return [
    `Errors and warnings in ${review.length} repositories: ${findings.length}. True: ${all('true')}. False: ${all('false')}. Not read: ${all('?')}. Repositories without errors and warnings: ${quiet}.`,
    '## By rule',
    `| Rule | ${columns}\n${rows('rule', (rule) => `[\`${rule}\`](rules/${rule}.md)`).join('\n')}`,
    '## By repository',
    `| Repository | ${columns}\n${rows('name', repository).join('\n')}`,
    '',
  ].join('\n\n');
}
