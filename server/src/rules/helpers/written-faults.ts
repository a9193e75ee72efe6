/** Finds invalid labels, annotations and requirements that one file writes into objects of other files. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import {
  isLabelKey,
  type Problem,
  validateAnnotationKey,
  validateLabelKey,
  validateLabelValue,
} from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import type {
  Expression,
  LabelEntry,
  LabelSite,
  ManifestObject,
  SelectorSite,
  Written,
} from '../../manifests/model.ts';
import { helmFails } from '../../manifests/rendered-objects.ts';
import { isOldBoolean, readKey } from '../../manifests/yaml/scalar-types.ts';
import type { Origin } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { type ChartFamily, chartFamilyOf, chartFilesOf } from '../../workspace/charts/chart-family.ts';
import { isChartValues, isHelperFile, isInTemplates } from '../../workspace/charts/chart-files.ts';
import { buildsWithAny } from '../../workspace/kustomize/view.ts';
import type { ObjectInFile, Workspace } from '../../workspace/model.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { objectsOf } from '../../workspace/snapshot.ts';
import type { RuleContext, Severity } from '../framework/rule.ts';
import { isPlaceholder } from './name-placeholders.ts';
import { faultsInValues, valueOfRelease } from './release-values.ts';
import { effective, isKnownMap, mayMatchAnything, severityAt } from './validated-labels.ts';

/** A key, an operator or a value that is invalid in an object as it is applied. */
export interface WrittenFault {
  readonly object: ObjectInFile;
  /** The root kustomization or GitOps object that builds the object; absent for a template of a chart. */
  readonly scope?: Scope;
  readonly scalar: Written;
  readonly is: 'key' | 'value' | 'operator';
  readonly problems: readonly Problem[];
  /** Whether the key is the key of an annotation. */
  readonly ofAnnotation?: boolean;
  readonly severity: Severity | undefined;
  /** The key of the label, for a value. */
  readonly key?: Written;
  /** The path of the value in the values of the chart, if `scalar` is the action that writes it. */
  readonly value?: readonly string[];
  /** The value with the metadata of the chart, if `scalar` consists of actions that write this metadata. */
  readonly ofChart?: string;
  /** Whether the fault is in the output of a template, which the default values of the chart may determine. */
  readonly executed?: 'with any values' | 'with default values' | 'with the values of a release';
}

type Faults = ReadonlyMap<string, readonly WrittenFault[]>;

/** Returns the faults in objects of other files that a file writes, as far as the file itself determines them. */
export function faultsWrittenBy(context: RuleContext): readonly WrittenFault[] {
  const { workspace, catalogue, uri } = context;
  if (workspace.appliedBy !== undefined) return [];
  if (isHelperFile(uri) || isChartValues(uri)) return faultsOfCharts(workspace, uri).get(uri) ?? [];
  const ofTemplate = uri.includes('/templates/') ? (faultsOfCharts(workspace, uri).get(uri) ?? []) : [];
  const ofScopes = buildsWithAny(workspace, new Set([uri])).flatMap((scope) => {
    const rendering = workspace.rendering(scope.path, catalogue);
    if (rendering === undefined) return [];
    const written = getOrAdd(built, rendering, () => faultsIn(rendering.objects.filter(isChanged), scope));
    const inValues = scope.gitops?.uri === uri ? faultsInValues(workspace, scope, rendering.objects, context.text) : [];
    return [...(written.get(uri) ?? []), ...inValues.map((each) => ({ ...each, scope, severity: undefined }))];
  });
  return [...ofTemplate, ...ofScopes];
}

const built = new WeakMap<object, Faults>();
const rendered = new WeakMap<Workspace, Map<string, Faults>>();

function isChanged({ transformers }: { readonly transformers: readonly unknown[] }): boolean {
  return transformers.length > 0;
}

/** Returns the faults in the templates of the charts that are installed together with the chart of a file. */
function faultsOfCharts(workspace: Workspace, uri: string): Faults {
  const family = chartFamilyOf(workspace, uri);
  if (family === undefined) return new Map();
  const [outermost = ''] = family.members.keys();
  return getOrAdd(
    getOrAdd(rendered, workspace, () => new Map<string, Faults>()),
    outermost,
    () => faultsIn(objectsOfCharts(workspace, family)),
  );
}

/** Returns the objects in the templates of charts that are installed together. */
export function objectsOfCharts(workspace: Workspace, family: ChartFamily): readonly Checked[] {
  const templates = [...chartFilesOf(workspace, family)].flatMap(([template, folder]) => {
    const file = workspace.files.get(template);
    return file === undefined || file.objects === 0 ? [] : [{ file, values: workspace.at(folder, 'values.yaml') }];
  });
  return templates.flatMap(({ file, values }) =>
    objectsOf(workspace, file).map((object) => ({ file, object, values })),
  );
}

/** Returns the faults in the objects that a template creates when its chart is executed with its default values, the chosen ones, or those of a GitOps object, unless they are reported where a helper, a value or the metadata of the chart writes them. */
export function faultsInOutput(context: RuleContext): readonly WrittenFault[] {
  const { workspace, executed = workspace, catalogue, uri } = context;
  const scopes = isInTemplates(uri) ? executed.scopes().ofFile(uri) : [];
  const own = scopes.flatMap((scope) => {
    const rendering = executed.rendering(scope.path, catalogue);
    // A chart that Helm cannot install without its missing values or helpers has no output, but its faults remain.
    if (rendering === undefined || (scope.release === undefined && rendering.outputs?.has(uri) !== true)) return [];
    const objects = rendering.objects.filter(({ file, object }) => file.uri === uri && isCreated(object));
    const checked = objects.map(({ file, object }) => ({ file, object: withOrigins(object, uri, context.text) }));
    const found = faultsIn(checked, scope, true).get(uri) ?? [];
    const isInRelease = ({ is, scalar: { text }, key }: WrittenFault) =>
      is !== 'operator' && valueOfRelease(executed, scope, { is, text, ...(key && { key: key.text }) }) !== undefined;
    return scope.gitops === undefined ? found : found.filter((each) => !isInRelease(each));
  });
  if (own.length === 0) return [];
  const known = [...faultsOfCharts(workspace, uri).values()].flat();
  const keyOf = ({ object: { file, object }, scalar, key = scalar }: WrittenFault) =>
    `${file.uri} ${object.kindSpan.start} ${key.text}`;
  const reported = new Set(known.map(keyOf));
  const inValues = textsInValues(workspace, uri);
  return own
    .filter((fault) => !reported.has(keyOf(fault)) && !isWrittenDefault(fault, context.text))
    .flatMap((fault): readonly WrittenFault[] => {
      const span = fault.scalar.origin?.span;
      const written = span === undefined ? '' : context.text.slice(span.start, span.end);
      if (span !== undefined && !mayVary.test(written)) return [{ ...fault, executed: 'with any values' as const }];
      const { text, value } = fault.scalar;
      if (typeof value === 'string' && (value === '' || isPlaceholder(value))) return [];
      if (inValues.has(text) || lacksValues(text, written)) return [];
      if (fault.scope?.gitops !== undefined) return [{ ...fault, executed: 'with the values of a release' as const }];
      return [{ ...fault, severity: 'warning' as const, executed: 'with default values' as const }];
    });
}

/** Whether an action probably writes a separator at an end of the text because the default of a value that users must set is empty. */
function lacksValues(text: string, written: string): boolean {
  const unquoted = written.replace(/^["']|["']$/g, '');
  return (/^[-._/]/.test(text) && unquoted.startsWith('{{')) || (/[-._/]$/.test(text) && unquoted.endsWith('}}'));
}

/** Whether an action contains the value itself as a default, which another rule validates. */
function isWrittenDefault({ scalar: { origin, text } }: WrittenFault, template: string): boolean {
  const written = origin === undefined ? '' : template.slice(origin.span.start, origin.span.end);
  return /\bdefault\b/.test(written) && written.includes(JSON.stringify(text));
}

/** Returns the keys and values of the labels and selectors that the values files of a chart contain, which other rules validate. */
function textsInValues(workspace: Workspace, uri: string): ReadonlySet<string> {
  const folders = chartFamilyOf(workspace, uri)?.members.keys() ?? [];
  const objects = [...folders].flatMap((folder) => {
    return workspace.files.get(workspace.at(folder, 'values.yaml'))?.manifest.objects ?? [];
  });
  const sites = objects.flatMap(({ labelSites, selectorSites }) => [...labelSites, ...selectorSites]);
  return new Set(sites.flatMap(({ entries }) => entries.flatMap(({ key, value }) => [key.text, value.text])));
}

/** Matches what values of the chart, or helpers that read them, may determine. */
export const mayVary =
  /\$|\.(?:Values|Files|Capabilities|Subcharts)\b|\s\.[^A-Za-z]|\b(?:include|template|tpl|lookup)\b/;

/** Whether a template creates an object, or would do so if Helm did not fail. */
function isCreated({ conditions = [] }: ManifestObject): boolean {
  return conditions.every((each) => each === helmFails);
}

/** Returns an object in which the scalars that actions write have their positions in the template as their origins. */
function withOrigins(object: ManifestObject, uri: string, text: string): ManifestObject {
  const isOutput = ({ span }: Written) => text.slice(span.start, span.end).includes('{{');
  const written = (each: Written) => (isOutput(each) ? { ...each, origin: { uri, span: each.span } } : each);
  const entry = (each: LabelEntry) => ({ ...each, key: written(each.key), value: written(each.value) });
  const expression = (each: Expression) => ({
    ...each,
    ...(each.key && { key: written(each.key) }),
    ...(each.operator && { operator: written(each.operator) }),
    values: each.values.map(written),
  });
  return {
    ...object,
    labelSites: object.labelSites.map((site) => ({ ...site, entries: site.entries.map(entry) })),
    selectorSites: object.selectorSites.map((site) => ({
      ...site,
      entries: site.entries.map(entry),
      expressions: site.expressions.map(expression),
    })),
  };
}

/** An object, and the file with the default values of its chart. */
interface Checked extends ObjectInFile {
  readonly values?: string;
}

function faultsIn(objects: readonly Checked[], scope?: Scope, isOutput = false): Faults {
  const found = new Map<string, WrittenFault[]>();
  for (const { file, object, values } of objects) {
    if (!object.forCluster) continue;
    const reportingAt = ({ path }: LabelSite | SelectorSite): Reporting => ({
      add: (fault, uri) => {
        if (isFilledByController(object, path, fault.scalar)) return;
        getOrAdd(found, uri, () => []).push({ object: { file, object }, ...(scope && { scope }), ...fault });
      },
      values,
      isOutput,
    });
    for (const site of object.labelSites) if (isKnownMap(site)) entryFaults({ file, object }, site, reportingAt(site));
    for (const site of object.selectorSites) {
      if (!site.fact.plain || mayMatchAnything(site)) continue;
      entryFaults({ file, object }, site, reportingAt(site));
      requirementFaults(object, site, reportingAt(site));
    }
  }
  return found;
}

/** Whether a text is a template of the controller of a custom resource, which evaluates it before it writes an object of its own: the labels in an Argo WorkflowTemplate, an ApplicationSet or an ExternalSecret may contain `{{name}}`. */
function isFilledByController({ group }: ManifestObject, path: string, { text, value }: Written): boolean {
  return value === text && text.includes('{{') && !isBuiltIn(group) && !/^metadata\.(?:labels|annotations)$/.test(path);
}

type Add = (fault: Omit<WrittenFault, 'object'>, uri: string) => void;

interface Reporting {
  readonly add: Add;
  readonly values: string | undefined;
  /** Whether the objects are in the output of templates. */
  readonly isOutput: boolean;
}

function entryFaults(where: ObjectInFile, site: LabelSite | SelectorSite, { add, values, isOutput }: Reporting): void {
  const { object } = where;
  const areAnnotations = 'place' in site && site.place.holds === 'annotations';
  const certain = severityAt(object, site.path);
  for (const entry of effective(site.entries)) {
    const { key, conditional } = entry;
    const value = withOrigin(entry.value, site, where.file.uri);
    const severity = conditional ? 'warning' : certain;
    if (typeof key.value !== 'string' || key.text === '$patch') continue;
    if (key.origin !== undefined && !isLabelKey(readKey(key))) {
      const problems = (areAnnotations ? validateAnnotationKey : validateLabelKey)(readKey(key));
      if (problems.length > 0)
        add({ scalar: key, is: 'key', problems, ofAnnotation: areAnnotations, severity }, key.origin.uri);
    }
    const origin = originOfValue({ ...entry, value });
    if (origin !== undefined) {
      const problems = areAnnotations ? annotationProblems(site, value, isOutput) : valueProblems(value, isOutput);
      const scalar = isScalar(value) ? value : key;
      if (problems.length > 0) add({ scalar, is: 'value', key, problems, severity }, origin.uri);
    }
    if (areAnnotations || conditional) continue;
    if (values === undefined) continue;
    const ofChart = chartText(value);
    if (ofChart !== undefined) {
      const at = value.origin ?? { uri: where.file.uri, span: value.span };
      const found = validateLabelValue(ofChart);
      const scalar = { ...value, origin: at };
      if (found.length > 0) add({ scalar, is: 'value', key, problems: found, severity, ofChart }, at.uri);
      continue;
    }
    const path = defaultIn(value);
    if (path === undefined || isPlaceholder(path.assumed)) continue;
    const problems = validateLabelValue(path.assumed);
    if (problems.length > 0)
      add({ scalar: value, is: 'value', key, problems, severity: 'warning', value: path.value }, values);
  }
}

/** Returns a value with its position as its origin, if a replacement copied it from another place of the same file. */
function withOrigin(value: Written, { span }: LabelSite | SelectorSite, uri: string): Written {
  const isInside = value.span.start >= span.start && value.span.end <= span.end;
  return isInside || value.origin !== undefined || value.anchored || !isScalar(value)
    ? value
    : { ...value, origin: { uri, span: value.span } };
}

/** Returns the position that wrote a value. A patch that replaces a value keeps the key of the file. */
function originOfValue({ key, value, rendered: isRendered }: LabelEntry): Origin | undefined {
  return value.origin ?? (isRendered || !isScalar(value) ? key.origin : undefined);
}

function isScalar({ type }: Written): boolean {
  return type !== 'map' && type !== 'list';
}

function valueProblems(written: Written, isOutput: boolean): readonly Problem[] {
  const { type, value } = written;
  if (type !== 'string') return typeProblems('label', written, isOutput);
  if (typeof value === 'string') return validateLabelValue(value);
  return isOutput ? literalProblems(written) : [];
}

/** Matches an action that writes text, in contrast to one that begins or ends a block. */
const writingAction = /\{\{(?!-?\s*(?:if|else|end|range|with|define|block)\b)[^{}]*\}\}/g;
/** Matches a placeholder of another tool. */
const otherPlaceholder = /[{}$%<>]|@[^@]*@|__/;

/** Returns the problems of a value that it has whatever its actions write: those of the text around them. */
function literalProblems({ text }: Written): readonly Problem[] {
  if (otherPlaceholder.test(text.replace(writingAction, ''))) return [];
  const problems = validateLabelValue(text.replace(writingAction, 'x'));
  return validateLabelValue(text.replace(writingAction, '')).length > 0 ? problems : [];
}

/** kustomize writes the annotations of an object itself as strings. */
function annotationProblems(
  { path }: LabelSite | SelectorSite,
  written: Written,
  isOutput: boolean,
): readonly Problem[] {
  const areStrings = !isOutput && isScalar(written) && path === 'metadata.annotations';
  return areStrings ? [] : typeProblems('annotation', written, isOutput);
}

function typeProblems(of: 'label' | 'annotation', written: Written, isOutput: boolean): readonly Problem[] {
  const { type, value, text } = written;
  if (!isScalar(written))
    return [{ code: 'wrong-type', message: localize`${of} value must be a string, not a map or list` }];
  // kustomize, which implements YAML 1.2, writes quotes around words such as `yes`.
  if ((type !== 'number' && type !== 'boolean') || typeof value !== 'string') return [];
  if (!isOutput && isOldBoolean(text)) return [];
  return [{ code: 'wrong-type', message: localize`${of} value '${text}' must be quoted; unquoted, it is a ${type}` }];
}

/** Matches an action that writes a value of the chart unchanged. */
const valueAction =
  /^\{\{-?\s*\.Values((?:\.[A-Za-z_][\w]{0,100}){1,10})\s*(?:\|\s*(?:quote|squote|toString)\s*){0,2}-?\}\}$/;

/** Returns the path of a value of the chart that a scalar consists of, and its default; undefined for other scalars. */
function defaultIn({
  value,
  text,
}: Written): { readonly value: readonly string[]; readonly assumed: string } | undefined {
  if (typeof value === 'string' || typeof value.assumed !== 'string' || value.assumed === '') return undefined;
  const path = valueAction.exec(text)?.[1]?.slice(1).split('.');
  return path && { value: path, assumed: value.assumed };
}

/** Matches an action that writes the metadata of the chart unchanged. */
const chartAction = /\{\{-?\s*\.Chart\.[A-Z][A-Za-z]{0,20}\s*(?:\|\s*(?:quote|squote|toString)\s*){0,2}-?\}\}/g;
/** Matches a character of a placeholder that is filled in when the chart is packaged. */
const placeholder = /[${}%<>@]|^_|_$/;

/** Returns the text of a scalar whose actions write only the metadata of the chart, which users cannot override; undefined for other scalars. */
function chartText({ value, text }: Written): string | undefined {
  if (typeof value === 'string' || typeof value.assumed !== 'string' || !text.includes('.Chart.')) return undefined;
  return text.replace(chartAction, '').includes('{{') || placeholder.test(value.assumed) ? undefined : value.assumed;
}

/** Adds the faults of the `matchExpressions` of a label selector. */
function requirementFaults(
  object: ManifestObject,
  { selector, expressions, path }: SelectorSite,
  { add, values }: Reporting,
): void {
  if (expressions.every(isOwn) || selector === undefined || selector.ok) return;
  const severity = severityAt(object, path);
  for (const problem of selector.problems) {
    const [list, index, field, item] = problem.path ?? [];
    const expression = list === 'matchExpressions' ? expressions[Number(index)] : undefined;
    if (expression === undefined) continue;
    // The output of a template action may be a list.
    if (field === 'values' && typeof item !== 'number' && values !== undefined) continue;
    const scalar = scalarAt(expression, field, item);
    if (scalar?.origin === undefined || typeof scalar.value !== 'string') continue;
    const is = scalar === expression.key ? 'key' : scalar === expression.operator ? 'operator' : 'value';
    add({ scalar, is, problems: [problem], severity }, scalar.origin.uri);
  }
}

function isOwn({ key, operator, values }: Expression): boolean {
  return [key, operator, ...values].every((each) => each?.origin === undefined);
}

function scalarAt({ key, operator, values }: Expression, field: unknown, item: unknown): Written | undefined {
  if (field === 'key') return key;
  if (field === 'values' && typeof item === 'number') return values[item];
  return operator ?? key;
}
