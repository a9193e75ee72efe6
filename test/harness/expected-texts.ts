/** Rewrites the expected texts of failed assertions in the source of a test. */

import { parseSync, Visitor } from 'oxc-parser';
import { lines } from './margin.ts';

/** A failed `assert.equal` or `assert.deepEqual`. */
export interface FailedAssertion {
  /** The position of the call: line and column from 1, as in a stack trace. */
  readonly line: number;
  readonly column: number;
  readonly actual: unknown;
}

export interface Rewritten {
  readonly text: string;
  /** The number of rewritten assertions. */
  readonly count: number;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

type Call = Parameters<NonNullable<ConstructorParameters<typeof Visitor>[0]['CallExpression']>>[0];
type Argument = Call['arguments'][number];

/**
 * The source with the actual values instead of the expected ones. Only literals that are an argument of the failed call
 * itself are rewritten: strings, lists of strings, and templates without `${`, alone or in `lines()`. A call that
 * failed with several values, and computed values, are left unchanged.
 */
export function rewriteExpected(source: string, failed: readonly FailedAssertion[]): Rewritten {
  const offsets = lineStarts(source);
  const calls: Call[] = [];
  new Visitor({ CallExpression: (call) => void calls.push(call) }).visit(parseSync('a.test.ts', source).program);
  const edits = new Map<string, { readonly span: Span; readonly replacement: string } | undefined>();
  for (const { line, column, actual } of failed) {
    const offset = (offsets[line - 1] ?? 0) + column - 1;
    const call = calls.find(({ callee }) => callee.start <= offset && offset < callee.end && isAssertion(callee));
    const expected = call?.arguments[1];
    const replacement = expected && written(expected, actual, indentationOf(source, expected));
    if (expected === undefined || replacement === undefined) continue;
    const key = `${expected.start}`;
    const same = !edits.has(key) || edits.get(key)?.replacement === replacement;
    edits.set(key, same ? { span: expected, replacement } : undefined);
  }
  const sorted = [...edits.values()].filter((edit) => edit !== undefined).sort((a, b) => b.span.start - a.span.start);
  const text = sorted.reduce(
    (before, { span, replacement }) => before.slice(0, span.start) + replacement + before.slice(span.end),
    source,
  );
  return { text, count: sorted.length };
}

function isAssertion(callee: Call['callee']): boolean {
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier' || callee.object.name !== 'assert')
    return false;
  return callee.property.type === 'Identifier' && /^(?:equal|deepEqual)$/.test(callee.property.name);
}

/** The source text of a value that replaces an expected argument; undefined if its form does not allow one. */
function written(expected: Argument, actual: unknown, indentation: string): string | undefined {
  const isList = expected.type === 'ArrayExpression' && expected.elements.every((each) => each && isText(each));
  if (isList && Array.isArray(actual) && actual.every((each) => typeof each === 'string'))
    return `[${actual.map((each) => JSON.stringify(each)).join(', ')}]`;
  if (typeof actual !== 'string') return undefined;
  if (isLines(expected)) return linesCall(actual, indentation);
  if (isText(expected)) return expected.type === 'TemplateLiteral' ? template(actual) : JSON.stringify(actual);
  return undefined;
}

function isText(node: NonNullable<Argument>): boolean {
  if (node.type === 'Literal') return typeof node.value === 'string';
  return node.type === 'TemplateLiteral' && node.expressions.length === 0;
}

function isLines(node: Argument): boolean {
  if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier' || node.callee.name !== 'lines') return false;
  const [first] = node.arguments;
  return first?.type === 'TemplateLiteral' && isText(first);
}

/** `lines()` of a template that is indented as code; undefined if its indentation would change the text. */
function linesCall(actual: string, indentation: string): string | undefined {
  const inner = actual.split('\n').map((line) => (line === '' ? '' : `${indentation}  ${line}`));
  const text = `\n${inner.join('\n')}\n${indentation}`;
  return lines(text) === actual ? `lines(${template(text)})` : undefined;
}

function template(text: string): string {
  return `\`${text.replaceAll(/[\\`]|\$\{/g, '\\$&')}\``;
}

function indentationOf(source: string, { start }: Span): string {
  const line = source.slice(source.lastIndexOf('\n', start - 1) + 1, start);
  return /^ */.exec(line)?.[0] ?? '';
}

function lineStarts(text: string): readonly number[] {
  return [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
}
