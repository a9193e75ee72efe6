/** Reports label values that look like a sentence, a URL, a time, a hash, an address, a list or encoded data. */

import { localize } from '../../text/localize.ts';
import { isRequired, moveToAnnotations } from '../fixes/move-label.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { hasParts, labelsInParts } from '../helpers/labels-in-parts.ts';
import { shorten } from '../helpers/sentences.ts';
import { isLabelSite, type LabelMapEntry, labelMapEntries, labelsInCommands } from '../helpers/validated-labels.ts';

interface Structured extends Fact {
  readonly place: LabelMapEntry;
  readonly looksLike: string;
  /** Whether the label is in an object, in contrast to a patch, a helper or a command. */
  readonly isInObject: boolean;
}

export const labelTooStructured = rule<Structured>({
  id: 'label-too-structured',
  severity: 'information',
  summary: 'A label value that looks like a sentence, a URL, a time, a hash, an address, a list, or encoded data.',
  why: 'Labels identify objects, so that selectors can match them, and their values have at most 63 characters. Text for people and data for tools belong in annotations, which need no encoding. A UUID, a number, a name with dots or a short list of words may identify an object, so they are not reported, except numbers and hexadecimal digits under a key such as `since`, `phone` or `checksum`.',
  bad: [
    {
      title: 'A sentence with dashes instead of spaces.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  labels:
    purpose: the-prices-that-are-shown-in-the-shop
`,
    },
    {
      title: 'A URL with its colon and slashes replaced.',
      change: ['purpose: the-prices-that-are-shown-in-the-shop', 'source: https---git.example.com-shop'],
    },
  ],
  good: [
    {
      title: 'A value that is a long name.',
      change: [
        'purpose: the-prices-that-are-shown-in-the-shop',
        `app.kubernetes.io/name: prometheus-kube-state-metrics-for-europe-west
    owner: blue`,
      ],
    },
  ],
  dependsOnOthers: hasParts,
  *check(context) {
    const { manifest, catalogue } = context;
    const others = new Set([...labelsInParts(context), ...labelsInCommands(manifest)]);
    for (const place of [...labelMapEntries(manifest), ...others]) {
      const { key, value, conditional } = place.entry;
      if (conditional || typeof key.value !== 'string' || typeof value.value !== 'string') continue;
      // Well-known labels, and labels that a selector of the same object requires, cannot be moved to annotations.
      if (!isLabelSite(place.site) || catalogue.key(key.text, 'label') !== undefined) continue;
      if (isRequired(place.object, key.text)) continue;
      const looksLike = disguised(value.value) ?? disguisedAs(key.value, value.value);
      if (looksLike !== undefined) yield { span: value.span, place, looksLike, isInObject: !others.has(place) };
    }
  },
  message: ({ place, looksLike }) =>
    localize`Label value '${shorten(place.entry.value.text)}' looks like ${looksLike}; use an annotation for it.`,
  fixes: ({ place, isInObject }, context) =>
    isInObject ? moveToAnnotations(place, context).map((fix) => ({ ...fix, preferred: true })) : [],
});

/** Returns the kind of data that a valid value seems to contain; a different rule reports invalid values. */
function disguised(value: string): string | undefined {
  if (!/^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/.test(value)) return undefined;
  if (/^(?:https?|ssh|ftp|git|s3|gs|file)[-_.]{3}[A-Za-z0-9]/.test(value)) return 'a URL';
  if (/^https?[-_.][a-z0-9-]{1,40}(?:\.[a-z0-9-]{1,30}){0,5}\.(?:com|org|net|io|dev)(?:[-_.]|$)/.test(value))
    return 'a URL';
  if (/^eyJ[A-Za-z0-9_-]{13,}$/.test(value)) return localize`encoded JSON`;
  if (
    /^(?:\d{4}-(?:0[1-9]|1[0-2])-[0-3]\d[T_.-]|\d{4}(?:0[1-9]|1[0-2])[0-3]\dT)[0-2]\d[-_.]?[0-5]\d[-_.]?[0-5]\d(?:[-_.]\d+)?Z?$/.test(
      value,
    )
  )
    return localize`a time`;
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value) && /[a-f]/.test(value) && /\d/.test(value)) return localize`a hash`;
  if (
    /^[A-Za-z0-9]{2,20}(?:[._-][A-Za-z0-9]{2,20})?(?:_at_|-at-|\.at\.)[a-z0-9-]{2,30}[._-](?:com|org|net|io|dev)$/.test(
      value,
    )
  )
    return localize`an e-mail address`;
  if (/^00\d{1,3}[-_.]\d{2,5}[-_.]\d{4,10}$/.test(value)) return localize`a phone number`;
  if (/^(?:\d{1,3}\.){3}\d{1,3}(?:[_-](?:\d{1,3}\.){3}\d{1,3})+$/.test(value)) return localize`a list`;
  if (/^[a-z0-9-]{1,20}(?:__[a-z0-9-]{1,20}){2,8}$/.test(value) || isList(value) || isMap(value))
    return localize`a list`;
  return isSentence(value) ? localize`a sentence` : undefined;
}

/** Whether a value consists of the digits of a plausible time, from the year to the seconds. */
function isTime(value: string): boolean {
  return /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])[-_.]?(?:[01]\d|2[0-3])[-_.]?[0-5]\d[-_.]?[0-5]\dZ?$/.test(
    value,
  );
}

/** Whether a value is a list of at least six short items with the same separator. Versions and addresses consist of numbers. */
function isList(value: string): boolean {
  return (
    /^[a-z][a-z0-9]{0,3}(?:_[a-z][a-z0-9]{0,3}){5,20}$/.test(value) ||
    /^[a-z][a-z0-9]{0,3}(?:\.[a-z][a-z0-9]{0,3}){5,20}$/.test(value)
  );
}

/** Whether a value consists of several pairs of a word and a value, such as `cpu-2_mem-4_zone-a_disk-1`, `tier.web_zone.a_disk.ssd` or `cpu_4.mem_8.zone_a`. */
function isMap(value: string): boolean {
  const isPairs = (between: string, inside: string, least: number) => {
    const pairs = value.split(between);
    const isPair = (pair: string) => pair.split(inside).length === 2 && /^[a-z][a-z0-9]*[._-][A-Za-z0-9]+$/.test(pair);
    return pairs.length >= least && pairs.every(isPair);
  };
  return isPairs('_', '.', 3) || isPairs('_', '-', 4) || isPairs('.', '_', 3);
}

/** Returns the kind of data that a value seems to contain according to the name of its key: a time in digits, a phone number, a time in seconds or milliseconds, or an MD5 hash. */
function disguisedAs(key: string, value: string): string | undefined {
  const words = key.slice(key.indexOf('/') + 1).split(/[-_.]|(?<=[a-z])(?=[A-Z])/);
  const isCalled = (names: RegExp) => words.some((word) => names.test(word));
  // Versions and builds are often numbered by their time.
  if (isTime(value) && !isCalled(/^(?:version|build|release|revision|rev|tag|generation|migration|id|run|snapshot)$/i))
    return localize`a time`;
  if (/^1[0-9]{9}(?:\d{3})?$/.test(value) && isCalled(/^(?:time|timestamp|epoch|date|at|since|until|expires|ttl)$/i))
    return localize`a time`;
  if (/^\d[\d._-]{5,20}\d$/.test(value) && isCalled(/^(?:phone|tel|telephone|mobile|fax|oncall|hotline)$/i))
    return localize`a phone number`;
  if (/^[0-9a-f]{32}$/.test(value) && isCalled(/^(?:md5|hash|digest|checksum)$/i)) return localize`a hash`;
  return undefined;
}

/** Words that occur in sentences but not in names. */
const smallWords: ReadonlySet<string> = new Set(
  'a an and are be by for from has have in is it of on or our that the their this to was we which with you'.split(' '),
);

function isSentence(value: string): boolean {
  const words = value.toLowerCase().split(/[-_.]+/);
  if (words.length >= 6 && words[0] === 'the') return true;
  return words.length >= 7 && words.filter((word) => smallWords.has(word)).length >= 3;
}
