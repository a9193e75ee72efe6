/** Parses selectors that are written as one string, in the language of their field. */

import { parseCalicoSelector } from '../../engine/calico/index.ts';
import type { CalicoComparison, CalicoToken } from '../../engine/calico/types.ts';
import { parseSelectorTree, type RequirementNode, type SelectorTree, type Token } from '../../engine/index.ts';
import type { SelectorSite } from '../model.ts';

/** Parses a selector text to tokens and requirements, whose values have no quotes. */
export function textTree(
  text: string,
  { form }: Pick<SelectorSite['fact'], 'form'>,
  placeholders: SelectorSite['placeholders'] = [],
): SelectorTree {
  return form === 'calicoSelector' ? calicoTextTree(text, placeholders) : parseSelectorTree(text, placeholders);
}

function calicoTextTree(text: string, placeholders: NonNullable<SelectorSite['placeholders']>): SelectorTree {
  const { tokens, comparisons, open, problems } = parseCalicoSelector(text, { placeholders });
  return { tokens: tokens.map((token) => tokenOf(text, token)), requirements: comparisons.map(nodeOf), open, problems };

  function nodeOf({ start, end, key, operator, values, requirement }: CalicoComparison): RequirementNode {
    const written =
      operator === 'has' ? undefined : tokens.find((each) => each.role === 'operator' && each.start >= key.end);
    return {
      start,
      end,
      key: tokenOf(text, key),
      ...(written && { operator: tokenOf(text, written) }),
      values: values.map((value) => tokenOf(text, value)),
      ...(requirement && { requirement }),
    };
  }
}

const roles = {
  key: 'key',
  operator: 'operator',
  keyword: 'operator',
  logic: 'operator',
  value: 'value',
  open: 'open',
  close: 'close',
  comma: 'comma',
  unexpected: 'unexpected',
} as const satisfies Record<CalicoToken['role'], Token['role']>;

/** Returns a token; the span of a quoted string is that of its content. */
function tokenOf(text: string, { role, start, end, text: content }: CalicoToken): Token {
  const isQuoted = /["']/.test(text.charAt(start)) && content.length === end - start - 2;
  return { role: roles[role], text: content, start: isQuoted ? start + 1 : start, end: isQuoted ? end - 1 : end };
}
