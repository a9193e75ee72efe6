/** Formats selectors as text. */

import type { FieldRequirement, FieldSelector, Requirement, Selector, Value } from './types.ts';

/**
 * The style of the text: as Kubernetes prints it, as the word after `-l` in a shell, or as the value of
 * `labelSelector=` in a URL.
 */
export type Style = 'canonical' | 'kubectl' | 'url';

/** Formats a label or field selector. A selector that matches everything and a selector that matches nothing both become '', because the syntax cannot distinguish them. An unknown value is shown as its known parts, with `*` for the unknown parts. Defined by `String` of `Requirement` in k8s.io/apimachinery/pkg/labels and of `Selector` in pkg/fields. */
export function format(selector: Selector | FieldSelector, style: Style): string {
  const text = canonical(selector);
  if (style === 'canonical' || text === '') return text;
  return style === 'kubectl' ? shellWord(text) : urlPart(text);
}

/** Formats a requirement as `String` of `Requirement` in k8s.io/apimachinery/pkg/labels does. */
export function formatRequirement({ key, operator, values }: Requirement): string {
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${values.map(shown).sort().join(',')})`;
    default: {
      const sign = operator === 'gt' ? '>' : operator === 'lt' ? '<' : operator;
      return `${key}${sign}${values.map(shown).join(',')}`;
    }
  }
}

function canonical(selector: Selector | FieldSelector): string {
  if (!('kind' in selector)) return selector.requirements.map(formatField).join(',');
  return selector.kind === 'all' ? selector.requirements.map(formatRequirement).join(',') : '';
}

function formatField({ field, operator, value }: FieldRequirement): string {
  return `${field}${operator}${shown(value).replace(/[\\,=]/g, '\\$&')}`;
}

function shown(value: Value): string {
  return typeof value === 'string' ? value : (value.pattern ?? '*');
}

/** Quotes a selector for a shell: in single quotes if it contains a character with a special meaning. Quotes do not protect a terminal from pasted control characters, so they are replaced by U+FFFD; no valid selector contains a control character. */
function shellWord(selector: string): string {
  const text = selector.replace(/\p{Cc}/gu, '\uFFFD');
  return /^[A-Za-z0-9_./,:@%+-][A-Za-z0-9_./,:@%+=-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Percent-encodes a string, including the characters with a special meaning in shells that `encodeURIComponent` does not encode. */
function urlPart(text: string): string {
  const wellFormed = text.replace(/\p{Surrogate}/gu, '\ufffd');
  const escaped = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  // biome-ignore lint/style/noRestrictedGlobals: no lone surrogate is left
  return encodeURIComponent(wellFormed).replace(/[!'()*]/g, escaped);
}
