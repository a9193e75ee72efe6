/** Chooses one fix for each finding, so that many fixes can be applied at once. */

import type { Finding, Fix } from '../../rules/framework/rule.ts';
import { SeparateSpans } from '../../text/span.ts';

/** Returns the fix of a finding for commands that apply many fixes: the safe fix or, if there is none and `unsafe` is set, the preferred fix, which may change what a selector matches. Fixes that edit other files are not considered. */
export function chosenFix(finding: Finding, unsafe: boolean): Fix | undefined {
  const own = finding.fixes().filter(({ elsewhere }) => elsewhere === undefined);
  return own.find(({ safe }) => safe === true) ?? (unsafe ? own.find(({ preferred }) => preferred) : undefined);
}

/** Returns the chosen fixes of the findings in one file; if two fixes edit the same text, only the first is included. */
export function separateFixes(findings: readonly Finding[], unsafe: boolean): readonly Fix[] {
  const edited = new SeparateSpans();
  return findings.flatMap((finding) => {
    const fix = chosenFix(finding, unsafe);
    if (fix === undefined || fix.edits.some(({ span }) => edited.meet(span))) return [];
    for (const { span } of fix.edits) edited.add(span);
    return [fix];
  });
}
