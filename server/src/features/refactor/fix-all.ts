/** Chooses one fix for each finding, to apply many at once. */

import type { Finding, Fix } from '../../rules/framework/rule.ts';
import { SeparateSpans } from '../../text/span.ts';

/**
 * Returns the fix of a finding for a command that applies many: the safe one; if `unsafe`, otherwise the preferred one,
 * which may change what a selector matches. Undefined if there is none, or if it edits other files.
 */
export function chosenFix(finding: Finding, unsafe: boolean): Fix | undefined {
  const own = finding.fixes().filter(({ elsewhere }) => elsewhere === undefined);
  return own.find(({ safe }) => safe === true) ?? (unsafe ? own.find(({ preferred }) => preferred) : undefined);
}

/** Returns the chosen fixes of the findings in one file; of two that touch each other, the first. */
export function separateFixes(findings: readonly Finding[], unsafe: boolean): readonly Fix[] {
  const edited = new SeparateSpans();
  return findings.flatMap((finding) => {
    const fix = chosenFix(finding, unsafe);
    if (fix === undefined || fix.edits.some(({ span }) => edited.meet(span))) return [];
    for (const { span } of fix.edits) edited.add(span);
    return [fix];
  });
}
