/** Reports a key that the ConfigMap or Secret of a reference does not have. */

import type { ReferenceSite, Written } from '../../manifests/model.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import { localize } from '../../text/localize.ts';
import { misspelling } from '../../text/misspelling.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import type { ReferenceTarget } from '../../workspace/references/model.ts';
import { mayBePatched, targetsOf } from '../../workspace/references/targets.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { isInClosedScope } from '../helpers/closed-scope.ts';
import { shorten } from '../helpers/sentences.ts';

interface Missing extends Fact {
  readonly key: Written;
  readonly target: ReferenceTarget;
  /** The only similar key. */
  readonly closest: string | undefined;
}

export const referenceKeyMissing = rule<Missing>({
  id: 'reference-key-missing',
  severity: 'warning',
  acrossFiles: true,
  summary: 'A key that the named ConfigMap or Secret does not have.',
  why: 'A container whose environment variable reads a missing key does not start (`CreateContainerConfigError`), and a volume with a missing key is not mounted, unless the reference has `optional: true`. The rule reports a key as a warning if exactly one other key has a similar name, and as information otherwise. It reports nothing if the keys are unknown, that is, if the object has no data, comes from a generator that reads a file of variables, or is changed by a patch.',
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
  message({ key, target: { kind, name }, closest }) {
    const missing = localize`${kind} '${shorten(name)}' has no key '${shorten(key.text)}'.`;
    return closest === undefined ? missing : localize`${missing} Closest: '${shorten(closest)}'.`;
  },
  fixes: ({ key, closest }) =>
    closest === undefined
      ? []
      : [
          {
            title: localize`Change the key to '${shorten(closest)}'`,
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
  const targets = targetsOf(workspace, catalogue, where, site);
  const [target] = targets;
  if (target === undefined || !targets.every(isKnown)) return;
  const present = new Set(targets.flatMap((each) => each.keys?.keys.map(({ text }) => text) ?? []));
  for (const key of keys) {
    if (typeof key.value !== 'string' || key.origin !== undefined || present.has(key.text)) continue;
    if (!isInClosedScope(context, where) || mayBePatched(workspace, target)) return;
    const near = [...present].filter((each) => misspelling(key.text, each) !== undefined);
    const closest = near.length === 1 ? near[0] : undefined;
    const related = [
      {
        file: target.file,
        span: target.span,
        message: localize`${target.kind} '${shorten(target.name)}' is defined here.`,
      },
    ];
    yield { span: key.span, key, target, closest, related, ...(closest === undefined && { severity: 'information' }) };
  }
}

/** Whether all keys of a target are known. A program often adds keys to an object without data. */
function isKnown({ relation, answer, keys }: ReferenceTarget): boolean {
  return relation === 'here' && answer === 'yes' && keys !== undefined && !keys.open && keys.keys.length > 0;
}
