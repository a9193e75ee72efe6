/** Finds selectors of Calico without quotes that begin with `!`, which YAML reads as a tag. */

import { parseCalicoSelector } from '../../engine/calico/index.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import type { Span } from '../../text/span.ts';
import type { RuleContext } from '../framework/rule.ts';

/** The maximum length of a line in which a tag is searched. */
const maximumLength = 2000;

/** Returns the span of a valid selector of Calico, of which the first word is not part of the value because it is a tag. The text of a file is read only for selectors of Calico. */
export function unquotedTag(context: Pick<RuleContext, 'text'>, { fact, keySpan }: SelectorSite): Span | undefined {
  if (fact.form !== 'calicoSelector') return undefined;
  const { text } = context;
  const [line = ''] = /^[^\r\n]*/.exec(text.slice(keySpan.end, keySpan.end + maximumLength)) ?? [];
  const [whole, before = '', written = ''] = /^([ \t]*:[ \t]+)(!(?![!<]).*)/.exec(line) ?? [];
  if (whole === undefined) return undefined;
  const comment = written.search(/[ \t]#/);
  const selector = (comment === -1 ? written : written.slice(0, comment)).trimEnd();
  const start = keySpan.end + before.length;
  const isSelector = parseCalicoSelector(selector, { global: 'never' }).problems.length === 0;
  return isSelector ? { start, end: start + selector.length } : undefined;
}
