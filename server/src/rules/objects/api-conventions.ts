/** Reports departures from the API conventions of Kubernetes, for authors of custom resources and controllers. */

import type { Catalogue, GroupKind } from '../../engine/catalogue/types.ts';
import { childOf, entryOf, itemsOf, type MapNode, type Node } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { departuresOf } from '../helpers/api-conventions.ts';
import { schemaFields, textAt, versionSchemas, versionsOf } from '../helpers/schema-fields.ts';
import { shorten } from '../helpers/sentences.ts';

interface Convention extends Fact {
  readonly problem: string;
}

export const apiConventions = rule<Convention>({
  id: 'api-conventions',
  severity: 'off',
  needs: 'stored',
  summary: 'A deviation from the Kubernetes API conventions in a CustomResourceDefinition, an Event or a Service.',
  why: 'The conventions make APIs predictable for people and for tools: kinds in CamelCase and singular, versions such as `v1beta1`, fields in camelCase with their units, no floats, enumerations in CamelCase, lists of named objects instead of maps of objects, references called `{field}Ref`, conditions that are merged by `type`, `observedGeneration`, and no `phase`. The API server accepts departures from these conventions, so they are not errors. The rule is off by default; enabling it enables all of its checks.',
  withoutFix: 'A change of a name or type in an API breaks its clients, so the author must decide when to make it.',
  bad: [
    {
      title: 'A number field without a unit in its name.',
      text: `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                timeout: {type: integer, format: int32}
`,
    },
  ],
  good: [
    {
      title: 'The unit in the name.',
      change: ['timeout: {type: integer, format: int32}', 'timeoutSeconds: {type: integer, format: int32}'],
    },
  ],
  *check(context) {
    for (const object of context.stored) {
      if (object.defines !== undefined && object.version === 'v1') yield* inDefinition(treeOf(context, object));
      else if (hasReason(context.catalogue, object)) yield* inEvent(treeOf(context, object));
      else if (object.servicePorts !== undefined) yield* inService(treeOf(context, object));
      if (context.mentions('systemFields')) yield* inConditions(treeOf(context, object));
    }
  },
  message: ({ problem }) => problem,
  fixes: () => [],
});

function* inDefinition(root: Node | undefined): Iterable<Convention> {
  const names = childOf(childOf(root, 'spec'), 'names');
  const kind = entryOf(names, 'kind')?.value;
  const plural = textAt(names, 'plural');
  if (kind?.kind === 'scalar' && kind.pattern === undefined) {
    const { text, span } = kind;
    if (!/^[A-Z][A-Za-z0-9]*$/.test(text))
      yield { span, problem: localize`Kind '${shorten(text)}' should be in CamelCase.` };
    else if (/[a-z]s$/.test(text) && !/(?:ss|us|is)$/.test(text) && plural === text.toLowerCase())
      yield { span, problem: localize`Kind '${shorten(text)}' should be singular.` };
    if (/[a-z]Controller$/.test(text))
      yield {
        span,
        problem: localize`Kind '${shorten(text)}' should be named after the controlled object, without 'Controller'.`,
      };
  }
  const list = entryOf(names, 'listKind')?.value;
  if (list?.kind === 'scalar' && list.pattern === undefined && list.text !== '' && !list.text.endsWith('List'))
    yield { span: list.span, problem: localize`\`listKind\` '${shorten(list.text)}' should end with 'List'.` };
  for (const version of versionsOf(root)) yield* inVersion(version);
  for (const version of versionSchemas(root)) yield* departuresOf(schemaFields(version));
}

function* inVersion(version: MapNode): Iterable<Convention> {
  const name = entryOf(version, 'name')?.value;
  if (
    name?.kind === 'scalar' &&
    name.pattern === undefined &&
    !/^v[1-9]\d*(?:(?:alpha|beta)[1-9]\d*)?$/.test(name.text)
  )
    yield {
      span: name.span,
      problem: localize`Version '${shorten(name.text)}' should have a form such as 'v1', 'v1beta1' or 'v1alpha1'.`,
    };
  const schema = childOf(childOf(version, 'schema'), 'openAPIV3Schema');
  const status = entryOf(childOf(schema, 'properties'), 'status');
  if (status !== undefined && entryOf(childOf(version, 'subresources'), 'status') === undefined)
    yield {
      span: status.key.span,
      problem: localize`\`status\` should be a subresource (\`subresources: {status: {}}\`).`,
    };
}

function hasReason(catalogue: Catalogue, { group, kind }: GroupKind): boolean {
  return catalogue.fields(group, kind).fields.some(({ field }) => field === 'reason');
}

/** Yields violations in an event: its reason must be one word in CamelCase. */
function* inEvent(root: Node | undefined): Iterable<Convention> {
  const reason = entryOf(root, 'reason')?.value;
  if (reason?.kind === 'scalar' && reason.pattern === undefined && !/^[A-Z][A-Za-z0-9]*$/.test(reason.text))
    yield {
      span: reason.span,
      problem: localize`The reason '${shorten(reason.text)}' should be one word in CamelCase.`,
    };
}

/** Yields violations in the conditions of a status: they have different types, one of three values, and reasons in CamelCase. */
function* inConditions(root: Node | undefined): Iterable<Convention> {
  const types = new Set<string>();
  for (const condition of itemsOf(childOf(childOf(root, 'status'), 'conditions'))) {
    const [type, status, reason] = ['type', 'status', 'reason'].map((field) => {
      const value = childOf(condition, field);
      return value?.kind === 'scalar' && value.pattern === undefined ? value : undefined;
    });
    if (type === undefined) {
      if (condition.kind === 'map' && !condition.open && childOf(condition, 'type') === undefined)
        yield {
          span: condition.entries[0]?.key.span ?? condition.span,
          problem: localize`A condition must have a \`type\`.`,
        };
      continue;
    }
    if (types.has(type.text))
      yield { span: type.span, problem: localize`The condition '${shorten(type.text)}' is listed twice.` };
    types.add(type.text);
    if (status !== undefined && (status.type !== 'string' || !/^(?:True|False|Unknown)$/.test(status.text)))
      yield {
        span: status.span,
        problem: localize`The status of a condition should be 'True', 'False' or 'Unknown', not ${status.type === 'string' ? `'${shorten(status.text)}'` : `a ${status.type}`}.`,
      };
    if (reason !== undefined && reason.text !== '' && !/^[A-Z][A-Za-z0-9]*$/.test(reason.text))
      yield {
        span: reason.span,
        problem: localize`The reason '${shorten(reason.text)}' should be one word in CamelCase.`,
      };
  }
}

/** Yields the field `spec.externalIPs` of a Service, which the API conventions name as a counterexample because the system cannot verify the addresses. */
function* inService(root: Node | undefined): Iterable<Convention> {
  const entry = entryOf(childOf(root, 'spec'), 'externalIPs');
  if (entry !== undefined)
    yield {
      span: entry.key.span,
      problem: localize`Kubernetes cannot verify the addresses in \`externalIPs\`; a Service can intercept the traffic to any address.`,
    };
}
