/** Finds the values that the templates of a chart may read. */

/** An action, which may contain a brace pair. */
const action = /\{\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}\}/g;
/** `.Values.web.port`, also below another name: `$.Values`, `.context.Values`. */
const read = /\bValues\b((?:\.\w{1,200}){0,20})/g;
/** Functions that render texts of values or of other files, which may read any value. */
const indirect = /\btpl\b|\.Files\b/;

/** The maximum number of paths in a template: with more, it may read any value. */
const maximumPaths = 1_000;

/** The path that represents all values. */
export const allValues = '';

/**
 * Returns the paths of the values that a template may read, such as `web.port`; every value below them may be read, too.
 * A template that may read any value has only the path `allValues`. Undefined for a text that reads none.
 */
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
