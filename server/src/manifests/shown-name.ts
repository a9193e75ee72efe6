/** Formats names that depend on expressions of templates. */

import type { Written } from './model.ts';

const maximumExpression = 40;

/** Returns the name with the defaults of the chart if they determine it; otherwise its text, with shortened expressions. */
export function shownName({ text, value }: Pick<Written, 'text' | 'value'>): string {
  if (typeof value === 'string') return text;
  if (typeof value.assumed === 'string') return value.assumed;
  // The path of a template distinguishes its expressions from equal expressions of other templates.
  const source = text.replace(/\.Template\("[^"]*"\)/g, '.Template');
  return source.length > maximumExpression && source.includes('{{') ? `${source.slice(0, maximumExpression)}…` : source;
}
