/** Finds the code in a Markdown document, and the language of each part. */

import { lineEndAt } from '../../text/lines.ts';
import type { Span } from '../../text/span.ts';
import type { Host } from './host-language.ts';

export interface CodePart extends Span {
  readonly host: Host;
}

const fenceLanguages: Readonly<Record<string, Host>> = {
  '': 'text',
  sh: 'shell',
  bash: 'shell',
  shell: 'shell',
  zsh: 'shell',
  console: 'shell',
  terminal: 'shell',
  'shell-session': 'shell',
  shellsession: 'shell',
  text: 'text',
  txt: 'text',
  yaml: 'yaml',
  yml: 'yaml',
  json: 'yaml',
  dockerfile: 'dockerfile',
  docker: 'dockerfile',
  makefile: 'makefile',
  make: 'makefile',
  azurecli: 'shell',
  fish: 'shell',
  plain: 'text',
  plaintext: 'text',
};

const fence = /^[ \t>]{0,200}(`{3,50}|~{3,50})[ \t]{0,20}\{?\.?([\w-]{0,40})/;

/** Finds fenced code blocks in supported languages, indented code blocks, and inline code. */
export function codeParts(text: string): readonly CodePart[] {
  const parts: CodePart[] = [];
  let open: { readonly mark: string; readonly start: number; readonly host: Host | undefined } | undefined;
  for (let start = 0; start < text.length; ) {
    const end = lineEndAt(text, start);
    const line = text.slice(start, Math.min(end, start + 2_000));
    const marks = line.includes('```') || line.includes('~~~') ? fenceIn(line) : null;
    const mark = marks?.[1];
    if (open === undefined && mark !== undefined) {
      const language = (marks?.[2] ?? '').toLowerCase();
      const host = Object.hasOwn(fenceLanguages, language) ? fenceLanguages[language] : undefined;
      open = { mark, start: end + 1, host };
    } else if (open !== undefined && mark?.startsWith(open.mark) && marks?.[2] === '') {
      if (open.host !== undefined) parts.push({ start: open.start, end: start, host: open.host });
      open = undefined;
    } else if (open === undefined) for (const each of inLine(line, start)) parts.push(each);
    start = end + 1;
  }
  if (open?.host !== undefined && open.start < text.length)
    parts.push({ start: open.start, end: text.length, host: open.host });
  return parts;
}

/** Returns the match of a code fence at the start of a line; null if there is none, or if the line contains backticks after the fence, because such a line is inline code. */
function fenceIn(line: string): RegExpExecArray | null {
  const found = fence.exec(line);
  return found !== null && !line.slice(found[0].length).includes('`') ? found : null;
}

/** Returns the code in a line of Markdown: the whole line if it is indented as code, or the inline code between backticks. */
function inLine(line: string, start: number): readonly CodePart[] {
  if (/^(?: {4}|\t)/.test(line) && !/^\s*(?:[-*+]|\d+\.)\s/.test(line) && !line.includes('`')) {
    return [{ start, end: start + line.length, host: 'text' }];
  }
  if (!line.includes('`')) return [];
  return [...line.matchAll(/(?<!`)(`{1,3})(?!`)([^`\n]{1,1000})\1(?!`)/g)].map((found) => {
    const at = start + found.index + (found[1]?.length ?? 0);
    return { start: at, end: at + (found[2]?.length ?? 0), host: 'text' as const };
  });
}
