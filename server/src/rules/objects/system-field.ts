/** Reports fields that the API server or a controller sets, and a fix that removes them from the manifest. */

import { labelsPathOf } from '../../manifests/label-sets.ts';
import type { LabelEntry, LabelSite, ManifestObject } from '../../manifests/model.ts';
import { removeEntry, removeWritten, replaceScalar } from '../../manifests/write/write-text.ts';
import { childOf, entryOf, type MapEntry, type MapNode, type Node, nodeAt, textOf } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import { isRendered } from '../../workspace/scopes/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { type Fact, type Fix, type RuleContext, rule } from '../framework/rule.ts';
import { isTestData } from '../framework/test-data.ts';
import { isNode } from '../helpers/node-selectors.ts';
import { shorten } from '../helpers/sentences.ts';

interface SystemFields extends Fact {
  readonly is: 'fields';
  readonly fields: readonly SystemField[];
}

/** A label of the pods of a Job whose value only the API server knows. */
interface GeneratedLabel extends Fact {
  readonly is: 'label';
  readonly entry: LabelEntry;
  readonly site: LabelSite;
  /** The name of the Job, which the label must have as its value; undefined if the system determines the value. */
  readonly name: string | undefined;
  readonly isOfCronJob: boolean;
}

interface SystemField {
  readonly name: string;
  readonly entry: MapEntry;
  readonly map: MapNode;
}

const metadataFields = [
  ...['uid', 'resourceVersion', 'generation', 'creationTimestamp', 'selfLink', 'managedFields'],
  ...['deletionTimestamp', 'deletionGracePeriodSeconds'],
];

export const systemField = rule<SystemFields | GeneratedLabel>({
  id: 'system-field',
  severity: 'information',
  needs: 'stored',
  summary: 'A field that only the system sets, such as `metadata.uid` or `status`.',
  why: 'When an object is created, the API server rejects `metadata.resourceVersion`, and overwrites or drops the other system fields of the metadata. When an object is updated, a different `uid`, or a `resourceVersion` that is not the current one, causes a conflict. Server-side apply rejects `managedFields`. `status` is ignored if it is a subresource, as in nearly all kinds. It sets the label `batch.kubernetes.io/controller-uid` of the pods of a Job to the UID of the Job, and `batch.kubernetes.io/job-name` to its name, and rejects other values unless `manualSelector` is true; they are warnings and errors. Such fields usually come from the output of `kubectl get -o yaml`.',
  bad: [
    {
      title: 'The output of `kubectl get -o yaml`.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  uid: 0a1b2c3d-0000-4000-8000-0123456789ab
  resourceVersion: "4711"
data:
  currency: EUR
`,
    },
  ],
  good: [
    {
      title: 'Fields that the author sets.',
      change: [
        `name: prices
  uid: 0a1b2c3d-0000-4000-8000-0123456789ab
  resourceVersion: "4711"`,
        'name: prices',
      ],
    },
  ],
  *check(context) {
    // Tests compare these fields with the objects of a cluster.
    if (isTestData(context.uri, context.workspace.folders)) return;
    for (const object of context.stored) yield* generatedLabels(context, object);
    if (!context.mentions('systemFields')) return;
    for (const object of context.stored) {
      const { group, version, kind } = object;
      const structure = context.catalogue.structure(group, version, kind);
      if (structure === undefined && context.catalogue.kind(group, version, kind) === undefined) continue;
      const root = treeOf(context, object);
      const metadata = fieldsIn(childOf(root, 'metadata'), metadataFields).map((field) => ({
        ...field,
        name: `metadata.${field.name}`,
      }));
      // The API server stores the `status` of a created node: the kubelet, and simulators such as KWOK, register it.
      const fields = [...metadata, ...(isNode(object, context.catalogue) ? [] : fieldsIn(root, ['status']))];
      const [first] = fields;
      if (first !== undefined) yield { is: 'fields', span: first.entry.key.span, fields, tags: ['unnecessary'] };
    }
  },
  message(found) {
    if (found.is === 'label') {
      const key = shorten(found.entry.key.text);
      if (found.isOfCronJob)
        return localize`Only the system sets label '${key}'; the API server rejects every Job that this CronJob creates.`;
      if (found.name === undefined)
        return localize`Only the system sets label '${key}'; the API server rejects the creation of a Job with it.`;
      return localize`Label '${key}' must be the name of the Job, '${shorten(found.name)}'; the API server rejects other values.`;
    }
    const { fields } = found;
    const names = fields.map(({ name }) => `\`${name}\``);
    const last = names.pop() ?? '';
    const listed = names.length === 0 ? last : localize`${names.join(', ')} and ${last}`;
    const rejected = fields.some(({ name }) => name === 'metadata.resourceVersion')
      ? localize` The API server rejects the creation of an object with \`metadata.resourceVersion\`.`
      : '';
    return localize`Only the system sets ${listed}; a manifest should not contain ${names.length === 0 ? 'it' : 'them'}.${rejected}`;
  },
  fixes(found, { text }) {
    if (found.is === 'label') return fixesOf(found, text);
    const { fields } = found;
    const edits = fields.map(({ entry, map }) =>
      map.entries.length === 1
        ? undefined
        : removeWritten(text, { start: entry.key.span.start, end: entry.value.span.end }, map.flow),
    );
    const known = edits.filter((edit) => edit !== undefined);
    if (known.length < edits.length) return [];
    return [{ title: localize`Remove the fields that the system sets`, edits: known, preferred: true }];
  },
});

const keysOfUid: ReadonlySet<string> = new Set(['controller-uid', 'batch.kubernetes.io/controller-uid']);
const keysOfName: ReadonlySet<string> = new Set(['job-name', 'batch.kubernetes.io/job-name']);

/** Yields the labels of the pods of a Job that the API server rejects, because it compares them with the UID and the name of the Job. */
function* generatedLabels(context: RuleContext, object: ManifestObject): Iterable<GeneratedLabel> {
  const facts = context.catalogue.kind(object.group, object.version, object.kind)?.selectors;
  const selector = facts?.find(({ ignored }) => ignored?.refused === true);
  const generated = selector?.ignored;
  if (generated === undefined) return;
  const site = object.templates.find((each) => labelsPathOf(each) === selector?.templateLabelsAt)?.labels;
  const set = (site?.entries ?? []).filter(
    ({ key, value, merged, conditional, rendered }) =>
      (keysOfUid.has(key.text) || keysOfName.has(key.text)) &&
      !(merged || conditional || rendered) &&
      typeof value.value === 'string' &&
      value.origin === undefined,
  );
  if (site === undefined || set.length === 0) return;
  const root = treeOf(context, object);
  const isOfCronJob = generated.is !== undefined;
  const isManual = !isOfCronJob && ![undefined, 'false'].includes(textOf(nodeAt(root, ...generated.at.split('.'))));
  // The file of a live object has its labels.
  if (isManual || childOf(childOf(root, 'metadata'), 'uid') !== undefined) return;
  const isRenamed = context.workspace
    .scopes()
    .of(placeOf({ file: context.file, object }))
    .some(isRendered);
  for (const entry of set) {
    const isOfName = keysOfName.has(entry.key.text);
    const { name } = object;
    const isRight = isRenamed || typeof name?.value !== 'string' || name.value === entry.value.value;
    if (isOfName && !isOfCronJob && isRight) continue;
    const isCertain = isOfCronJob || isOfName;
    yield {
      is: 'label',
      span: entry.key.span,
      entry,
      site,
      name: isOfName && !isOfCronJob ? name?.text : undefined,
      isOfCronJob,
      severity: isCertain ? 'error' : 'warning',
    };
  }
}

/** Returns the fields of a map that have a value. Fields without a value are ignored, because tools write `creationTimestamp: null` and a `status` without values. */
function fieldsIn(map: Node | undefined, names: readonly string[]): readonly SystemField[] {
  if (map?.kind !== 'map') return [];
  return names.flatMap((name) => {
    const entry = entryOf(map, name);
    return entry === undefined || entry.conditional || entry.merged || isEmpty(entry.value)
      ? []
      : [{ name, entry, map }];
  });
}

function fixesOf({ entry, site, name }: GeneratedLabel, text: string): readonly Fix[] {
  if (name !== undefined)
    return [
      {
        title: localize`Change the value to '${shorten(name)}'`,
        edits: [replaceScalar(entry.value, name)],
        preferred: true,
      },
    ];
  const removed = removeEntry(text, entry, site);
  return removed === undefined ? [] : [{ title: localize`Remove the label`, edits: [removed], preferred: true }];
}

function isEmpty(node: Node): boolean {
  if (node.kind === 'scalar') return node.type === 'null' || node.text === '' || node.pattern !== undefined;
  return node.kind === 'map' ? node.entries.every(({ value }) => isEmpty(value)) : node.items.every(isEmpty);
}
