/**
 * The rules that check the manifests in Markdown pages and scripts: only those on the grammar of labels, selectors and
 * names, because a page shows excerpts, and consecutive steps.
 */
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
