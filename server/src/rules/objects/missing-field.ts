/** Reports required fields that are missing, with fixes that insert a selector made of labels of the template. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import type { GroupKind, SelectorFact } from '../../engine/catalogue/types.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import type { FieldFault, ManifestObject } from '../../manifests/model.ts';
import { replaceScalar, scalarText } from '../../manifests/write/write-text.ts';
import type { Edit } from '../../text/edit.ts';
import { indentationOf } from '../../text/indentation.ts';
import { lineEnd } from '../../text/lines.ts';
import { localize } from '../../text/localize.ts';
import { misspelling } from '../../text/misspelling.ts';
import type { Span } from '../../text/span.ts';
import { mayReplace, type TransformerSource, transformerSpan } from '../../workspace/kustomize/transformer-sources.ts';
import { isEdited, isRendered, type Scope } from '../../workspace/scopes/model.ts';
import { knownPairs, type Label } from '../fixes/fill-selector.ts';
import { type Fact, type Fix, type Related, type RuleContext, rule } from '../framework/rule.ts';
import { isExpectedState, isTestData } from '../framework/test-data.ts';
import { isNamedByTools } from '../helpers/run-to-completion.ts';
import { objectNameOf } from '../helpers/sentences.ts';
import { changesWithReleases } from '../helpers/unstable-keys.ts';

interface MissingField extends Fact {
  readonly fault: Extract<FieldFault, { readonly is: 'missing' | 'untyped' }>;
  readonly object?: ManifestObject;
  /** Whether the file contains the field, and a patch removes it. */
  readonly isRemoved?: true;
}

export const missingField = rule<MissingField>({
  id: 'missing-field',
  severity: 'error',
  asApplied: true,
  summary: 'A required field that is missing.',
  why: 'Every object needs `apiVersion`, `kind` and a name, and a workload also needs a selector: the API server rejects an object without them. A workload without a template or containers is usually a part that a tool completes, so that only the hover of its kind states it. Patches, partial objects and excerpts with `...` may leave them out, but no patch may remove a required selector. If an object without any metadata, or a Pod or Job without a name, is in no kustomization or chart and no GitOps object applies it, the severity of the finding is `information`, because the object may be a part that is merged into another object, or a template to which a tool adds a name for each run.',
  bad: [
    {
      title: 'A Deployment without a selector.',
      text: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: basket
spec:
  template:
    metadata:
      labels:
        app: basket
    spec:
      containers: [{ name: web, image: shop/basket }]
`,
    },
    {
      title: 'An object without a name.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  labels:
    app: basket
data:
  currency: EUR
`,
    },
  ],
  good: [
    {
      title: 'A Deployment whose selector matches the labels of its template.',
      change: [
        'spec:',
        `spec:
  selector:
    matchLabels:
      app: basket`,
      ],
    },
  ],
  *check(context) {
    const { manifest, workspace, uri } = context;
    if (workspace.scopes().isPatch(uri)) return;
    for (const object of context.stored) yield* removedSelectors(context, object);
    // The states that tests expect are partial objects.
    if (manifest.faults === undefined || isExpectedState(uri)) return;
    const objects = new Map(context.stored.map((object) => [object.kindSpan.start, object]));
    const faults = manifest.faults;
    const unknown = new Map<number, Unknown[]>();
    for (const fault of faults) if (fault.is === 'unknown') getOrAdd(unknown, fault.object, () => []).push(fault);
    for (const fault of faults) {
      if (fault.is === 'untyped') yield { span: fault.other.span, fault };
      const object = fault.is === 'missing' ? objects.get(fault.object) : undefined;
      if (fault.is !== 'missing' || object === undefined || isWritten(object, fault)) continue;
      // Partial objects of tools and tests often have no pods, so the missing parts are only shown in the hover.
      if (isMisspelled(unknown.get(fault.object) ?? [], fault) || podFields.has(fault.field)) continue;
      // A kustomization may add the field, and so may a branch of a template that is read as another container.
      const mayBeAdded = context.mentions('conditions') || workspace.scopes().ofFile(uri).some(isEdited);
      if (isOther(fault) && mayBeAdded) continue;
      const isPart =
        isOfParts(context, fault) || (isPartial(fault, object) && !workspace.scopes().ofFile(uri).some(isApplied));
      yield { span: fault.span, fault, object, ...(isPart && { severity: 'information' as const }) };
    }
  },
  message({ fault, object, isRemoved }) {
    if (isRemoved && object !== undefined) {
      const field = `${fault.is === 'missing' ? fault.path : ''}.${fault.field}`;
      return localize`A patch removes \`${field}\` of ${objectNameOf(object)}; the API server rejects it.`;
    }
    if (fault.is === 'untyped') {
      return localize`This object has no \`${fault.field}\`; the API server rejects it.`;
    }
    const kind = object?.kind ?? '';
    if (object !== undefined && isItemOfSameKind(object))
      return localize`\`kubectl\` reads this object as a list because of its field \`items\`; item ${kind} has no name.`;
    if (fault.field === 'name' && fault.path === 'metadata')
      return localize`${kind} has no name; \`metadata.name\` is required.`;
    const place = fault.path === '' ? fault.field : `${fault.path}.${fault.field}`;
    return localize`${kind} has no \`${place}\`; the API server rejects it.`;
  },
  fixes({ fault, object, isRemoved }, context) {
    if (isRemoved) return [];
    if (fault.is === 'untyped') return typeFixes(fault, context);
    if (fault.field !== 'selector' || object === undefined) return [];
    const edit = selectorEdit(context.text, object, fault.path);
    return edit === undefined
      ? []
      : [{ title: localize`Add a selector with the template's labels`, edits: [edit], preferred: true }];
  },
});

/** Yields the required selectors of an object that a patch removes. */
function* removedSelectors(context: RuleContext, object: ManifestObject): Iterable<MissingField> {
  const { workspace, uri, catalogue } = context;
  const { kindSpan, selectorSites, obscured } = object;
  if (workspace.written === undefined || obscured || !isBuiltIn(object.group)) return;
  // The written object is searched only if the applied one lacks a selector that its kind requires.
  const facts = catalogue.kind(object.group, object.version, object.kind)?.selectors ?? [];
  if (!facts.some(isRequired) || selectorSites.some(({ fact }) => isRequired(fact))) return;
  const { objects = [] } = workspace.written.files.get(uri)?.manifest ?? {};
  const written = objects.find((each) => each.kindSpan.start === kindSpan.start);
  for (const { fact, path, state, keySpan } of written?.selectorSites ?? []) {
    if (!isRequired(fact) || state !== 'present') continue;
    const end = path.lastIndexOf('.');
    const fault: Missing = {
      is: 'missing',
      object: kindSpan.start,
      path: path.slice(0, end),
      field: path.slice(end + 1),
      span: keySpan,
    };
    yield { span: keySpan, fault, object, isRemoved: true, related: patchesOf(context, object, path) };
  }
}

function isRequired({ mustMatchTemplate, absent }: SelectorFact): boolean {
  return mustMatchTemplate && absent === 'invalid';
}

/** Returns the patches of the kustomization that may remove a field of an object. */
function patchesOf({ workspace, catalogue, uri }: RuleContext, object: ManifestObject, path: string) {
  const { written, appliedBy } = workspace;
  const built = appliedBy && written?.rendering(appliedBy.path, catalogue)?.objects;
  const own = built?.find((each) => each.file.uri === uri && each.object.kindSpan.start === object.kindSpan.start);
  return (own?.transformers ?? []).flatMap((transformer): readonly Related[] => {
    const file = workspace.files.get(transformer.uri);
    if (file === undefined || !mayReplace(transformer, path.split('.'))) return [];
    return [{ file, span: startOf(transformer), message: localize`The patch that removes it.` }];
  });
}

/** Returns the position of a patch: its kind, or its first operation. */
function startOf(transformer: TransformerSource): Span {
  if (transformer.kind === 'merge') return transformer.object.kindSpan;
  const { start } = transformerSpan(transformer);
  return { start, end: start };
}

/** Whether an object is an item of an object that is no List by its kind, so that both have the same kind. */
function isItemOfSameKind({ kind, kindSpan, span }: ManifestObject): boolean {
  return kindSpan.end <= span.start && kindSpan.end - kindSpan.start === kind.length;
}

type Unknown = Extract<FieldFault, { readonly is: 'unknown' }>;
type Missing = Extract<FieldFault, { readonly is: 'missing' }>;

/** Whether the object as applied has the field, because a kustomization adds it: a name, or a selector from `commonLabels`. */
function isWritten({ name, generateName, selectorSites }: ManifestObject, { path, field }: Missing): boolean {
  if (field === 'name' && path === 'metadata') return (name ?? generateName) !== undefined;
  return selectorSites.some((site) => site.path === `${path}.${field}`);
}

/** Whether the objects of a scope are certainly applied. */
function isApplied(scope: Scope): boolean {
  return scope.kind === 'chart' || isRendered(scope);
}

/** The fields without which an object has no pods. */
const podFields: ReadonlySet<string> = new Set(['spec', 'template', 'containers']);

/** Whether a missing field is neither the name nor the selector of an object. */
function isOther({ path, field }: Missing): boolean {
  return path !== 'metadata' && field !== 'selector';
}

/** Whether a missing field other than the name and the selector is in test data, in which objects are often not complete, or in a patch that no kustomization lists. */
function isOfParts({ uri, workspace }: RuleContext, fault: Missing): boolean {
  return isOther(fault) && (isTestData(uri, workspace.folders) || /[/_.-]patch(?:es)?[/_.-]/.test(uri));
}

/** Whether a tool probably adds the name of an object: the object has no metadata at all, so that it may be a part of another object, or it is created again for each run, as a Pod or a Job. */
function isPartial({ field, path, span, object: start }: Missing, object: ManifestObject): boolean {
  return field === 'name' && path === 'metadata' && (span.start === start || isNamedByTools(object));
}

/** Whether an unknown field of the same map is probably a misspelling of the missing field. */
function isMisspelled(unknown: readonly Unknown[], { path, field }: Missing): boolean {
  return unknown.some((each) => each.path === path && misspelling(field, each.key.text) !== undefined);
}

function typeFixes(
  { field, other, near }: Extract<FieldFault, { readonly is: 'untyped' }>,
  { catalogue, text }: RuleContext,
): readonly Fix[] {
  if (near !== undefined)
    return [{ title: localize`Change to '${field}'`, edits: [replaceScalar(near, field)], preferred: true }];
  if (field === 'kind') return [];
  const kinds = catalogue.named(other.text).filter(({ group, kind }) => kind === other.text && isBuiltIn(group));
  const versions = kinds.flatMap((each) => newestOf(each, catalogue));
  const line = text.lastIndexOf('\n', other.span.start - 1) + 1;
  const [version, ...others] = versions;
  if (version === undefined || others.length > 0 || !/^kind:/.test(text.slice(line))) return [];
  const edit = { span: { start: line, end: line }, text: `apiVersion: ${version}${lineEnd(text)}` };
  return [{ title: localize`Add 'apiVersion: ${version}'`, edits: [edit], preferred: true }];
}

function newestOf({ group, kind }: GroupKind, catalogue: RuleContext['catalogue']): readonly string[] {
  if (group === 'extensions') return [];
  const version = catalogue.kind(group, '', kind)?.versions.find((each) => catalogue.structure(group, each, kind));
  return version === undefined ? [] : [group === '' ? version : `${group}/${version}`];
}

/** Returns an edit that inserts a selector above a template, made of the labels of the template that do not change between releases. */
function selectorEdit(text: string, { templates }: ManifestObject, path: string): Edit | undefined {
  const template = templates.find((each) => each.path === `${path}.template`);
  const labels = template?.labels;
  if (template === undefined || labels === undefined || labels.open || labels.entries.length === 0) return undefined;
  const known = knownPairs(labels.entries)?.filter(([key]) => !changesWithReleases(key) && key !== 'version');
  const pairs = known && identifying(known);
  const line = text.lastIndexOf('\n', template.span.start - 1) + 1;
  const indent = text.slice(line, template.span.start);
  if (pairs === undefined || pairs.length === 0 || indent.trim() !== '') return undefined;
  const step = ' '.repeat(indentationOf(text).step);
  const lines = [
    `${indent}selector:`,
    `${indent}${step}matchLabels:`,
    ...pairs.map(([key, value]) => `${indent}${step}${step}${scalarText(key, 'plain')}: ${scalarText(value, 'plain')}`),
  ];
  return { span: { start: line, end: line }, text: lines.map((each) => each + lineEnd(text)).join('') };
}

/** Returns the recommended labels that identify an instance or, if there are none, all labels. */
function identifying(pairs: readonly Label[]): readonly Label[] {
  const recommended = pairs.filter(([key]) => /^app\.kubernetes\.io\/(?:name|instance|component)$/.test(key));
  return recommended.length > 0 ? recommended : pairs;
}
