/** The rules that check the manifests in Markdown pages and scripts: only rules for the syntax of labels, selectors and names, because a page contains excerpts and consecutive steps. */
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
