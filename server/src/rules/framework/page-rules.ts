/**
 * The rules that check the manifests in Markdown pages and scripts: those on the grammar of labels, selectors and names
 * alone, because a page shows excerpts, and steps that follow each other.
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
