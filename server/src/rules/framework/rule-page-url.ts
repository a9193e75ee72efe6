/** Where can a rule be read about? */

export function rulePageUrl(id: string): string {
  return `https://github.com/selector-lens/selector-lens/blob/main/docs/rules/${id}.md`;
}
