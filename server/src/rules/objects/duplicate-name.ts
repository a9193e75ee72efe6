/** Reports containers, volumes, ports and other parts of an object that have the same name. */

import { isBuiltIn } from '../../engine/catalogue/built-in.ts';
import { fieldPath } from '../../manifests/kustomize/replaced-paths.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import {
  childOf,
  effectiveEntries,
  itemsOf,
  type MapNode,
  type Node,
  type ScalarNode,
} from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { isCompleteExceptObjects, keepsField } from '../../workspace/kustomize/kept-fields.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import { isRendered } from '../../workspace/scopes/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { conditionalPaths } from '../helpers/certain-objects.ts';
import { shorten } from '../helpers/sentences.ts';

interface Repeated extends Fact {
  readonly part: string;
  readonly name: string;
}

/** Lists whose items must have different values of a field. Lists in one row share their names. */
const lists: readonly { readonly part: string; readonly fields: readonly string[]; readonly key: string }[] = [
  { part: 'container', fields: ['initContainers', 'containers', 'ephemeralContainers'], key: 'name' },
  { part: 'volume', fields: ['volumes'], key: 'name' },
  { part: 'port', fields: ['ports'], key: 'name' },
  { part: 'mount', fields: ['volumeMounts'], key: 'mountPath' },
];

export const duplicateName = rule<Repeated>({
  id: 'duplicate-name',
  severity: 'error',
  acrossFiles: true,
  summary: 'Two containers, volumes or ports of an object with the same name, or two mounts with the same path.',
  why: 'The names of the containers and of the volumes of a pod, of the ports of a container and of the ports of a Service must be unique, and so must the paths at which a container mounts volumes. The API server rejects the object. A part that a template writes under a condition is not reported.',
  withoutFix: 'Only the author knows which of the parts needs a different name.',
  bad: [
    {
      title: 'A copied container.',
      text: `apiVersion: v1
kind: Pod
metadata:
  name: basket
spec:
  containers:
    - name: basket
      image: example.com/basket
    - name: basket
      image: example.com/proxy
`,
    },
  ],
  good: [
    {
      title: 'Ports of two containers.',
      text: `apiVersion: v1
kind: Pod
metadata:
  name: basket
spec:
  containers:
    - name: basket
      image: example.com/basket
      ports: [{name: metrics, containerPort: 9000}]
    - name: proxy
      image: example.com/proxy
      ports: [{name: metrics, containerPort: 9001}]
`,
    },
  ],
  *check(context) {
    const { workspace, uri } = context;
    if (context.manifest.readInPart) return;
    for (const object of context.stored) {
      // The controllers of custom resources may merge parts with the same name.
      if (!object.forCluster || !isBuiltIn(object.group) || workspace.scopes().isPatch(uri)) continue;
      if (object.templates.length === 0 && object.ports === undefined && object.servicePorts === undefined) continue;
      const root = treeOf(context, object);
      if (root !== undefined) yield* repeatedIn(context, object, root);
    }
  },
  message: ({ part, name }) =>
    part === 'mount'
      ? localize`Two mounts of this container have the path '${shorten(name)}'; the API server rejects this.`
      : localize`Two ${part}s have the name '${shorten(name)}'; the API server rejects this.`,
  fixes: () => [],
});

function* repeatedIn(context: RuleContext, object: ManifestObject, root: Node): Iterable<Repeated> {
  const { workspace, catalogue, file } = context;
  const isConditional = conditionalPaths(context);
  const scopes = workspace
    .scopes()
    .of(placeOf({ file, object }))
    .filter((scope) => !isRendered(scope) || isCompleteExceptObjects(workspace, scope));
  // An alias repeats the parts of a map.
  const reported = new Set<number>();
  for (const { map, path } of mapsIn(root))
    for (const { part, fields, key } of lists) {
      const seen = new Map<string, ScalarNode>();
      for (const field of fields)
        for (const scalar of valuesIn(childOf(map, field), key)) {
          if (isConditional(scalar.span)) continue;
          const first = seen.get(scalar.text);
          seen.set(scalar.text, first ?? scalar);
          if (first === undefined || first.span.start === scalar.span.start || reported.has(scalar.span.start))
            continue;
          const at = fieldPath(`${path}.${field}`);
          if (!scopes.some((scope) => keepsField(workspace, catalogue, scope, { file, object }, at))) continue;
          reported.add(scalar.span.start);
          const related = [{ file, span: first.span, message: localize`The first ${part} with this name.` }];
          yield { span: scalar.span, part, name: scalar.text, related };
        }
    }
}

/** Returns the known values of a field in the items of a list. */
function valuesIn(list: Node | undefined, key: string): readonly ScalarNode[] {
  return itemsOf(list).flatMap((item) => {
    const value = childOf(item, key);
    return value?.kind === 'scalar' && value.pattern === undefined && value.type === 'string' ? [value] : [];
  });
}

/** Yields the maps of an object that may contain the lists, with their paths. */
function* mapsIn(root: Node): Iterable<{ readonly map: MapNode; readonly path: string }> {
  const waiting = [{ node: childOf(root, 'spec'), path: 'spec' }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, path } = next;
    if (node?.kind === 'list')
      waiting.push(...node.items.map((item, index) => ({ node: item, path: `${path}[${index}]` })));
    if (node?.kind !== 'map') continue;
    yield { map: node, path };
    for (const { key, value } of effectiveEntries(node))
      if (value.kind !== 'scalar') waiting.push({ node: value, path: `${path}.${key.text}` });
  }
}
