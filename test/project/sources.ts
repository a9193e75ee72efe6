/** Which source files are there, and what in them is comment, text, regular expression or code? */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Source {
  /** From the root of the repository, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** Every TypeScript file below some folders, those that a program wrote left out. */
export function sourcesIn(...folders: readonly string[]): readonly Source[] {
  const found = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.generated.ts'))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .filter((path) => !path.includes('node_modules/')),
  );
  assert.ok(found.length > 0, `there are no sources in ${folders.join(', ')}`);
  return found.sort().map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

export interface Import {
  /** As it is written: `../text/span.ts`, `node:fs`. */
  readonly from: string;
  readonly typeOnly: boolean;
}

/** What a file imports or exports from elsewhere, at its top or at run time. */
export function importsOf({ text }: Source): readonly Import[] {
  const code = partsOf(text)
    .map((part) => (part.kind === 'comment' || part.kind === 'template' ? ' ' : part.text))
    .join('');
  const statements = code.matchAll(/^(?:import|export)\s(type\s)?[^;'"]*?\bfrom '([^']+)'/gm);
  const bare = code.matchAll(/^import '([^']+)'/gm);
  const atRunTime = code.matchAll(/\b(?:import|require)\(\s*'([^']+)'/g);
  return [
    ...[...statements].map((match) => ({ from: match[2] ?? '', typeOnly: match[1] !== undefined })),
    ...[...bare, ...atRunTime].map((match) => ({ from: match[1] ?? '', typeOnly: false })),
  ];
}

/** The code of a file without comments, texts and regular expressions. */
export function bareCode({ text }: Source): string {
  return partsOf(text)
    .map((part) => (part.kind === 'code' ? part.text : ' '.repeat(part.text.length)))
    .join('');
}

export function regularExpressionsOf({ text }: Source): readonly string[] {
  return partsOf(text).flatMap((part) => (part.kind === 'regex' ? [part.text] : []));
}

export interface Part {
  readonly kind: 'code' | 'comment' | 'string' | 'template' | 'regex';
  readonly text: string;
}

const starts = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`|\/|[{}]/y;
const regex = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
/** What may stand before a regular expression, and not before a division. */
const beforeRegex = /(?:^|[=(,:[!&|?;{}>+~\n]|\breturn|\btypeof)\s*$/;

/** Cuts a file into parts whose texts together are the file. Enough for code that a formatter has laid out. */
export function partsOf(text: string): readonly Part[] {
  const parts: Part[] = [];
  let code = 0;
  /** For each template that is open, how many braces are open in its `${`. */
  const templates: number[] = [];
  const add = (kind: Part['kind'], start: number, end: number) => {
    if (start > code) parts.push({ kind: 'code', text: text.slice(code, start) });
    parts.push({ kind, text: text.slice(start, end) });
    code = end;
    return end;
  };
  let at = 0;
  while (at < text.length) {
    starts.lastIndex = at;
    const found = starts.exec(text)?.[0];
    if (found === undefined) at++;
    else if (found.startsWith('//') || found.startsWith('/*')) at = add('comment', at, at + found.length);
    else if (found === '/') {
      regex.lastIndex = at;
      const literal = beforeRegex.test(text.slice(Math.max(0, at - 40), at)) ? regex.exec(text)?.[0] : undefined;
      at = literal === undefined ? at + 1 : add('regex', at, at + literal.length);
    } else if (found === '`') at = add('template', at, endOfTemplate(text, at + 1, templates));
    else if (found === '{' || found === '}') {
      const open = templates.length - 1;
      if (found === '}' && templates[open] === 0) {
        templates.pop();
        at = add('template', at, endOfTemplate(text, at + 1, templates));
      } else {
        if (open >= 0) templates[open] = (templates[open] ?? 0) + (found === '{' ? 1 : -1);
        at++;
      }
    } else at = add('string', at, at + found.length);
  }
  if (code < text.length) parts.push({ kind: 'code', text: text.slice(code) });
  return parts;
}

/** The offset after a template, or after the `${` in it where code begins. */
function endOfTemplate(text: string, start: number, templates: number[]): number {
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '`') return at + 1;
    else if (text[at] === '$' && text[at + 1] === '{') {
      templates.push(0);
      return at + 2;
    }
  }
  return text.length;
}
