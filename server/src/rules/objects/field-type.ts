/** Reports fields and list items that contain a map, a list or a scalar instead of the required type, or a quoted number or boolean. */

import type { FieldFault, ManifestObject } from '../../manifests/model.ts';
import { quoteAsTyped, replaceScalar } from '../../manifests/write/write-text.ts';
import { localize } from '../../text/localize.ts';
import { misspelling } from '../../text/misspelling.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { checkedFaults } from '../helpers/checked-faults.ts';
import { isStringInKustomize } from '../helpers/kustomize-strings.ts';
import { hasOperations } from '../helpers/patch-parts.ts';
import { shorten } from '../helpers/sentences.ts';

type WrongType = Extract<FieldFault, { readonly is: 'type' }>;
type WrongValue = Extract<FieldFault, { readonly is: 'value' }>;

interface FieldType extends Fact {
  readonly fault: WrongType | WrongValue;
  readonly object: ManifestObject;
}

export const fieldType = rule<FieldType>({
  id: 'field-type',
  severity: 'error',
  validatesFields: true,
  summary: 'A field whose value has another type than Kubernetes requires, or is not one of its allowed values.',
  why: 'The API server cannot decode the object and rejects it. Some fields have a fixed set of values or a range, such as `restartPolicy` and `containerPort`. A common cause is a missing `-` before the first field of a list item, or a `-` too many before a field of a map.',
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
        if (fault.is !== 'type' && fault.is !== 'value') continue;
        const object = objects.get(fault.object);
        // A patch may be for an object of another kind.
        if (object === undefined || (!areKindsCertain && !fault.path.startsWith('metadata'))) continue;
        if (fault.is === 'value') {
          yield { span: fault.wrong.span, fault, object };
          continue;
        }
        if (isInSelector(object, fault)) continue;
        const { key, wrong, must } = fault;
        const isItem = wrong !== undefined && (must === 'string' || must === 'maps');
        if (!isItem) yield { span: key.span, fault, object };
        else if (!isStringInKustomize(context, wrong)) yield { span: wrong.span, fault, object };
      }
    }
  },
  message({ fault }) {
    const field = `\`${shorten(fault.key.text)}\``;
    if (fault.is === 'value') {
      const wrong = shorten(fault.wrong.text);
      const { allowed = [], range } = fault;
      if (range !== undefined)
        return localize`${field} must be between ${range[0]} and ${range[1]}, not ${wrong}; the API server rejects the object.`;
      if (allowed.length === 0) {
        return localize`${field} must be a qualified name such as 'example.com/ready', not '${wrong}'; the API server rejects the object.`;
      }
      const values = allowed.map((each) => `'${each}'`).join(', ');
      return allowed.length === 1
        ? localize`${field} must be ${values} here, not '${wrong}'; the API server rejects the object.`
        : localize`${field} must be one of ${values}, not '${wrong}'; the API server rejects the object.`;
    }
    const { must, found, wrong } = fault;
    if (must === 'maps')
      return localize`Items of ${field} must be maps, and this item is a ${found}; the API server rejects the object.`;
    if (wrong !== undefined && must === 'string')
      return localize`Items of ${field} must be strings: quote '${shorten(wrong.text)}', which is a ${wrong.type}; the API server rejects the object.`;
    if (wrong !== undefined && hasLeadingZero(wrong.text))
      return localize`${field} must be an integer, not the string '${wrong.text}'; the API server rejects the object.`;
    if (wrong !== undefined)
      return localize`${field} must be ${must === 'integer' ? 'an integer' : 'a boolean'}, not a string: remove the quotes; the API server rejects the object.`;
    if (must === 'list' && found === 'map')
      return localize`${field} must be a list, not a map: begin each item with '- '; the API server rejects the object.`;
    if (must === 'map' && found === 'list')
      return localize`${field} must be a map, not a list: write its fields without '- '; the API server rejects the object.`;
    return localize`${field} must be a ${must}, not a ${found}; the API server rejects the object.`;
  },
  fixes({ fault }) {
    if (fault.is === 'value') {
      const [meant, ...others] = (fault.allowed ?? []).filter(
        (each) => misspelling(fault.wrong.text, each) !== undefined,
      );
      if (meant === undefined || others.length > 0 || fault.wrong.letters !== undefined) return [];
      return [{ title: localize`Change to '${meant}'`, edits: [replaceScalar(fault.wrong, meant)], preferred: true }];
    }
    const { wrong, must } = fault;
    // In a command, the quotes are not part of the range.
    if (must === 'maps' || wrong === undefined || wrong.tagged || wrong.letters !== undefined) return [];
    if (must === 'string')
      return [{ title: localize`Quote the item`, edits: [quoteAsTyped(wrong)], preferred: true, safe: true }];
    if (hasLeadingZero(wrong.text)) return [];
    const edits = [{ span: wrong.span, text: wrong.text }];
    return [{ title: localize`Remove the quotes`, edits, preferred: true, safe: true }];
  },
});

/** Whether a number may have a different value without its quotes: Kubernetes reads `010` as octal, which is 8. */
function hasLeadingZero(text: string): boolean {
  return /^0\d/.test(text);
}

/** Whether the field is a selector or inside one: rules about selectors report it. */
function isInSelector({ selectorSites }: ManifestObject, { path, key }: WrongType): boolean {
  const field = path === '' ? key.text : `${path}.${key.text}`;
  return selectorSites.some((site) => field === site.path || field.startsWith(`${site.path}.`));
}
