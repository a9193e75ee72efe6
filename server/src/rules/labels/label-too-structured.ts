/** Is a label value a text that only was made to look like a label? */

import { isAskedFor, moveToAnnotations } from '../fixes/move-label.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { shorten } from '../helpers/sentences.ts';
import { isLabelSite, type LabelPlace, labelPlaces } from '../helpers/validated-labels.ts';

interface Structured extends Fact {
  readonly place: LabelPlace;
  readonly looksLike: string;
}

export const labelTooStructured = rule<Structured>({
  id: 'label-too-structured',
  severity: 'information',
  summary: 'A label value that is a sentence, a URL or encoded data in disguise.',
  why: 'A label is there to be selected by, and has room for 63 characters. Text for people and data for tools fit better into an annotation, where they may be written as they are.',
  bad: [
    {
      title: 'A sentence with dashes for blanks.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  labels:
    purpose: the-prices-that-are-shown-in-the-shop
`,
    },
    {
      title: 'A URL whose colon and slashes were replaced.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  labels:
    source: https---git.example.com-shop
`,
    },
  ],
  good: [
    {
      title: 'Long names are names.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  labels:
    app.kubernetes.io/name: prometheus-kube-state-metrics-for-europe-west
    owner: blue
`,
    },
  ],
  *check({ manifest, catalogue }) {
    for (const place of labelPlaces(manifest)) {
      const { key, value, conditional } = place.entry;
      if (conditional || typeof key.value !== 'string' || typeof value.value !== 'string') continue;
      // What others define is theirs, and what the object selects by is a label.
      if (!isLabelSite(place.site) || catalogue.key(key.text, 'label') !== undefined) continue;
      if (isAskedFor(place.object, key.text)) continue;
      const looksLike = disguised(value.value);
      if (looksLike !== undefined) yield { span: value.span, place, looksLike };
    }
  },
  say: ({ place, looksLike }) =>
    `Label value '${shorten(place.entry.value.text)}' looks like ${looksLike}: it should be an annotation.`,
  mend: ({ place }, { text }) => moveToAnnotations(place, text).map((fix) => ({ ...fix, preferred: true })),
});

/** What a valid value looks like; what is not even valid is said by another rule. */
function disguised(value: string): string | undefined {
  if (!/^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/.test(value)) return undefined;
  if (/^(?:https?|ssh|ftp|git|s3|gs|file)[-_.]{3}[A-Za-z0-9]/.test(value)) return 'a URL';
  if (/^eyJ[A-Za-z0-9_-]{13,}$/.test(value)) return 'encoded JSON';
  return isSentence(value) ? 'a sentence' : undefined;
}

/** Words that sentences have and names do not. */
const smallWords: ReadonlySet<string> = new Set(
  'a an and are be by for from has have in is it of on or our that the their this to was we which with you'.split(' '),
);

function isSentence(value: string): boolean {
  const words = value.toLowerCase().split(/[-_.]+/);
  return words.length >= 7 && words.filter((word) => smallWords.has(word)).length >= 3;
}
