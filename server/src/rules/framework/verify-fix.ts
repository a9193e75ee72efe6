/** Verifies fixes before they are offered. All fixes of all rules are verified here. */

import { hostOf } from '../../manifests/inline/host-language.ts';
import { readInline } from '../../manifests/inline/inline.ts';
import { manifestsIn } from '../../manifests/inline/pages.ts';
import { applyEdits, type Edit } from '../../text/edit.ts';
import type { Workspace } from '../../workspace/model.ts';
import { fileNameOf } from '../../workspace/uri.ts';
import { changesOnlyEdited, editedLength } from './edited-data.ts';
import type { Finding, Fix, RuleContext } from './rule.ts';

/** The maximum number of UTF-16 code units that are parsed to verify the fixes of one file, and in other files to verify the fixes of all files. Further fixes are not offered, because a large document may have thousands of findings, and is parsed for each of their fixes. */
const maximumVerified = 4_000_000;
/** The maximum number of UTF-16 code units in a document for whose faults fixes are offered; parsing a larger one several times needs much memory. */
const largestVerified = 500_000;

/** The number of verified code units by the context of a file, and by the workspace for the edits of other files. */
const verified = new WeakMap<RuleContext | Workspace, number>();

/** Whether further fixes may be verified; counts the text that is about to be parsed. */
function isWithinLimit(by: RuleContext | Workspace, length: number): boolean {
  const sum = (verified.get(by) ?? 0) + length;
  verified.set(by, sum);
  return sum <= maximumVerified && length <= largestVerified;
}

/** Whether a fix changes only the keys and values at which it edits the text, in each file that it edits. The text of a closed file may be unknown: before the fix is offered, the file must be read. */
export function isVerified({ edits, elsewhere }: Fix, { span }: Finding, context: RuleContext): boolean {
  const others = [...(elsewhere ?? [])].every(([uri, each]) => {
    const text = context.textOf(uri);
    if (text === undefined || each.length === 0) return true;
    return isWithinLimit(context.workspace, editedLength(text, each)) && changesOnlyEdited(text, each);
  });
  if (!others || edits.length === 0) return others;
  const { text, page, uri } = context;
  if (!isWithinLimit(context, editedLength(text, edits))) return false;
  if (page !== undefined) return keepsPage(page, context, edits) && changesOnlyEdited(text, edits, span);
  const host = hostOf(fileNameOf(uri), text);
  if (host !== undefined && host !== 'yaml') return keepsCommands(context, edits);
  return changesOnlyEdited(text, edits, span);
}

/** Whether the page has the same manifests after the edits, which then change only these manifests. */
function keepsPage(
  { text, host }: NonNullable<RuleContext['page']>,
  { text: manifests }: RuleContext,
  edits: readonly Edit[],
): boolean {
  return manifestsIn(applyEdits(text, edits), host)?.text === applyEdits(manifests, edits);
}

/** Characters that a shell interprets: in quotes, and in words without quotes. */
const special = { quoted: /["'`$\\\r\n]/, unquoted: /["'`$\\\s;&|<>()!*?#~]/ };

/** Whether edits in a script or a page keep its commands: the inserted texts contain no special characters unless they replace such characters, and the text contains at least the selectors and other arguments that it contained before. */
function keepsCommands({ text, uri, catalogue }: RuleContext, edits: readonly Edit[]): boolean {
  const host = hostOf(fileNameOf(uri), text);
  if (host === undefined) return false;
  const arePlain = edits.every(({ span, text: inserted }) => {
    const replaced = text.slice(span.start, span.end);
    const isSpecial = /["']/.test(text[span.start - 1] ?? '') ? special.quoted : special.unquoted;
    return [...inserted].every((character) => !isSpecial.test(character) || replaced.includes(character));
  });
  const [before, after] = [text, applyEdits(text, edits)].map((each) => readInline(each, host, catalogue));
  if (!arePlain || before === undefined || after === undefined) return false;
  return before.words.length === after.words.length && before.objects.length <= after.objects.length;
}
