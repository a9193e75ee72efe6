/** Reports fields that the API server does not know at their position, and fixes that rename or move them. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import { type Structure, type StructureField, structureAt } from '../../engine/catalogue/structures.ts';
import { memoized } from '../../engine/memoize.ts';
import type { FieldFault, ManifestObject } from '../../manifests/model.ts';
import { selectorAt } from '../../manifests/sites/site-at.ts';
import { fieldAt, moveField } from '../../manifests/write/write-field.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import type { Node } from '../../manifests/yaml/tree.ts';
import { editDistance } from '../../text/edit-distance.ts';
import { localize } from '../../text/localize.ts';
import { misspelling } from '../../text/misspelling.ts';
import { SimilarNames } from '../../text/similar-names.ts';
import { type Fact, type Fix, type RuleContext, rule } from '../framework/rule.ts';
import { checkedFaults } from '../helpers/checked-faults.ts';
import { hasOperations } from '../helpers/patch-parts.ts';
import { isWithoutFields, misspelledFields, nearSelectorField } from '../helpers/selector-fields.ts';
import { shorten } from '../helpers/sentences.ts';

type Unknown = Extract<FieldFault, { readonly is: 'unknown' }>;

interface UnknownField extends Fact {
  readonly fault: Unknown;
  readonly kind: string;
  /** The field of the same map that was probably intended. */
  readonly near?: string;
  /** The type of the field that was probably intended. */
  readonly known?: StructureField | undefined;
  /** The path of the map that can contain a field with this name. */
  readonly home?: string;
}

export const unknownField = rule<UnknownField>({
  id: 'unknown-field',
  severity: 'error',
  summary: 'A field that the API server does not know at this position.',
  why: 'By default, `kubectl apply` rejects an object with an unknown field (strict field validation). If a tool applies the object without validation, the API server drops the field: labels under `lables` are not set on the object, so no selector matches them. The known fields are those of Kubernetes v1.37. For a custom resource whose definition is not in the workspace, the rule reports only misspelled fields of metadata, pod templates and label selectors.',
  bad: [
    {
      title: 'Two letters are swapped: the Pod has no labels.',
      text: `apiVersion: v1
kind: Pod
metadata:
  name: basket
  lables:
    app: basket
spec:
  containers: [{ name: web, image: shop/basket }]
`,
    },
    {
      title: 'Labels belong in the metadata.',
      text: `apiVersion: v1
kind: Service
metadata:
  name: basket
labels:
  app: basket
spec:
  ports: [{ port: 80 }]
  selector: { app: basket }
`,
    },
  ],
  good: [
    {
      title: 'The field is spelled as in the API reference.',
      change: ['lables:', 'labels:'],
    },
  ],
  dependsOnOthers: hasOperations,
  *check(context) {
    const { catalogue } = context;
    for (const { faults, objects, inPatches } of checkedFaults(context)) {
      for (const fault of faults) {
        const object = fault.is === 'unknown' ? objects.get(fault.object) : undefined;
        if (fault.is !== 'unknown' || object === undefined || isReportedAsSelector(object, fault)) continue;
        const { group, version, kind } = object;
        const root = catalogue.structure(group, version, kind);
        const found = root === undefined ? nearInParts(context, object, fault) : nearIn(context, group, root, fault);
        // A separate rule reports these fields of an affinity. A patch may be for an object of another kind.
        if (found === undefined || fault.key.text.endsWith('RequiredDuringExecution')) continue;
        if (!inPatches || found.near !== undefined) yield { span: fault.key.span, fault, kind, ...found };
      }
    }
  },
  message({ fault: { key, path }, kind, near, home }) {
    const name = `'${shorten(key.text)}'`;
    const where = path === '' ? kind : `\`${shortPath(path)}\``;
    const help = near === undefined ? belongs(home) : localize`; did you mean '${near}'?`;
    return localize`${name} is not a field of ${where}${help === '' ? localize`; \`kubectl apply\` rejects it.` : help}`;
  },
  fixes({ fault, near, known, home }, { text }) {
    const field = fieldAt(text, fault.key.span.start);
    if (fault.key.text === '') return [];
    if (near !== undefined) {
      // The fields of an inline patch are not fields of the file.
      const isUsed = field?.maps.at(-1)?.entries.some(({ key }) => key.text === near);
      const isOfOtherType = known !== undefined && field !== undefined && !mayContain(known, field.entry.value);
      if (isUsed || isOfOtherType || fault.key.origin !== undefined) return [];
      return [{ title: localize`Change to '${near}'`, edits: [replaceScalar(fault.key, near)], preferred: true }];
    }
    return home === undefined || field === undefined ? [] : moveTo(text, field, fault.key.text, home);
  },
});

function moveTo(
  text: string,
  field: NonNullable<ReturnType<typeof fieldAt>>,
  key: string,
  home: string,
): readonly Fix[] {
  if (home.includes('[')) return [];
  const edits = moveField(text, field, home === '' ? [] : home.split('.'));
  if (edits === undefined) return [];
  const place = home === '' ? localize`the top level` : `\`${home}\``;
  return [{ title: localize`Move '${shorten(key)}' to ${place}`, edits, preferred: true }];
}

function belongs(home: string | undefined): string {
  if (home === undefined) return '';
  return home === '' ? localize`; it belongs at the top level.` : localize`; it belongs in \`${shortPath(home)}\`.`;
}

/** Returns the end of a path, to keep messages short. */
function shortPath(path: string): string {
  return path.length <= 50 ? path : `…${path.slice(path.indexOf('.', path.length - 49))}`;
}

/** Whether rules for selectors report the field: they report a selector without any known field, unless a field is misspelled. */
function isReportedAsSelector({ selectorSites }: ManifestObject, { path }: Unknown): boolean {
  const site = selectorAt(selectorSites, path);
  return site !== undefined && isWithoutFields(site) && misspelledFields(site).length === 0;
}

/** Whether a field may contain a value, so that the field with the value can be renamed to it. */
function mayContain({ has, structure, scalar }: StructureField, value: Node): boolean {
  if (value.kind === 'scalar' && (value.pattern !== undefined || value.type === 'null')) return true;
  if (has === 'items') return value.kind === 'list';
  if (has === 'values' || structure !== undefined) return value.kind === 'map';
  return scalar === undefined || value.kind === 'scalar';
}

type NearField = Pick<UnknownField, 'near' | 'known' | 'home' | 'severity' | 'common'>;

/** Returns the intended field in an object whose structure is known. */
function nearIn({ catalogue }: RuleContext, group: string, root: Structure, { path, key }: Unknown): NearField {
  const structure = path === 'metadata' ? catalogue.metadata() : structureAt(root, path);
  const near = structure && nearest(structure, key.text);
  const home = near === undefined ? homeOf(root, path, key.text) : undefined;
  // Only fields around labels, selectors and names are reported; validators that use a schema report all other fields.
  const isOurs = [key.text, near ?? '', path, home ?? ''].some((each) =>
    /label|select|metadata|annotation/i.test(each),
  );
  return {
    ...(near !== undefined && { near, known: structure?.fields.get(near) }),
    ...(home !== undefined && { home }),
    ...(!isOurs && { common: 'fields' }),
    // The definition of the custom resource in the cluster may be from a different release.
    ...(!isBuiltIn(group) &&
      path !== 'metadata' && { severity: near !== undefined && isTypo(near, key.text) ? 'warning' : 'information' }),
  };
}

/** Returns the field that was probably intended by an unknown field of `metadata`, a selector or a template, if the structure of the kind is unknown; undefined if there is none. */
function nearInParts(
  { catalogue }: RuleContext,
  object: ManifestObject,
  { path, key }: Unknown,
): NearField | undefined {
  const { group, version, kind, selectorSites } = object;
  const isSelector = selectorSites.some((site) => site.path === path);
  const names = path === 'metadata' ? metadataFields : templateFields;
  const near = isSelector ? nearSelectorField(key.text) : names.find((name) => isLikely(misspelling(name, key.text)));
  if (near === undefined) return undefined;
  const isCertain = path === 'metadata' && (isBuiltIn(group) || catalogue.kind(group, version, kind) !== undefined);
  return { near, severity: isCertain ? 'error' : 'warning' };
}

const templateFields = ['labels', 'annotations'];
const metadataFields = [...templateFields, 'name', 'namespace', 'generateName', 'finalizers', 'ownerReferences'];

/** Whether a word is probably a misspelling of a field, and no field of another release: words with one stem and other endings, such as `compression` and `compressor`, are different fields. */
function isTypo(near: string, word: string): boolean {
  const stem = Math.min(near.length, word.length) - 2;
  return (
    editDistance(near, word, 2) < 2 || (!word.startsWith(near.slice(0, stem)) && isLikely(misspelling(near, word)))
  );
}

function isLikely(found: ReturnType<typeof misspelling>): boolean {
  return found === 'evident' || found === 'likely';
}

const fieldNames = memoized(({ fields }: Structure) => new SimilarNames(fields.keys()));

/** Returns the field of a structure that is most similar to a word, if there is only one. */
function nearest(structure: Structure, word: string): string | undefined {
  const similar = fieldNames(structure).near(word);
  const found = similar.map((name) => ({ name, how: misspelling(name, word) }));
  for (const how of ['evident', 'likely', 'possible']) {
    const names = found.filter((each) => each.how === how).map(({ name }) => name);
    if (names.length > 0) return names.length === 1 ? names[0] : undefined;
  }
  return undefined;
}

/** Returns the nearest map around a path that can have a field, or else the metadata or spec of the object if they can. */
function homeOf(root: Structure, path: string, field: string): string | undefined {
  // The fields of an owner reference describe another object.
  if (path.includes('ownerReferences')) return undefined;
  for (let around: string | undefined = path; around !== undefined; around = parentOf(around)) {
    const prefix = around === '' ? '' : `${around}.`;
    const places = [...(around === path ? [] : [around]), `${prefix}metadata`, `${prefix}spec`];
    const home = places.find((place) => place !== path && structureAt(root, place)?.fields.has(field));
    if (home !== undefined) return home;
  }
  return undefined;
}

function parentOf(path: string): string | undefined {
  return path === '' ? undefined : path.slice(0, Math.max(path.lastIndexOf('.'), 0));
}
