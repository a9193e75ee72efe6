/** Reports fields that the API server or a controller sets, and a fix that removes them from the manifest. */

import { removeWritten } from '../../manifests/write/write-text.ts';
import { childOf, entryOf, type MapEntry, type MapNode, type Node } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { isTestData } from '../framework/test-data.ts';
import { isNode } from '../helpers/node-selectors.ts';

interface SystemFields extends Fact {
  readonly fields: readonly SystemField[];
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

export const systemField = rule<SystemFields>({
  id: 'system-field',
  severity: 'information',
  needs: 'stored',
  summary: 'A field that only the system sets, such as `metadata.uid` or `status`.',
  why: 'When an object is created, the API server rejects `metadata.resourceVersion`, and overwrites or drops the other system fields of the metadata. When an object is updated, a different `uid`, or a `resourceVersion` that is not the current one, causes a conflict. Server-side apply rejects `managedFields`. `status` is ignored if it is a subresource, as in nearly all kinds. Such fields usually come from the output of `kubectl get -o yaml`.',
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
    if (!context.mentions('systemFields') || isTestData(context.uri, context.workspace.folders)) return;
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
      if (first !== undefined) yield { span: first.entry.key.span, fields, tags: ['unnecessary'] };
    }
  },
  message({ fields }) {
    const names = fields.map(({ name }) => `\`${name}\``);
    const last = names.pop() ?? '';
    const listed = names.length === 0 ? last : localize`${names.join(', ')} and ${last}`;
    const rejected = fields.some(({ name }) => name === 'metadata.resourceVersion')
      ? localize` The API server rejects the creation of an object with \`metadata.resourceVersion\`.`
      : '';
    return localize`Only the system sets ${listed}; a manifest should not contain ${names.length === 0 ? 'it' : 'them'}.${rejected}`;
  },
  fixes({ fields }, { text }) {
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

function isEmpty(node: Node): boolean {
  if (node.kind === 'scalar') return node.type === 'null' || node.text === '' || node.pattern !== undefined;
  return node.kind === 'map' ? node.entries.every(({ value }) => isEmpty(value)) : node.items.every(isEmpty);
}
