/** Chooses one fix for each finding, so that many fixes can be applied at once. */

import { changesOnlyEdited } from '../../rules/framework/edited-data.ts';
import type { Finding, Fix } from '../../rules/framework/rule.ts';
import { SeparateSpans } from '../../text/span.ts';

/** Returns the fix of a finding for commands that apply many fixes: the safe fix or, if there is none and `unsafe` is set, the preferred fix, which may change what a selector matches. Fixes that edit other files are not considered. */
export function chosenFix(finding: Finding, unsafe: boolean): Fix | undefined {
  const own = finding.fixes().filter(({ elsewhere }) => elsewhere === undefined);
  return own.find(({ safe }) => safe === true) ?? (unsafe ? own.find(({ preferred }) => preferred) : undefined);
}

/** Returns the chosen fixes of the findings in one file. If two fixes edit the same text, or would give two parts the same name, only the first is included. `text` is the text of the file, if it is known. */
export function separateFixes(findings: readonly Finding[], unsafe: boolean, text = ''): readonly Fix[] {
  const edited = new SeparateSpans();
  /** The fixes by the texts that they insert. */
  const inserting = new Map<string, Fix>();
  return findings.flatMap((finding) => {
    const fix = chosenFix(finding, unsafe);
    if (fix === undefined || fix.edits.some(({ span }) => edited.meet(span))) return [];
    const alike = fix.edits.flatMap((edit) => inserting.get(edit.text) ?? []);
    if (alike.some((other) => mayRepeat(text, other, fix))) return [];
    for (const edit of fix.edits) {
      edited.add(edit.span);
      if (!inserting.has(edit.text)) inserting.set(edit.text, fix);
    }
    return [fix];
  });
}

/** Whether two fixes replace different texts with the same one, and thereby repeat a name. */
function mayRepeat(text: string, one: Fix, other: Fix): boolean {
  const [a, b] = [one, other].map(({ edits }) => edits.map(({ span }) => text.slice(span.start, span.end)).join('\n'));
  return a !== b && !changesOnlyEdited(text, [...one.edits, ...other.edits]);
}
