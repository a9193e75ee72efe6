/** Finds the values of a chart that its templates may read. */

/** An action, which may contain a brace pair. */
const action = /\{\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}\}/g;
/** Matches a reference to a value, such as `.Values.web.port`, including references through another name: `$.Values`, `.context.Values`. */
const read = /\bValues\b((?:\.\w{1,200}){0,20})/g;
/** Matches `tpl` and `.Files`, which render text of values or of other files, so that a template with them may read any value. */
const indirect = /\btpl\b|\.Files\b/;

/** The maximum number of value paths in a template; a template with more is assumed to read any value. */
const maximumPaths = 1_000;

/** The path that represents all values of the chart. */
export const allValues = '';

/** Returns the paths of the values that a template may read, such as `web.port`; the template may also read every value below them. The only path is `allValues` if the template may read any value. Undefined for a text that reads no values. */
export function valuesRead(text: string): readonly string[] | undefined {
  if (!text.includes('Values') && !indirect.test(text)) return undefined;
  const paths = new Set<string>();
  for (const [code] of text.matchAll(action)) {
    if (indirect.test(code)) return [allValues];
    for (const [, path = ''] of code.matchAll(read)) paths.add(path.slice(1));
    if (paths.has(allValues) || paths.size > maximumPaths) return [allValues];
  }
  return paths.size === 0 ? undefined : [...paths].toSorted();
}
