/** The rules that check manifests in Markdown pages and scripts. These are only rules for the syntax of labels, selectors and names, because a page contains excerpts and consecutive steps rather than complete manifests. */
export const pageRules: ReadonlySet<string> = new Set([
  'label-key-syntax',
  'label-value-syntax',
  'label-value-type',
  'annotation-key-syntax',
  'annotation-value-type',
  'name-syntax',
  'selector-syntax',
  'selector-template-mismatch',
  'node-selector-syntax',
]);
