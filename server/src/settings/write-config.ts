/** Edits `.selector-lens.yaml` to disable a rule for a file. The rest of the text is unchanged. */

import { scalarText } from '../manifests/write/write-text.ts';
import { splitDocuments } from '../manifests/yaml/documents.ts';
import { parseYaml } from '../manifests/yaml/parse-yaml.ts';
import { entryOf } from '../manifests/yaml/tree.ts';
import type { Edit } from '../text/edit.ts';
import { lineEnd } from '../text/lines.ts';

/** Returns the edit that adds an item to `ignore`; `path` is relative to the folder of the file. Returns undefined if `ignore`, or the file, has a structure to which nothing can be added. */
export function addIgnored(source: string, rule: string, path: string): Edit | undefined {
  const end = lineEnd(source);
  const first = splitDocuments(source)[0];
  const blanked = { text: source, blanks: [], placeholders: [], conditionals: [] };
  const read = first && parseYaml(source, blanked, first);
  const item = `{ rule: ${rule}, files: [${scalarText(asGlob(path), 'double')}] }`;
  if (read?.root === undefined) {
    const isBlank = read === undefined || read.errors.length === 0;
    return isBlank ? atEnd(source, `ignore:${end}  - ${item}${end}`) : undefined;
  }
  if (read.errors.length > 0 || read.root.kind !== 'map' || read.root.flow) return undefined;
  const ignore = entryOf(read.root, 'ignore');
  if (ignore === undefined) return atEnd(source, `ignore:${end}  - ${item}${end}`);
  const { key, value } = ignore;
  if (value.kind === 'scalar' && value.type === 'null') {
    const after = source.indexOf(':', key.span.end) + 1;
    return { span: { start: after, end: after }, text: `${end}  - ${item}` };
  }
  const [head] = value.kind === 'list' ? value.items : [];
  if (value.kind !== 'list') return undefined;
  if (value.flow) {
    const after = value.span.start + 1;
    return { span: { start: after, end: after }, text: head === undefined ? item : `${item}, ` };
  }
  const dash = source.lastIndexOf('-', head?.span.start ?? value.span.start);
  const line = source.lastIndexOf('\n', dash - 1) + 1;
  const indent = source.slice(line, dash);
  if (indent.trim() !== '') return undefined;
  return { span: { start: line, end: line }, text: `${indent}- ${item}${end}` };
}

/** Replaces characters with a meaning in globs by `?`, which matches any character. */
function asGlob(path: string): string {
  return path.replace(/[*?{}]/g, '?');
}

function atEnd(source: string, text: string): Edit {
  const at = source.length;
  const isAtLineStart = at === 0 || source.endsWith('\n');
  return { span: { start: at, end: at }, text: isAtLineStart ? text : `${lineEnd(source)}${text}` };
}
