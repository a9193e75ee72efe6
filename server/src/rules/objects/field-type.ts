/** Reports fields and list items that contain a map, a list or a scalar instead of the required type, or a quoted number or boolean. */

import type { FieldFault, ManifestObject } from '../../manifests/model.ts';
import { quoteAsTyped } from '../../manifests/write/write-text.ts';
import { localize } from '../../text/localize.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { checkedFaults } from '../helpers/checked-faults.ts';
import { isStringInKustomize } from '../helpers/kustomize-strings.ts';
import { hasOperations } from '../helpers/patch-parts.ts';
import { shorten } from '../helpers/sentences.ts';

type WrongType = Extract<FieldFault, { readonly is: 'type' }>;

interface FieldType extends Fact {
  readonly fault: WrongType;
  readonly object: ManifestObject;
}

export const fieldType = rule<FieldType>({
  id: 'field-type',
  severity: 'error',
  summary: 'A field whose value is a map, a list or a scalar although Kubernetes requires another type.',
  why: 'The API server cannot decode the object and rejects it. A common cause is a missing `-` before the first field of a list item, or a `-` too many before a field of a map.',
  bad: [
    {
      title: 'The only container without its `-`.',
      text: `apiVersion: v1
kind: Pod
metadata:
  name: basket
spec:
  containers:
    name: basket
    image: example.com/basket
`,
    },
    {
      title: 'A `-` before the fields of a map.',
      text: `apiVersion: v1
kind: Service
metadata:
  name: basket
spec:
  - selector:
      app: basket
`,
    },
  ],
  good: [
    {
      title: 'A list with one item.',
      change: [
        `name: basket
    image: example.com/basket`,
        `- name: basket
      image: example.com/basket`,
      ],
    },
  ],
  dependsOnOthers: hasOperations,
  *check(context) {
    for (const { faults, objects, areKindsCertain } of checkedFaults(context)) {
      for (const fault of faults) {
        const object = fault.is === 'type' ? objects.get(fault.object) : undefined;
        if (fault.is !== 'type' || object === undefined || isInSelector(object, fault)) continue;
        // A patch may be for an object of another kind.
        if (!areKindsCertain && !fault.path.startsWith('metadata')) continue;
        const { key, wrong, must } = fault;
        const isItem = wrong !== undefined && (must === 'string' || must === 'maps');
        if (!isItem) yield { span: key.span, fault, object };
        else if (!isStringInKustomize(context, wrong)) yield { span: wrong.span, fault, object };
      }
    }
  },
  message({ fault: { key, must, found, wrong } }) {
    const field = `\`${shorten(key.text)}\``;
    if (must === 'maps')
      return localize`Items of ${field} must be maps, and this item is a ${found}; the API server rejects the object.`;
    if (wrong !== undefined && must === 'string')
      return localize`Items of ${field} must be strings: quote '${shorten(wrong.text)}', which is a ${wrong.type}; the API server rejects the object.`;
    if (wrong !== undefined)
      return localize`${field} must be ${must === 'integer' ? 'an integer' : 'a boolean'}, not a string: remove the quotes; the API server rejects the object.`;
    if (must === 'list' && found === 'map')
      return localize`${field} must be a list, not a map: begin each item with '- '; the API server rejects the object.`;
    if (must === 'map' && found === 'list')
      return localize`${field} must be a map, not a list: write its fields without '- '; the API server rejects the object.`;
    return localize`${field} must be a ${must}, not a ${found}; the API server rejects the object.`;
  },
  fixes({ fault: { wrong, must } }) {
    // In a command, the quotes are not part of the range.
    if (must === 'maps' || wrong === undefined || wrong.tagged || wrong.letters !== undefined) return [];
    if (must === 'string')
      return [{ title: localize`Quote the item`, edits: [quoteAsTyped(wrong)], preferred: true, safe: true }];
    const edits = [{ span: wrong.span, text: wrong.text }];
    return [{ title: localize`Remove the quotes`, edits, preferred: true, safe: true }];
  },
});

/** Whether the field is a selector or inside one: rules about selectors report it. */
function isInSelector({ selectorSites }: ManifestObject, { path, key }: WrongType): boolean {
  const field = path === '' ? key.text : `${path}.${key.text}`;
  return selectorSites.some((site) => field === site.path || field.startsWith(`${site.path}.`));
}
