/** Reports label and annotation keys that are deprecated or have no effect. */

import type { Catalogue, KeyFact } from '../../engine/catalogue/types.ts';
import { isLabelKey, isReservedPrefix } from '../../engine/index.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import { english, localize, localized } from '../../text/localize.ts';
import { stepsOf, targetAt, treeOf } from '../../workspace/object-trees.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { canRenameInHelpers, objectsWithKey } from '../helpers/labels-in-helpers.ts';
import { hasParts } from '../helpers/labels-in-parts.ts';
import { type KeySite, keySites, keysInCommands, keysInHelpers, keysInPatches } from '../helpers/written-keys.ts';

interface DeprecatedKey extends Fact {
  readonly place: KeySite;
  readonly known: KeyFact;
}

export const deprecatedKey = rule<DeprecatedKey>({
  id: 'deprecated-key',
  severity: 'warning',
  summary: 'A label or annotation key that is deprecated or no longer has any effect.',
  why: 'A deprecated key stops working in a later release, without an error: a pod that selects nodes by `beta.kubernetes.io/os` stays pending if no node has this label. The replacement works in every supported release. Keys that patches and helpers of charts write are reported there.',
  bad: [
    {
      title: 'The beta key of a node label.',
      text: `apiVersion: v1
kind: Pod
metadata:
  name: import
spec:
  nodeSelector:
    beta.kubernetes.io/os: linux
`,
    },
  ],
  good: [
    {
      title: 'The deprecated key next to its replacement is kept on purpose.',
      text: `apiVersion: v1
kind: PersistentVolume
metadata:
  name: disk
  labels:
    failure-domain.beta.kubernetes.io/zone: zone-1
    topology.kubernetes.io/zone: zone-1
`,
    },
  ],
  dependsOnOthers: hasParts,
  *check(context) {
    const { manifest, catalogue } = context;
    const inParts = new Set([...keysInPatches(context), ...keysInHelpers(context)]);
    for (const place of [...keySites(manifest), ...keysInCommands(manifest), ...inParts]) {
      if (!place.key.text.includes('/')) continue;
      const known = catalogue.key(place.key.text, place.as);
      if (known === undefined || !goneBy.has(known.status) || known.type === 'taint') continue;
      if (known.type !== place.as || !isCarried(place, known)) continue;
      // In a patch, null removes the key.
      if (place.entry?.value.type === 'null' || isStillWanted(context, place, known)) continue;
      if (hasReplacementField(context, place, known, inParts.has(place))) continue;
      const severity = isHarmless(place, known) ? ({ severity: 'information' } as const) : {};
      yield { span: place.key.span, place, known, tags: ['deprecated'], ...severity };
    }
  },
  message({ place, known }) {
    const what = place.as === 'label' ? 'Label' : 'Annotation';
    const instead = known.replacement === undefined ? '' : localize`; use ${phrase(known.replacement)} instead`;
    return localize`${what} key '${place.key.text}' ${localized(goneBy.get(known.status) ?? '')}${instead}.`;
  },
  fixes({ place, known }, context) {
    const to = known.replacement;
    if (to === undefined || !matchesSame(place, to, context.catalogue)) return [];
    if (place.inHelpers && !canRenameInHelpers(context, place.key.text, to)) return [];
    return [{ title: localize`Change the key to '${to}'`, edits: [replaceScalar(place.key, to)], preferred: true }];
  },
});

/** The phrase for each status of a key. */
const goneBy: ReadonlyMap<string, string> = new Map([
  ['deprecated', english`is deprecated`],
  ['removed', english`no longer has any effect`],
  ['non-functional', english`no longer has any effect`],
  ['nonexistent', english`was never defined in Kubernetes`],
]);

/** Whether a deprecated key causes no harm: other projects continue to read their deprecated keys for years, and some keys have no replacement. */
function isHarmless({ key }: KeySite, { status, replacement }: KeyFact): boolean {
  if (status !== 'deprecated') return false;
  return replacement === undefined || !isReservedPrefix(key.text.slice(0, key.text.indexOf('/')));
}

/** Whether the key is on an object of a kind to which the fact applies; on other kinds, the key may be a custom key. */
function isCarried({ labeledObjects }: KeySite, { kinds }: KeyFact): boolean {
  return kinds.length === 0 || labeledObjects.some(({ kind }) => kinds.includes(kind));
}

/** Deprecated keys that current software still reads: Google's ingress controller is selected only by the annotation, `kubectl cluster-info` lists the Services with the label, and the webhook of cert-manager excludes namespaces with the label. */
const stillRead: readonly { readonly key: string; readonly values?: readonly string[]; readonly kind?: string }[] = [
  { key: 'kubernetes.io/ingress.class', values: ['gce', 'gce-internal'] },
  { key: 'kubernetes.io/cluster-service', kind: 'Service' },
  { key: 'cert-manager.io/disable-validation' },
];

function isStillWanted(context: RuleContext, place: KeySite, { replacement }: KeyFact): boolean {
  const { object, key, labeledObjects, entry, inHelpers } = place;
  const objects = inHelpers ? objectsWithKey(context, key.text) : [object];
  if (replacement !== undefined && objects.some((each) => hasReplacement(each, replacement))) return true;
  return stillRead.some(
    (exception) =>
      exception.key === key.text &&
      (exception.values === undefined || exception.values.includes(entry?.value.text ?? '')) &&
      (exception.kind === undefined || labeledObjects.some(({ kind }) => kind === exception.kind)),
  );
}

/** Returns the label that replaces an annotation, according to the catalogue. */
function labelIn(replacement: string): string | undefined {
  return /^label (\S+)$/.exec(replacement)?.[1];
}

function hasReplacement(object: ManifestObject, replacement: string): boolean {
  const label = labelIn(replacement);
  const key = label ?? replacement;
  const maps = object.labelSites.filter((site) => label === undefined || site.place.holds === 'labels');
  return (
    [...maps, ...object.selectorSites].some(({ entries }) => entries.some((entry) => entry.key.text === key)) ||
    object.selectorSites.some(({ expressions }) => expressions.some((each) => each.key?.text === key)) ||
    object.labelKeySites.some((site) => site.key.text === key)
  );
}

/** Whether the field that replaces a key is also set, in the object or the template that has the key. The object of a patch or helper may set it in another file. */
function hasReplacementField(
  context: RuleContext,
  { object, path, key }: KeySite,
  { replacement }: KeyFact,
  isPart: boolean,
): boolean {
  if (refusedBesideField.has(key.text)) return false;
  const metadata = path === undefined ? -1 : path.lastIndexOf('metadata.');
  if (path === undefined || metadata === -1 || replacement === undefined || !isField(replacement)) return false;
  if (isPart) return true;
  const base = stepsOf(path.slice(0, metadata));
  const field = stepsOf(replacement);
  const root = treeOf(context, object);
  // Some paths are relative to the object, others to its spec.
  return [
    [...base, ...field],
    [...base, 'spec', ...field],
  ].some((each) => targetAt(root, each) !== undefined);
}

/** Annotations that an object cannot have in addition to the field that replaces them: the API server rejects a new Ingress with both ("can not be set when the class field is also set"). */
const refusedBesideField: ReadonlySet<string> = new Set(['kubernetes.io/ingress.class']);

/** Whether a replacement is the path of a field, rather than a key or the name of a kind. */
function isField(replacement: string): boolean {
  return /^[a-z][A-Za-z.]*$/.test(replacement);
}

/** Formats a replacement: a key, a field, or words. */
function phrase(replacement: string): string {
  const label = labelIn(replacement);
  if (label !== undefined) return localize`the label '${label}'`;
  if (replacement.includes('/')) return `'${replacement}'`;
  return /^[a-z]+[A-Z.]/.test(replacement) ? `\`${replacement}\`` : `a ${replacement.replace(/s$/, '')}`;
}

/** Whether the replacement is a label key with a prefix that accepts the current value. */
function matchesSame({ as, entry }: KeySite, to: string, catalogue: Catalogue): boolean {
  if (!isLabelKey(to) || !to.includes('/')) return false;
  // A replacement without known values is assumed to accept the values of the deprecated key.
  const values = catalogue.key(to, as)?.values;
  const value = entry?.value.value;
  return entry === undefined || values === undefined || values.some((each) => each === value);
}
