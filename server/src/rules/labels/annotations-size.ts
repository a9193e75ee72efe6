/** Reports annotations of one object that are larger than 256 KiB in total. */

import { maxAnnotationsBytes, type Problem, validateAnnotations } from '../../engine/index.ts';
import type { LabelEntry, LabelSite } from '../../manifests/model.ts';
import { removeEntry } from '../../manifests/write/write-text.ts';
import { localize } from '../../text/localize.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { describeProblems } from '../helpers/sentences.ts';
import { isKnownMap, severityAt } from '../helpers/validated-labels.ts';

interface TooMuch extends Fact {
  readonly site: LabelSite;
  readonly problems: readonly Problem[];
}

/** The annotation that kubectl sets on each apply; in a file, it is left over from an export. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

export const annotationsSize = rule<TooMuch>({
  id: 'annotations-size',
  severity: 'error',
  needs: 'maps',
  summary: 'Annotations of one object that are larger than 256 KiB in total.',
  why: 'The API server rejects an object whose annotations (all keys and values) are larger than 256 KiB (262,144 bytes). Large data belongs in a ConfigMap or a volume.',
  bad: [
    {
      title: 'Exported data that exceeds the limit.',
      shown: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  annotations:
    ${lastApplied}: "... 300,000 characters ..."
`,
      get text() {
        return this.shown?.replace('... 300,000 characters ...', 'x'.repeat(300_000)) ?? '';
      },
    },
  ],
  good: [
    {
      title: 'A long annotation below the limit.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  annotations:
    shop.example.com/history: "first 9, then 10, then 11 and now 12"
`,
    },
  ],
  *check({ manifest, file, workspace }) {
    if (workspace.scopes().isPatch(file.uri)) return;
    const seen = new Set<number>();
    for (const object of manifest.objects.toReversed()) {
      if (!object.forCluster) continue;
      for (const site of object.labelSites) {
        if (site.place.holds !== 'annotations' || !isKnownMap(site) || seen.has(site.span.start)) continue;
        seen.add(site.span.start);
        const problems = sizeProblems(site);
        if (problems.length === 0) continue;
        const severity = severityAt(object, site.path);
        yield { span: site.keySpan, site, problems, ...(severity && { severity }) };
      }
    }
  },
  message: ({ problems }) => describeProblems(problems),
  fixes({ site }, { text }) {
    const entry = site.entries.find(({ key, merged }) => key.text === lastApplied && !merged);
    if (entry === undefined) return [];
    if (sizeProblems({ ...site, entries: site.entries.filter((each) => each !== entry) }).length > 0) return [];
    const removed = removeEntry(text, entry, site);
    if (removed === undefined) return [];
    return [{ title: localize`Remove '${lastApplied}'`, edits: [removed], preferred: true, safe: true }];
  },
});

/** Returns the problems with the total size of a map of annotations. Counts only entries that certainly exist. */
function sizeProblems({ entries }: LabelSite): readonly Problem[] {
  const letters = entries.reduce((sum, { key, value }) => sum + key.text.length + value.text.length, 0);
  if (letters * mostBytes <= maxAnnotationsBytes) return [];
  const certain = entries.filter(isCertain).map(({ key, value }): [string, string] => [key.text, value.text]);
  return validateAnnotations(Object.fromEntries(certain)).filter(({ code }) => code === 'annotations-too-large');
}

/** The maximum number of UTF-8 bytes for one UTF-16 code unit. */
const mostBytes = 3;

function isCertain({ key, value, conditional }: LabelEntry): boolean {
  return !conditional && typeof key.value === 'string' && typeof value.value === 'string';
}
