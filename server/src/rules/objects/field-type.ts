/** Reports fields and list items that contain a map, a list or a scalar instead of the required type, or a quoted number or boolean. */

import type { Problem } from '../../engine/index.ts';
import { meantQuantity } from '../../engine/quantity.ts';
import { kustomizeGroup } from '../../manifests/kustomize/kustomization-sites.ts';
import type { FieldFault, FieldName, ManifestObject, Written } from '../../manifests/model.ts';
import { problemsOfName } from '../../manifests/sites/part-names.ts';
import { quoteAsTyped, replaceScalar } from '../../manifests/write/write-text.ts';
import { plainType, scalarData } from '../../manifests/yaml/scalar-types.ts';
import { localize } from '../../text/localize.ts';
import { misspelling } from '../../text/misspelling.ts';
import { correctName } from '../fixes/fix-name.ts';
import { type Fact, type Fix, type RuleContext, rule } from '../framework/rule.ts';
import { kubernetesMinor } from '../framework/team-settings.ts';
import { checkedFaults } from '../helpers/checked-faults.ts';
import { isStringInKustomize } from '../helpers/kustomize-strings.ts';
import { isNamePlaceholder, isPlaceholder, isWordPlaceholder } from '../helpers/name-placeholders.ts';
import { hasOperations } from '../helpers/patch-parts.ts';
import { describeProblems, shorten } from '../helpers/sentences.ts';

type WrongType = Extract<FieldFault, { readonly is: 'type' }>;
type WrongValue = Extract<FieldFault, { readonly is: 'value' }>;

interface FieldType extends Fact {
  readonly fault: WrongType | WrongValue;
  readonly object: ManifestObject;
  readonly isIn: 'object' | 'patch' | 'kustomization';
}

export const fieldType = rule<FieldType>({
  id: 'field-type',
  severity: 'error',
  validatesFields: true,
  summary: 'A field whose value has another type than Kubernetes requires, or is not one of its allowed values.',
  why: 'The API server cannot decode the object and rejects it. A value such as `8080` or `true` in an environment variable, a ConfigMap or a Secret must be quoted, because the field is a string. Some fields have a fixed set of values or a range, such as `restartPolicy` and `containerPort`, requests and limits are quantities such as `500m` and `2Gi`, and names of containers, volumes, ports and environment variables have a syntax of their own. The types of custom resources are known from their definitions. kustomize also fails to decode a kustomization with a value of another type, such as the number `1.20` in `newTag`. A common cause is a missing `-` before the first field of a list item, or a `-` too many before a field of a map.',
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
    // An alias repeats a fault.
    const seen = new Set<number>();
    const minor = kubernetesMinor(context);
    for (const { faults, objects, areKindsCertain, inPatches } of checkedFaults(context)) {
      for (const fault of faults) {
        if (fault.is !== 'type' && fault.is !== 'value') continue;
        const object = objects.get(fault.object);
        // A patch may be for an object of another kind.
        if (object === undefined || (!areKindsCertain && !fault.path.startsWith('metadata'))) continue;
        if (fault.is === 'value') {
          if (seen.has(fault.wrong.span.start) || !isRejected(fault, minor)) continue;
          seen.add(fault.wrong.span.start);
          yield { span: fault.wrong.span, fault, object, isIn: inPatches ? 'patch' : 'object' };
          continue;
        }
        if (isInLabels(object, fault) || isReportedElsewhere(fault)) continue;
        const { key, wrong } = fault;
        const { span } = wrong ?? key;
        if (seen.has(span.start) || (wrong !== undefined && isStringInKustomize(context, wrong))) continue;
        // A letter in capitals is a placeholder for a number.
        if (wrong?.type === 'boolean' && wrong.tagged === undefined && /^[NY]$/.test(wrong.text)) continue;
        seen.add(span.start);
        yield { span, fault, object, isIn: inPatches ? 'patch' : 'object' };
      }
    }
    yield* faultsInKustomization(context);
  },
  message({ fault, isIn }) {
    const fact = fault.is === 'value' ? valueSentence(fault) : typeSentence(fault);
    return isIn === 'kustomization'
      ? localize`${fact}; \`kustomize build\` fails.`
      : localize`${fact}; the API server rejects the object.`;
  },
  fixes({ fault, object, isIn }, { text }) {
    if (fault.is === 'value') {
      if (fault.breaks !== undefined) {
        const written = text.slice(object.span.start, object.span.end);
        const isKept = fault.key.text === 'name' && (isIn === 'patch' || isRepeated(fault.wrong, written));
        return isKept ? [] : nameFixes(fault);
      }

      const [meant, ...others] = (fault.allowed ?? []).filter(
        (each) => misspelling(fault.wrong.text, each) !== undefined,
      );
      if (meant === undefined || others.length > 0 || fault.wrong.letters !== undefined) return [];
      return [{ title: localize`Change to '${meant}'`, edits: [replaceScalar(fault.wrong, meant)], preferred: true }];
    }
    const { wrong, must, isItem } = fault;
    // In a command, the quotes are not part of the range.
    if (wrong === undefined || wrong.tagged || wrong.letters !== undefined || wrong.type === 'map') return [];
    if (must === 'string') {
      const title = isItem === true ? localize`Quote the item` : localize`Quote the value`;
      return [{ title, edits: [quoteAsTyped(wrong)], preferred: true, safe: true }];
    }
    if (isQuoted(wrong, must)) {
      const edits = [{ span: wrong.span, text: wrong.text }];
      return [{ title: localize`Remove the quotes`, edits, preferred: true, safe: true }];
    }
    const meant = meantScalar(wrong, must);
    if (meant === undefined) return [];
    const title = localize`Change to '${meant}'`;
    const edits = [must === 'quantity' ? replaceScalar(wrong, meant) : { span: wrong.span, text: meant }];
    return [{ title, edits, preferred: true }];
  },
});

/** Yields the values that kustomize cannot decode. Other rules report labels and annotations. */
function* faultsInKustomization({ file, manifest }: RuleContext): Iterable<FieldType> {
  const object = manifest.objects.find(({ group }) => group === kustomizeGroup);
  if (object === undefined) return;
  for (const fault of file.kustomization?.faults ?? [])
    if (fault.is === 'type' && !isInLabels(object, fault))
      yield { span: (fault.wrong ?? fault.key).span, fault, object, isIn: 'kustomization' };
}

function valueSentence(fault: WrongValue): string {
  const field = `\`${shorten(fault.key.text)}\``;
  const wrong = shorten(fault.wrong.text);
  const { allowed = [], range, breaks } = fault;
  if (breaks !== undefined && breaks !== 'qualified')
    return describeProblems(nameProblems(fault, breaks))
      .replace(/^Name\b/, field)
      .replace(/\.$/, '');
  if (range !== undefined) return localize`${field} must be between ${range[0]} and ${range[1]}, not ${wrong}`;
  if (allowed.length === 0)
    return localize`${field} must be a qualified name such as 'example.com/ready', not '${wrong}'`;
  const values = allowed.map((each) => `'${each}'`).join(', ');
  return allowed.length === 1
    ? localize`${field} must be ${values} here, not '${wrong}'`
    : localize`${field} must be one of ${values}, not '${wrong}'`;
}

function typeSentence(fault: WrongType): string {
  const field = `\`${shorten(fault.key.text)}\``;
  const { must, found, wrong } = fault;
  if (wrong !== undefined) return scalarSentence(fault, wrong);
  if (must === 'list' && found === 'map')
    return localize`${field} must be a list, not a map: begin each item with '- '`;
  if (must === 'map' && found === 'list')
    return localize`${field} must be a map, not a list: write its fields without '- '`;
  return localize`${field} must be a ${must}, not a ${found}`;
}

/** The first minor version of Kubernetes in which names of variables may contain almost all ASCII characters. */
const relaxedNames = 32;

/** Whether the API server rejects a value. A name that is a placeholder is replaced before. */
function isRejected({ breaks, wrong, key, allowed = [] }: WrongValue, minor: number | undefined): boolean {
  if (breaks === undefined || breaks === 'qualified') return !isWordInPlace(wrong.text, key.text, allowed);
  if (isNamePlaceholder(wrong.text) || isPlaceholder(wrong.text)) return false;
  return problemsOfName(breaks, wrong.text, minor === undefined || minor >= relaxedNames).length > 0;
}

/** Whether a word is a placeholder for one of some allowed words. A protocol such as `HTTP` is a mistake, but `PROTOCOL` is none. */
function isWordInPlace(word: string, field: string, allowed: readonly string[]): boolean {
  if (word.replaceAll('_', '') === field.toUpperCase()) return true;
  const areInCapitals = allowed.some((each) => each === each.toUpperCase());
  return isWordPlaceholder(word) && !areInCapitals && allowed.every((each) => misspelling(word, each) === undefined);
}

function nameProblems({ wrong }: WrongValue, breaks: FieldName): readonly Problem[] {
  const problems = problemsOfName(breaks, wrong.text, true);
  return problems.length > 0 ? problems : problemsOfName(breaks, wrong.text, false);
}

/** Whether a name occurs elsewhere in the text of its object, so that other fields may refer to it. */
function isRepeated({ text: name }: Written, text: string): boolean {
  return text.indexOf(name) !== text.lastIndexOf(name);
}

/** Returns the fix for a name: the most similar valid name, or the number of a port. In a patch, the name must remain that of the patched item. */
function nameFixes({ key, wrong, breaks }: WrongValue): readonly Fix[] {
  if (wrong.letters !== undefined) return [];
  if (key.text !== 'name' && /^[1-9]\d{0,4}$/.test(wrong.text)) {
    const edits = [{ span: wrong.span, text: wrong.text }];
    return [{ title: localize`Remove the quotes`, edits, preferred: true }];
  }
  // The other fields refer to the name of a port.
  if (breaks === 'port' && key.text !== 'name') return [];
  const rule = breaks === 'dns1123Subdomain' ? breaks : 'dns1123Label';
  const meant = breaks === 'variable' || breaks === 'qualified' ? undefined : correctName(rule, wrong.text);
  if (meant === undefined || (breaks === 'port' && problemsOfName(breaks, meant, true).length > 0)) return [];
  return [
    { title: localize`Change the name to '${shorten(meant)}'`, edits: [replaceScalar(wrong, meant)], preferred: true },
  ];
}

type MustBe = WrongType['must'];

function scalarSentence({ key, must, found, isItem }: WrongType, wrong: Written): string {
  const field = `\`${shorten(key.text)}\``;
  const text = shorten(wrong.text);
  if (isItem === true) {
    if (must === 'map') return localize`Items of ${field} must be maps, and this item is a ${found}`;
    if (wrong.type === 'map' || wrong.type === 'list')
      return localize`Items of ${field} must be ${plurals[must]}, and this item is a ${found}`;
    return must === 'string'
      ? localize`Items of ${field} must be strings: quote '${text}', which is a ${wrong.type}`
      : localize`Items of ${field} must be ${plurals[must]}, not the ${wrong.type} '${text}'`;
  }
  if (must === 'string') return localize`${field} must be a string: quote '${text}', which is a ${wrong.type}`;
  return isQuoted(wrong, must)
    ? localize`${field} must be ${nouns[must]}, not a string: remove the quotes`
    : localize`${field} must be ${nouns[must]}, not the ${wrong.type} '${text}'`;
}

const nouns: Readonly<Record<MustBe, string>> = {
  map: 'a map',
  list: 'a list',
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'a boolean',
  quantity: "a quantity such as '500m' or '2Gi'",
};

const plurals: Readonly<Record<MustBe, string>> = {
  map: 'maps',
  list: 'lists',
  string: 'strings',
  integer: 'integers',
  number: 'numbers',
  boolean: 'booleans',
  quantity: 'quantities',
};

/** Whether a string has the required type without its quotes. Words such as `yes` do not have it in YAML 1.2. */
function isQuoted({ type, text }: Written, must: MustBe): boolean {
  if (type !== 'string') return false;
  if (must === 'boolean') return /^(?:true|false)$/i.test(text) && plainType(text) === 'boolean';
  const number = must === 'integer' ? /^-?\d{1,19}$/ : /^-?\d{1,19}(?:\.\d{1,19})?$/;
  return (must === 'integer' || must === 'number') && number.test(text) && !hasLeadingZero(text);
}

/** Returns the boolean or number that a string certainly means. */
function meantScalar({ type, text }: Written, must: MustBe): string | undefined {
  if (type !== 'string') return undefined;
  if (must === 'quantity') return meantQuantity(text);
  const trimmed = text.trim();
  if (must === 'boolean' && plainType(trimmed.toLowerCase()) === 'boolean')
    return String(scalarData(trimmed.toLowerCase(), 'boolean'));
  return must === 'integer' && /^-?\d{1,19}$/.test(trimmed) && !hasLeadingZero(trimmed) ? trimmed : undefined;
}

/** Whether a number may have a different value without its quotes: Kubernetes reads `010` as octal, which is 8. */
function hasLeadingZero(text: string): boolean {
  return /^-?0\d/.test(text);
}

/** Matches fields whose scalars other rules validate, with their types. */
const validatedScalars =
  /^metadata\.(?:name|namespace|generateName)$|^metadata\.ownerReferences\[\d+\]\.(?:controller|blockOwnerDeletion)$|(?:^|\.)(?:taints|tolerations)\[\d+\]\.(?:key|value|effect|operator)$/;

function isReportedElsewhere({ path, key, wrong, isItem }: WrongType): boolean {
  const field = path === '' ? key.text : `${path}.${key.text}`;
  if (field.endsWith('finalizers')) return true;
  const isScalar = wrong !== undefined && isItem !== true;
  return isScalar && (validatedScalars.test(field) || (key.text === 'weight' && path.includes('.nodeAffinity.')));
}

/** Whether the field is a map of labels, annotations or a selector, or inside one: rules about labels and selectors report it. */
function isInLabels({ selectorSites, labelSites }: ManifestObject, { path, key }: WrongType): boolean {
  const field = path === '' ? key.text : `${path}.${key.text}`;
  return [...selectorSites, ...labelSites].some((site) => field === site.path || field.startsWith(`${site.path}.`));
}
