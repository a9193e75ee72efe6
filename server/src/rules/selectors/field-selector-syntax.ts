/** Reports field selectors that Kubernetes cannot parse. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import type { Problem } from '../../engine/index.ts';
import type { Written } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import { fixText, type Repair, repairFieldSelector } from '../fixes/fix-selector-text.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { describeProblems } from '../helpers/sentences.ts';
import { spanInText } from '../helpers/text-span.ts';

interface InvalidFieldSelector extends Fact {
  readonly text: Written;
  readonly problem: Problem;
  readonly repair?: Repair;
}

export const fieldSelectorSyntax = rule<InvalidFieldSelector>({
  id: 'field-selector-syntax',
  severity: 'error',
  needs: 'selectors',
  summary: 'A field selector that Kubernetes cannot parse.',
  why: 'Field selectors support `=`, `==` and `!=` with a value, separated by commas, but no lists and no keys without a value. The API server rejects every other field selector, so the client gets an error instead of objects.',
  bad: [
    {
      title: 'A field without a value.',
      text: scrapeConfigWith('status.phase'),
    },
    {
      title: 'A list, which only label selectors support.',
      text: scrapeConfigWith('status.phase in (Running)'),
    },
  ],
  good: [
    {
      title: 'Two requirements.',
      text: scrapeConfigWith('status.phase=Running,spec.nodeName!=node-1'),
    },
  ],
  *check(context) {
    for (const object of [...context.stored, ...(context.manifest.inline ?? [])]) {
      for (const { fact, text, fieldSelector, open } of object.selectorSites) {
        if (!fact.plain || text === undefined || open || fieldSelector === undefined || fieldSelector.ok) continue;
        for (const problem of fieldSelector.problems) {
          const { start = 0, end = text.text.length } = problem;
          const severity = isBuiltIn(object.group) ? {} : { severity: 'warning' as const };
          const repair = repairFieldSelector(text.text);
          yield { span: spanInText(text, { start, end }), text, problem, ...(repair && { repair }), ...severity };
          if (repair !== undefined) break;
        }
      }
    }
  },
  message: ({ problem, repair }) => (repair === undefined ? describeProblems([problem]) : `${repair.why}.`),
  fixes({ text, problem, repair }, context) {
    if (repair !== undefined) return fixText(context.text, text, repair);
    const { code, start, end } = problem;
    if (code !== 'escape-syntax' || start === undefined || end === undefined) return [];
    const span = spanInText(text, { start, end });
    // Only plain scalars are edited: a backslash is escaped in double quotes, and text that differs from the file has
    // no exact position.
    if (text.style !== 'plain' || text.letters !== undefined || span.end - span.start !== 1) return [];
    const escaped = `\\${text.text.slice(start, end)}`;
    return [{ title: localize`Write '${escaped}'`, edits: [{ span, text: escaped }], preferred: true }];
  },
});

function scrapeConfigWith(selector: string): string {
  return `apiVersion: monitoring.coreos.com/v1alpha1
kind: ScrapeConfig
metadata:
  name: basket
spec:
  kubernetesSDConfigs:
    - role: Pod
      selectors:
        - role: Pod
          field: ${selector}
`;
}
