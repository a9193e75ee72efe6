/** Semantic tokens for the parts of a selector in a command: key, prefix, operator and value. */

import { parseFieldTree } from '../../engine/field-selector.ts';
import type { Placeholder, TokenRole } from '../../engine/index.ts';
import type { LabelEntry, ManifestObject, SelectorSite, Written } from '../../manifests/model.ts';
import { textTree } from '../../manifests/sites/text-requirements.ts';
import { spanInText } from '../../rules/helpers/text-span.ts';
import type { Span } from '../../text/span.ts';
import type { FileView } from '../view.ts';
import type { TokenType } from './token-types.ts';

export interface SemanticToken {
  readonly type: TokenType;
  readonly span: Span;
}

/** Returns the tokens of all selectors and labels in commands and scratch documents, sorted and without overlaps. */
export function semanticTokens({ file, text }: FileView, within?: Span): readonly SemanticToken[] {
  const objects = (file.manifest.inline ?? []).filter(
    ({ span }) => within === undefined || (span.end >= within.start && span.start <= within.end),
  );
  const tokens = objects.flatMap(tokensOf).toSorted((a, b) => a.span.start - b.span.start);
  let last = 0;
  return tokens.filter(({ span }) => {
    // A token must not span several lines.
    if (span.start < last || span.end <= span.start || text.slice(span.start, span.end).includes('\n')) return false;
    last = span.end;
    return true;
  });
}

function tokensOf({ selectorSites, labelSites }: ManifestObject): readonly SemanticToken[] {
  return [
    ...selectorSites.flatMap(tokensOfSite),
    ...labelSites.flatMap(({ entries }) => entries.flatMap(tokensOfEntry)),
  ];
}

function tokensOfSite({ text, fact, placeholders = [] }: SelectorSite): readonly SemanticToken[] {
  if (text === undefined) return [];
  return fact.form === 'fieldSelectorString'
    ? tokensOfFields(text, placeholders)
    : tokensOfLabels(text, fact, placeholders);
}

interface Piece extends Span {
  readonly type: SemanticToken['type'];
}

function tokensOfLabels(
  text: Written,
  fact: SelectorSite['fact'],
  placeholders: readonly Placeholder[],
): readonly SemanticToken[] {
  const { tokens } = textTree(text.text, fact, placeholders);
  let isNumber = false;
  return tokens.flatMap((token) => {
    if (token.role === 'operator') isNumber = token.text === '<' || token.text === '>';
    const type = token.role === 'value' && isNumber ? 'number' : typeOf(token.role, token.text);
    if (type === undefined) return [];
    const pieces = type === 'property' ? keyPieces(token.start, token.text) : [{ type, ...spanOf(token) }];
    return placed(text, placeholders, pieces);
  });
}

function typeOf(role: TokenRole, text: string): SemanticToken['type'] | undefined {
  switch (role) {
    case 'key':
      return 'property';
    case 'value':
      return 'string';
    case 'not':
      return 'operator';
    case 'operator':
      return /^[a-z]/i.test(text) ? 'keyword' : 'operator';
    default:
      return undefined;
  }
}

function spanOf({ start, end }: Span): Span {
  return { start, end };
}

/** Splits a key into its prefix and its name, as separate tokens. */
function keyPieces(start: number, key: string): readonly Piece[] {
  const slash = key.indexOf('/');
  const end = start + key.length;
  if (slash === -1) return [{ type: 'property', start, end }];
  return [
    { type: 'namespace', start, end: start + slash },
    { type: 'property', start: start + slash + 1, end },
  ];
}

function tokensOfFields(text: Written, placeholders: readonly Placeholder[]): readonly SemanticToken[] {
  return parseFieldTree(text.text).requirements.flatMap(({ field, operator, value }) => {
    return placed(text, placeholders, [
      { type: 'property', ...spanOf(field) },
      { type: 'operator', ...spanOf(operator) },
      { type: 'string', ...spanOf(value) },
    ]);
  });
}

/** Converts pieces to tokens with positions in the file. Shell placeholders are not highlighted. */
function placed(
  text: Written,
  placeholders: readonly Placeholder[],
  pieces: readonly Piece[],
): readonly SemanticToken[] {
  return pieces
    .filter(
      ({ start, end }) =>
        end > start && !placeholders.some((placeholder) => placeholder.start < end && placeholder.end > start),
    )
    .map(({ type, start, end }) => ({ type, span: spanInText(text, { start, end }) }));
}

function tokensOfEntry({ key, value }: LabelEntry): readonly SemanticToken[] {
  if (typeof key.value !== 'string') return [];
  const ofKey = placed(key, [], keyPieces(0, key.text));
  return typeof value.value === 'string' ? [...ofKey, { type: 'string', span: value.span }] : ofKey;
}
