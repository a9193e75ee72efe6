/** Determines the URL of the documentation page of a rule. */

export function rulePageUrl(id: string): string {
  return `https://github.com/selector-lens/selector-lens/blob/main/docs/rules/${id}.md`;
}
