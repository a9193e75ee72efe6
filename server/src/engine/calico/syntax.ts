/** Parses selector texts of Calico and checks where `global()` is allowed. */

import type { Placeholder } from '../selector-lexer.ts';
import { unknownIn } from '../selector-syntax.ts';
import type { Value } from '../types.ts';
import { CalicoCursor } from './cursor.ts';
import { type CalicoLexeme, calicoLexemes } from './lexer.ts';
import { parseCalicoExpression } from './parser.ts';
import type { CalicoNode, CalicoParseOptions, CalicoProblem, CalicoToken, CalicoTree } from './types.ts';

/** The CustomResourceDefinitions of Calico limit a selector to this number of characters. */
const maxCalicoSelector = 1024;

/** Parses a selector in Calico's language, in linear time. Blank text is `all()`. There are no problems exactly if Calico accepts the text in the given place; a text with placeholders outside of strings is unknown, and has no problems. Defined by `libcalico-go/lib/selector` of Calico. */
export function parseCalicoSelector(text: string, options: CalicoParseOptions = {}): CalicoTree {
  const { placeholders = [], global = 'anywhere' } = options;
  const tooLong = lengthProblem(text);
  if (tooLong) return { text, tokens: [], comparisons: [], open: placeholders.length > 0, problems: [tooLong] };
  const lexemes = calicoLexemes(text, placeholders);
  if (!placeholders.every((placeholder) => isInString(placeholder, lexemes))) {
    return { text, tokens: [], comparisons: [], open: true, problems: [] };
  }
  const cursor = new CalicoCursor(text, lexemes, (token) => toValue(token, placeholders));
  const root = parseCalicoExpression(cursor);
  const { tokens, comparisons, problems } = cursor;
  if (root && global !== 'anywhere') problems.push(...globalProblems(root, global));
  const tree = { text, tokens, comparisons, open: false, problems };
  return root && problems.length === 0 ? { ...tree, root } : tree;
}

function lengthProblem(text: string): CalicoProblem | undefined {
  if (text.length <= maxCalicoSelector) return undefined;
  if (text.length <= 2 * maxCalicoSelector && [...text].length <= maxCalicoSelector) return undefined;
  const message = `selector must be no more than ${maxCalicoSelector} characters`;
  return { code: 'selector-too-long', message, start: 0, end: text.length };
}

function isInString({ start, end }: Placeholder, lexemes: readonly CalicoLexeme[]): boolean {
  return lexemes.some((lexeme) => lexeme.symbol === 'string' && lexeme.start < start && end < lexeme.end);
}

function toValue(token: CalicoToken, placeholders: readonly Placeholder[]): Value {
  if (placeholders.length === 0) return token.text;
  return unknownIn({ text: token.text, start: token.start + 1, end: token.end - 1 }, placeholders) ?? token.text;
}

function globalProblems(root: CalicoNode, place: 'alone' | 'never'): readonly CalicoProblem[] {
  if (place === 'alone' && root.kind === 'global') return [];
  const found: CalicoProblem[] = [];
  visit(root, (node) => {
    if (node.kind !== 'global') return;
    const message =
      place === 'alone'
        ? "'global()' must be the whole selector"
        : "'global()' is allowed only in the `namespaceSelector` of a rule";
    found.push({ code: 'global-not-allowed', message, start: node.start, end: node.end });
  });
  return found;
}

function visit(node: CalicoNode, visitor: (node: CalicoNode) => void): void {
  visitor(node);
  if (node.kind === 'not') visit(node.operand, visitor);
  else if (node.kind === 'and' || node.kind === 'or') for (const operand of node.operands) visit(operand, visitor);
}
