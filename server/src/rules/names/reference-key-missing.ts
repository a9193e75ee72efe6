/** Reports a key that the ConfigMap or Secret of a reference does not have. */

import { memoized } from '../../engine/memoize.ts';
import type { DataKeys, ReferenceSite, Written } from '../../manifests/model.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import { localize } from '../../text/localize.ts';
import { misspelling } from '../../text/misspelling.ts';
import { SimilarNames } from '../../text/similar-names.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { mayGetKeys } from '../../workspace/references/changed-later.ts';
import type { ReferenceTarget } from '../../workspace/references/model.ts';
import { producersOf, scopesOfTarget, targetsOf } from '../../workspace/references/targets.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { namesOfSome, scopesLacking } from '../helpers/scopes-lacking.ts';
import { shorten } from '../helpers/sentences.ts';

interface Missing extends Fact {
  readonly key: Written;
  /** Whether the key is the name of a listener of a Gateway. */
  readonly isListener: boolean;
  readonly target: ReferenceTarget;
  /** The only similar key. */
  readonly closest: string | undefined;
  /** The names of the scopes in which the key is missing, if it may exist in others. */
  readonly scopes: string | undefined;
}

export const referenceKeyMissing = rule<Missing>({
  id: 'reference-key-missing',
  severity: 'warning',
  needs: 'references',
  acrossFiles: true,
  summary:
    'A key that the named ConfigMap or Secret does not have, or a listener that the named Gateway does not have.',
  why: 'A container whose environment variable reads a missing key does not start (`CreateContainerConfigError`), and a volume with a missing key is not mounted, unless the reference has `optional: true`. A route is not attached to a Gateway without the listener in `sectionName`. The rule reports nothing if the keys are unknown, that is, if the object has no data, comes from a generator that reads a file of variables, is changed by a patch, or has an annotation with which a program copies or generates its data. If overlays differ, the message names the overlays in which the key is missing.',
  bad: [
    {
      title: 'A misspelled key.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
data:
  currency: EUR
---
apiVersion: v1
kind: Pod
metadata:
  name: basket
spec:
  containers:
    - name: basket
      env:
        - name: CURRENCY
          valueFrom: {configMapKeyRef: {name: prices, key: curency}}
`,
    },
  ],
  good: [
    {
      title: 'A key that may be absent.',
      text: `apiVersion: v1
kind: Pod
metadata:
  name: basket
spec:
  containers:
    - name: basket
      env:
        - name: CURRENCY
          valueFrom: {configMapKeyRef: {name: prices, key: curency, optional: true}}
`,
      beside: { 'prices.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: prices}\ndata: {currency: EUR}\n' },
    },
  ],
  *check(context) {
    const { file } = context;
    for (const object of context.stored) {
      for (const site of object.references ?? []) {
        if (site.keys === undefined || site.optional || site.fact.guessed || typeof site.name.value !== 'string')
          continue;
        yield* missingIn(context, { file, object }, site, site.keys);
      }
    }
  },
  message({ key, isListener, target: { kind, name }, closest, scopes }) {
    const missing = isListener
      ? localize`${kind} '${shorten(name)}' has no listener '${shorten(key.text)}', so the route is not attached to it.`
      : localize`${kind} '${shorten(name)}' has no key '${shorten(key.text)}'.`;
    const sentence = closest === undefined ? missing : localize`${missing} Closest: '${shorten(closest)}'.`;
    return scopes === undefined ? sentence : localize`${sentence} In ${scopes}.`;
  },
  fixes: ({ key, isListener, closest, scopes }) =>
    closest === undefined || scopes !== undefined
      ? []
      : [
          {
            title: isListener
              ? localize`Change the listener to '${shorten(closest)}'`
              : localize`Change the key to '${shorten(closest)}'`,
            edits: [replaceScalar(key, closest)],
            preferred: true,
          },
        ],
});

function* missingIn(
  context: RuleContext,
  where: ObjectInFile,
  site: ReferenceSite,
  keys: readonly Written[],
): Iterable<Missing> {
  const { workspace, catalogue } = context;
  const isListener = site.fact.keysAt?.some((path) => path.endsWith('.sectionName')) === true;
  const wanted = keys.filter(({ value, origin }) => typeof value === 'string' && origin === undefined);
  const found = targetsOf(workspace, catalogue, where, site);
  if (found.every((target) => wanted.every(({ text }) => hasKey(target, text)))) return;
  // A controller may add keys to an object that is in a file.
  const targets = [...found, ...producersOf(workspace, catalogue, where, site)];
  const scopesOf = (target: ReferenceTarget) => scopesOfTarget(workspace, target);
  const isExtended = (target: ReferenceTarget) =>
    scopesOf(target).every((scope) => targets.some((each) => !each.keys?.areAdded && scopesOf(each).includes(scope)));
  for (const key of wanted) {
    const without = scopesLacking(context, where, site, targets, {
      isMissingIn: (target) => isMissing(target, key.text) && (!target.keys?.areAdded || isExtended(target)),
      fields: isListener
        ? [['spec', 'listeners']]
        : ['data', 'stringData', 'binaryData'].map((field) => [field, key.text]),
    });
    const [first] = without;
    if (first === undefined) continue;
    const target = first.targets.find((each) => !each.keys?.areAdded) ?? first.targets[0];
    const isElsewhere = targets.some((each) => hasKey(each, key.text));
    const similar = first.targets.flatMap(({ keys }) => (keys === undefined ? [] : namesOf(keys).near(key.text)));
    const near = new Set(similar.filter((each) => misspelling(key.text, each) !== undefined));
    const [closest] = isElsewhere || near.size > 1 ? [] : near;
    const related = [
      {
        file: target.file,
        span: target.span,
        message: localize`${target.kind} '${shorten(target.name)}' is defined here.`,
      },
    ];
    const some = without.map(({ scope }) => scope);
    yield { span: key.span, key, isListener, target, closest, scopes: namesOfSome(context, where, some), related };
  }
}

const namesOf = memoized(({ keys }: DataKeys) => new SimilarNames(keys.map(({ text }) => text)));

function hasKey({ keys }: ReferenceTarget, key: string): boolean {
  return keys !== undefined && namesOf(keys).names.has(key);
}

/** Whether a target certainly lacks a key. A program often adds keys to an object without data, or the keys that an annotation lists. */
function isMissing({ keys, object }: ReferenceTarget, key: string): boolean {
  if (keys === undefined || (keys.open && !keys.areAdded) || keys.keys.length === 0) return false;
  if (object !== undefined && mayGetKeys(object)) return false;
  const annotations = object?.labelSites.filter(({ path }) => path === 'metadata.annotations') ?? [];
  const isListed = annotations.some(
    ({ open, entries }) => open || entries.some(({ value }) => value.text.includes(key)),
  );
  return !isListed && !namesOf(keys).names.has(key);
}
