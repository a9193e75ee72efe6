/** The source files of the repository: their imports, their regular expressions, and their bare code. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Comment, type Node, parseSync, Visitor } from 'oxc-parser';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Source {
  /** From the root of the repository, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** Every TypeScript file below some folders, except generated ones. */
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
  /** The specifier in the source: `../text/span.ts`, `node:fs`. */
  readonly from: string;
  readonly typeOnly: boolean;
}

interface Syntax {
  readonly imports: readonly Import[];
  readonly regularExpressions: readonly string[];
  /** The texts of comments without their marks; line comments on consecutive lines are one. */
  readonly comments: readonly string[];
  /** Comments, strings, templates and regular expressions, as spans of offsets. */
  readonly notCode: readonly (readonly [start: number, end: number])[];
}

const parsed = new Map<string, Syntax>();

/** Parses a file, once for each text. Throws if it is not TypeScript. */
function syntaxOf({ path, text }: Source): Syntax {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const { program, comments, errors } = parseSync(path, text);
  assert.deepEqual(errors, [], path);
  const imports: Import[] = [];
  const regularExpressions: string[] = [];
  const notCode = comments.map(({ start, end }) => [start, end] as const);
  const add = (source: Node | null | undefined, typeOnly: boolean) => {
    if (source?.type === 'Literal' && typeof source.value === 'string') imports.push({ from: source.value, typeOnly });
  };
  new Visitor({
    ImportDeclaration: ({ source, importKind }) => add(source, importKind === 'type'),
    ExportNamedDeclaration: ({ source, exportKind }) => add(source, exportKind === 'type'),
    ExportAllDeclaration: ({ source, exportKind }) => add(source, exportKind === 'type'),
    ImportExpression: ({ source }) => add(source, false),
    TSImportType: ({ source }) => add(source, true),
    CallExpression({ callee, arguments: [source] }) {
      if (callee.type === 'Identifier' && callee.name === 'require') add(source, false);
    },
    Literal(literal) {
      const isRegularExpression = 'regex' in literal;
      if (isRegularExpression) regularExpressions.push(text.slice(literal.start, literal.end));
      if (isRegularExpression || typeof literal.value === 'string') notCode.push([literal.start, literal.end]);
    },
    TemplateElement: ({ start, end }) => void notCode.push([start, end]),
  }).visit(program);
  const syntax = { imports, regularExpressions, comments: textsOf(comments, text), notCode };
  parsed.set(text, syntax);
  return syntax;
}

function textsOf(comments: readonly Comment[], text: string): readonly string[] {
  const texts: string[] = [];
  let lineEnd = -1;
  for (const { type, value, start, end } of comments) {
    if (type === 'Block') texts.push(value.replaceAll(/^\s*\*+ ?/gm, '').trim());
    else if (lineEnd !== -1 && /^\r?\n[ \t]*$/.test(text.slice(lineEnd, start)))
      texts.push(`${texts.pop()}\n${value.trim()}`);
    else texts.push(value.trim());
    lineEnd = type === 'Line' ? end : -1;
  }
  return texts;
}

/** The comments of a file, in order. */
export function commentsOf(source: Source): readonly string[] {
  return syntaxOf(source).comments;
}

/** The names of the exported functions of a file without a documentation comment directly above them. */
export function undocumentedFunctions({ path, text }: Source): readonly string[] {
  const { program, comments } = parseSync(path, text);
  const documented = new Set(
    comments
      .filter(({ type, value, start }) => type === 'Block' && value.startsWith('*') && start > 0)
      .map(({ end }) => end + (/^\s*/.exec(text.slice(end))?.[0].length ?? 0)),
  );
  const seen = new Set<string>();
  return program.body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration') return [];
    const { declaration, start } = statement;
    const name =
      declaration?.type === 'FunctionDeclaration' || declaration?.type === 'TSDeclareFunction'
        ? declaration.id?.name
        : undefined;
    // Of an overloaded function, the first declaration has the comment.
    if (name === undefined || seen.has(name)) return [];
    seen.add(name);
    return documented.has(start) ? [] : name;
  });
}

/** The modules that a file imports or exports from, at its top, at run time or in a type, in the order of the file. */
export function importsOf(source: Source): readonly Import[] {
  return syntaxOf(source).imports;
}

/** The code of a file: comments, strings, templates and regular expressions are blank. */
export function bareCode(source: Source): string {
  const { text } = source;
  let code = '';
  for (const [start, end] of syntaxOf(source).notCode.toSorted((a, b) => a[0] - b[0])) {
    code += text.slice(code.length, start) + ' '.repeat(end - start);
  }
  return code + text.slice(code.length);
}

/** The regular expressions of a file, as they are written: `/a+/g`. */
export function regularExpressionsOf(source: Source): readonly string[] {
  return syntaxOf(source).regularExpressions;
}

/** The literals and templates of a file that contain several words: `…` replaces a value of a template. */
export function sentencesOf({ path, text }: Source): readonly string[] {
  const sentences: string[] = [];
  new Visitor({
    Literal({ value }) {
      if (typeof value === 'string') sentences.push(value);
    },
    TemplateLiteral({ quasis }) {
      sentences.push(quasis.map(({ value }) => value.cooked ?? '').join('…'));
    },
  }).visit(parseSync(path, text).program);
  return sentences.filter((sentence) => /[A-Za-z,.:'`…] +[A-Za-z'`…]/.test(sentence));
}
