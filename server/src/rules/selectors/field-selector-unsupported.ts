/** Reports field selectors with fields by which objects of the kind cannot be selected. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import type { FieldsFact, GroupKind } from '../../engine/catalogue/types.ts';
import { parseFieldTree } from '../../engine/index.ts';
import type { ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { concretePath } from '../../manifests/sites/catalogue-paths.ts';
import { localize } from '../../text/localize.ts';
import { misspelling } from '../../text/misspelling.ts';
import type { Span } from '../../text/span.ts';
import { stepsOf, targetAt, treeOf } from '../../workspace/object-trees.ts';
import { fieldsOf } from '../../workspace/selectable-fields.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { shorten } from '../helpers/sentences.ts';
import { spanInText } from '../helpers/text-span.ts';

interface UnsupportedField extends Fact {
  readonly field: string;
  readonly target: GroupKind;
  /** The supported fields or, for a value that the field never has, its values. */
  readonly supported: readonly string[];
  readonly value?: string;
}

export const fieldSelectorUnsupported = rule<UnsupportedField>({
  id: 'field-selector-unsupported',
  severity: 'error',
  needs: 'selectors',
  acrossFiles: true,
  summary:
    'A field selector with a field that objects of this kind do not support, or with a value that the field never has.',
  why: 'Each kind supports only a few fields in field selectors. For every other field, the API server returns the error "field label not supported", so the client gets no objects. Some fields have only a few values: `status.phase` of a pod is never `Completed`.',
  bad: [
    {
      title: '`spec.node` instead of `spec.nodeName`.',
      text: chaosWith('spec.node: node-1'),
    },
  ],
  good: [
    {
      title: 'A supported field of pods.',
      text: chaosWith('spec.nodeName: node-1'),
    },
  ],
  *check(context) {
    for (const object of [...context.stored, ...(context.manifest.inline ?? [])]) {
      for (const site of object.selectorSites) {
        if (!site.fact.plain) continue;
        const named = namedFields(context, object, site);
        const targets = named.length === 0 ? [] : knownTargets(context, object, site);
        const severity = isBuiltIn(object.group) ? {} : { severity: 'warning' as const };
        for (const { field, span, value } of named) {
          // Documentation writes `FIELD=VALUE`.
          if (object.inline && /^[A-Z_]+$/.test(field)) continue;
          const lacking = targets.find(
            ({ fields, aliases }) => !fields.includes(field) && !Object.hasOwn(aliases, field),
          );
          if (lacking !== undefined) {
            yield { span, field, target: lacking.target, supported: lacking.fields, ...severity };
            continue;
          }
          const [known] = targets.length === 1 ? targets : [];
          const values = known?.values.get(field) ?? [];
          if (known === undefined || value === undefined || values.length === 0 || values.includes(value.text))
            continue;
          // A value that is empty selects the objects without the field.
          if (value.text !== '')
            yield { ...value, value: value.text, field, target: known.target, supported: values, severity: 'warning' };
        }
      }
    }
  },
  message({ field, target, supported, value }) {
    if (value !== undefined)
      return localize`${target.kind} field '${shorten(field)}' is never '${shorten(value)}'; it is ${supported.map((each) => `'${each}'`).join(', ')}.`;
    if (field.startsWith('metadata.labels'))
      return localize`Field selectors do not support labels: use a label selector for '${shorten(field)}'.`;
    const known = supported.map((each) => `'${each}'`).join(', ');
    if (onlyDocumented.has(`${target.group}/${target.kind} ${field}`)) {
      return localize`The Kubernetes documentation lists '${field}' for ${target.kind}s, but the API server does not support it; supported fields: ${known}.`;
    }
    return localize`Field selectors of ${target.kind} do not support '${shorten(field)}'; supported fields: ${known}.`;
  },
  fixes({ field, supported, span, value }, { text }) {
    if (value !== undefined) {
      const meant = valueMeantBy(value, supported);
      if (meant === undefined || text.slice(span.start, span.end) !== value) return [];
      return [{ title: localize`Change the value to '${meant}'`, edits: [{ span, text: meant }], preferred: true }];
    }
    const nearest = nearestField(field, supported);
    // Escaped or folded text cannot be edited.
    if (nearest === undefined || text.slice(span.start, span.end) !== field) return [];
    return [{ title: localize`Change the field to '${nearest}'`, edits: [{ span, text: nearest }], preferred: true }];
  },
});

/** The words that kubectl prints instead of a phase. */
const synonyms: ReadonlyMap<string, string> = new Map([['Completed', 'Succeeded']]);

/** Returns the value that was probably intended: it differs only in case, or it is the only one that is spelled similarly. */
function valueMeantBy(value: string, supported: readonly string[]): string | undefined {
  const same = supported.find((each) => each.toLowerCase() === value.toLowerCase()) ?? synonyms.get(value);
  if (same !== undefined) return supported.includes(same) ? same : undefined;
  const similar = supported.filter((each) => misspelling(each.toLowerCase(), value.toLowerCase()) !== undefined);
  return similar.length === 1 ? similar[0] : undefined;
}

/** Fields that the table in the documentation lists, but that no API server accepts (kubernetes/kubernetes issue 135136). */
const onlyDocumented: ReadonlySet<string> = new Set(['apps/ReplicaSet status.replicas']);

function chaosWith(field: string): string {
  return `apiVersion: chaos-mesh.org/v1alpha1
kind: PodChaos
metadata:
  name: basket
spec:
  action: pod-kill
  mode: all
  selector:
    fieldSelectors:
      ${field}
`;
}

interface KnownTarget {
  readonly target: GroupKind;
  readonly fields: readonly string[];
  readonly aliases: FieldsFact['aliases'];
  /** The values of the fields that have only a few values. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/** Returns the selected kinds whose fields are known. kubectl queries each kind of a command, so each of them must support the field. Several custom resources may be alternatives for one word. */
function knownTargets(context: RuleContext, object: ManifestObject, site: SelectorSite): readonly KnownTarget[] {
  const targets = targetsOf(context, object, site);
  if (targets.length > 1 && !object.inline) return [];
  return targets.flatMap((target): readonly KnownTarget[] => {
    const known = targets.length === 1 || isBuiltIn(target.group) ? fieldsOf(context, target) : undefined;
    if (known === undefined) return [];
    // The values of fields of other types are examples.
    const closed = known.fields.filter(({ type }) => type === 'enum' || type === 'bool');
    const values = new Map(closed.map(({ field, values: all = [] }) => [field, all]));
    return [{ target, fields: known.fields.map(({ field }) => field), aliases: known.aliases, values }];
  });
}

/** Returns the selected kinds; another field of the object may determine the kind. */
function targetsOf(
  context: RuleContext,
  object: ManifestObject,
  { fact: { targets, targetsBy }, path }: SelectorSite,
): readonly GroupKind[] {
  if (targetsBy === undefined) return targets;
  const node = targetAt(treeOf(context, object), stepsOf(concretePath(targetsBy.at, path)))?.node;
  if (node?.kind !== 'scalar' || node.pattern !== undefined) return [];
  const word = node.text.toLowerCase();
  const kind = Object.hasOwn(targetsBy.kinds, word) ? targetsBy.kinds[word] : undefined;
  return kind === undefined ? [] : [kind];
}

interface NamedField {
  readonly field: string;
  readonly span: Span;
  readonly value?: { readonly text: string; readonly span: Span };
}

function namedFields(context: RuleContext, object: ManifestObject, site: SelectorSite): readonly NamedField[] {
  const { fact, text, open } = site;
  if (fact.form === 'fieldSelectorString' && text !== undefined && !open) {
    return parseFieldTree(text.text).requirements.flatMap(({ field, value, requirement }) => {
      if (requirement === undefined || requirement.field === '') return [];
      const known = typeof requirement.value === 'string' && value !== undefined;
      const of = known ? { value: { text: requirement.value, span: spanInText(text, value) } } : {};
      return [{ field: requirement.field, span: spanInText(text, field), ...of }];
    });
  }
  const map =
    fact.form === 'fieldSelectorMap' ? targetAt(treeOf(context, object), stepsOf(site.path))?.node : undefined;
  if (map?.kind !== 'map') return [];
  const keys = map.entries.filter(({ key, merged }) => key.pattern === undefined && !merged).map(({ key }) => key);
  return keys.map((key) => ({ field: key.text, span: key.span }));
}

/** Returns the only supported field that is spelled similarly, or that begins with an incomplete field such as `spec.node`. */
function nearestField(field: string, supported: readonly string[]): string | undefined {
  const similar = supported.filter((each) => misspelling(field, each) !== undefined);
  const near = similar.length > 0 ? similar : supported.filter((each) => each.startsWith(field));
  return near.length === 1 ? near[0] : undefined;
}
