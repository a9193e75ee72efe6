/** Formats names that depend on expressions of templates. */

import type { Written } from './model.ts';

const maximumExpression = 40;

/** Shown instead of an expression that is longer than in the chart. */
export const unshown = '{{ … }}';

/** Returns the name with the defaults of the chart if they determine it; otherwise its text, with shortened expressions. */
export function shownName({ text, value }: Pick<Written, 'text' | 'value'>): string {
  if (typeof value === 'string') return text;
  // A name that lacks a part with the defaults, such as `web-`, is no name of an object.
  if (typeof value.assumed === 'string' && /^\w(?:.*\w)?$/.test(value.assumed)) return value.assumed;
  const source = shownText(text);
  return source.length > maximumExpression && source.includes('{{') ? `${source.slice(0, maximumExpression)}…` : source;
}

/** Returns a text with its expressions as a chart contains them, without what only distinguishes evaluated expressions. */
export function shownText(text: string): string {
  if (!text.includes('{{')) return text;
  // The path of a template and the hash of a long argument distinguish expressions from equal expressions elsewhere.
  const source = text.replace(/\.Template\("[^"]*"\)/g, '.Template').replace(/(?<= )text#\w+/g, '.');
  return withoutLimits(source);
}

/** A function that only limits the length of its argument, which is in parentheses. */
const limit = /^(?:trunc \d+|trimSuffix "-") \((.*)\)$/;
/** Text with evaluated parts, such as `"( .Release.Name )-web"`, perhaps in parentheses. */
const joined = /^(?:"([^"]*)"|\("([^"]*)"\))$/;

/** Returns `{{ .Release.Name }}-web` for an expression that only limits the length of such a text. */
function withoutLimits(text: string): string {
  return text.replace(/\{\{ ([^{}]*) \}\}/g, (whole, expression: string) => {
    // The two texts of a condition, and the content of a map, are longer than the expression in the chart.
    if (/^\(/.test(expression) && expression.includes('): ') && expression.includes(' else: ')) return unshown;
    if (/\(dict | #\w/.test(expression)) return unshown;
    let inner = expression;
    for (let next = limit.exec(inner)?.[1]; next !== undefined; next = limit.exec(inner)?.[1]) inner = next;
    const [, bare, enclosed = bare] = joined.exec(inner) ?? [];
    return enclosed === undefined ? whole : enclosed.replace(/\(( [^()]* )\)/g, '{{$1}}');
  });
}
