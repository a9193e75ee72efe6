/** Writes plain data as YAML. */

type Yaml = string | boolean | readonly Yaml[] | { readonly [key: string]: Yaml };

export type YamlMap = { readonly [key: string]: Yaml };

/** Returns the lines of a document. */
export function yamlDocument(value: YamlMap): readonly string[] {
  return mapLines(value);
}

function mapLines(map: YamlMap): readonly string[] {
  return Object.entries(map).flatMap(([key, value]) => entryLines(`${key}:`, value));
}

/** Returns the lines of a value after a key. */
function entryLines(head: string, value: Yaml): readonly string[] {
  if (typeof value === 'string' || typeof value === 'boolean') return [`${head} ${scalar(value)}`];
  if (isList(value)) return listLines(head, value);
  return Object.keys(value).length === 0 ? [`${head} {}`] : [head, ...mapLines(value).map(indented)];
}

/** Returns a list of scalars on one line, and any other list on several lines. */
function listLines(head: string, items: readonly Yaml[]): readonly string[] {
  const scalars = items.flatMap((item) =>
    typeof item === 'string' || typeof item === 'boolean' ? [scalar(item)] : [],
  );
  return scalars.length === items.length
    ? [`${head} [${scalars.join(', ')}]`]
    : [head, ...items.flatMap(itemLines).map(indented)];
}

function itemLines(item: Yaml): readonly string[] {
  if (typeof item === 'string' || typeof item === 'boolean') return [`- ${scalar(item)}`];
  const lines = isList(item) ? item.flatMap(itemLines) : mapLines(item);
  return lines.map((line, index) => (index === 0 ? `- ${line}` : indented(line)));
}

function isList(value: Yaml): value is readonly Yaml[] {
  return Array.isArray(value);
}

function indented(line: string): string {
  return `  ${line}`;
}

/** Returns a scalar. All strings except for simple names are quoted as in JSON, which YAML reads in the same way. */
function scalar(value: string | boolean): string {
  if (typeof value === 'boolean') return `${value}`;
  const isPlain = /^[A-Za-z][\w./-]*$/.test(value) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(value);
  return isPlain ? value : JSON.stringify(value);
}
