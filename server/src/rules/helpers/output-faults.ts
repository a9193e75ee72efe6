/** Finds fields that the API server rejects in the output of a template, which values of the chart or helpers write. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { getOrAdd, memoized } from '../../engine/memoize.ts';
import type { SourceMap, TemplateOutput } from '../../manifests/helm/execution/output.ts';
import { unescaped } from '../../manifests/helm/execution/template-value.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { manifestOfOutput } from '../../manifests/rendered-objects.ts';
import type { MapNode, Node } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import { chartFamilyOf } from '../../workspace/charts/chart-family.ts';
import { isInTemplates } from '../../workspace/charts/chart-files.ts';
import { buildsWithAny, withManifest } from '../../workspace/kustomize/view.ts';
import type { Workspace, WorkspaceFile } from '../../workspace/model.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { scopeName } from '../../workspace/scopes/scope-names.ts';
import { loadedRules } from '../framework/loaded-rules.ts';
import type { Finding, Related, Rule, RuleContext } from '../framework/rule.ts';
import { isPlaceholder } from './name-placeholders.ts';
import { hasValues, type ReleaseScalar, spanOfValue, valueOfRelease } from './release-values.ts';
import { objectNameOf } from './sentences.ts';
import { mayVary } from './written-faults.ts';

/** A field that is invalid in the output of a template, at the position in the template that writes it. */
export interface OutputFault {
  readonly span: Span;
  readonly message: string;
  /** The text that an action writes, if it is one line. */
  readonly written?: string;
  /** Whether other values of the chart may write another text. */
  readonly mayVary: boolean;
  /** Whether a value of the chart certainly writes the text, in contrast to a helper. */
  readonly isDefault: boolean;
  readonly related: readonly Related[];
}

/** Labels, annotations and their selectors are validated with their origins, so that only other fields with keys of labels remain. */
const labelKeyRule = 'label-key-syntax';

/** A fault in the output of a template of a scope. */
interface Found {
  readonly rule: Rule;
  readonly message: string;
  /** The position in the output. */
  readonly inText: Span;
  /** The position in the template that wrote it. */
  readonly span: Span;
}

/** The output of a template as a file of its own, and its faults. */
interface CheckedOutput {
  readonly text: string;
  readonly context: RuleContext;
  readonly template: WorkspaceFile;
  readonly source: SourceMap;
  readonly found: readonly Found[];
}

/** The results for the outputs of a state of the workspace: both the template and the GitOps object need them. */
const knownOutputs = memoized((_: Workspace) =>
  memoized((__: Catalogue) => new WeakMap<TemplateOutput, { readonly checked: CheckedOutput | undefined }>()),
);

/** Returns the faults in the output of a template; undefined if there are none. */
export function checkedOutput(
  context: RuleContext,
  template: WorkspaceFile,
  output: TemplateOutput,
): CheckedOutput | undefined {
  const known = knownOutputs(context.workspace)(context.catalogue);
  return getOrAdd(known, output, () => ({ checked: check(context, template, output) })).checked;
}

function check(context: RuleContext, template: WorkspaceFile, output: TemplateOutput): CheckedOutput | undefined {
  const { text, manifest, source } = manifestOfOutput(output, context.catalogue);
  if (manifest.syntaxErrors > 0 || manifest.objects.length === 0) return undefined;
  const inOutput = context.contextOf(withManifest(template, manifest), text);
  const found = loadedRules().flatMap((rule) => {
    if (!rule.validatesFields) return [];
    const errors = rule
      .find(inOutput)
      .filter((each) => each.severity === 'error' && isMeant(rule, each, manifest, text));
    return errors.map(({ span, message }): Found => ({ rule, message, inText: span, span: source.span(span) }));
  });
  return found.length === 0 ? undefined : { text, context: inOutput, template, source, found };
}

/** Yields the faults in the output of a template that these rules do not report where the text is written. */
export function* fieldFaultsInOutput(context: RuleContext): Iterable<OutputFault> {
  const { workspace, executed = workspace, catalogue, uri, file } = context;
  if (!isInTemplates(uri)) return;
  const seen = new Set<string>();
  for (const scope of executed.scopes().ofFile(uri)) {
    const output = executed.rendering(scope.path, catalogue)?.outputs?.get(uri);
    const checked = output && checkedOutput(context, file, output);
    if (checked === undefined) continue;
    const { text, context: inOutput, found } = checked;
    const { objects } = inOutput.manifest;
    const inRelease = new Set(scope.gitops === undefined ? [] : faultsInReleaseValues(executed, scope, checked).keys());
    for (const each of found) {
      const { rule, span, inText, message } = each;
      if (inRelease.has(each) || seen.has(placeOf(each))) continue;
      // Findings are cached for each rule.
      if (rule.find(context).some((known) => placeOf(known) === placeOf(each))) continue;
      const inValues = faultsInValues(rule, context);
      if (inValues === undefined || inValues.has(faultOf(message, text, inText))) continue;
      const written = context.text.slice(span.start, span.end);
      const object = objects.find((other) => contains(other.span, inText));
      const parent = object && innermostMap(treeOf(inOutput, object), inText);
      if (isPlaceholder(text.slice(inText.start, inText.end)) || (parent && hasEmptyField(parent))) continue;
      // Users must often set values that are empty by default.
      if (!written.includes('{{') && hasEmptyValue.test(text.slice(inText.end, inText.end + maximumLine))) continue;
      seen.add(placeOf(each));
      const related = object && {
        file,
        span: checked.source.span(object.kindSpan),
        message: writtenInto(object, scope),
      };
      const isLiteral = !written.includes('{{');
      const line = onlyLine(text.slice(inText.start, inText.end));
      yield {
        span,
        message,
        ...(!isLiteral && line !== undefined && { written: line }),
        mayVary: scope.gitops === undefined && (isLiteral || mayVary.test(written)),
        isDefault:
          scope.gitops === undefined &&
          (isLiteral || (mayVary.test(written) && !/\b(?:include|template|tpl)\b/.test(written))),
        related: related ? [related] : [],
      };
    }
  }
}

/** Returns a scalar on one line without its quotes. */
export function onlyLine(text: string): string | undefined {
  return /^(["']?)([^"'\n]{1,100})\1$/.exec(text)?.[2];
}

/** Yields the faults in the output of charts that values in GitOps objects of this file write. */
export function* fieldFaultsOfReleases(context: RuleContext): Iterable<OutputFault> {
  const { workspace, catalogue, uri } = context;
  if (workspace.appliedBy !== undefined || !context.has('gitops')) return;
  const seen = new Set<string>();
  for (const scope of buildsWithAny(workspace, new Set([uri]))) {
    if (scope.gitops?.uri !== uri || !hasValues(workspace, scope)) continue;
    for (const [template, output] of workspace.rendering(scope.path, catalogue)?.outputs ?? []) {
      const file = workspace.files.get(template);
      const checked = file && checkedOutput(context, file, output);
      if (file === undefined || checked === undefined) continue;
      const { objects } = checked.context.manifest;
      for (const [{ rule, message, inText }, value] of faultsInReleaseValues(workspace, scope, checked)) {
        const span = spanOfValue(context.text, value);
        if (seen.has(placeOf({ span, message })) || rule.find(context).some((each) => each.span.start === span.start))
          continue;
        seen.add(placeOf({ span, message }));
        const object = objects.find((other) => contains(other.span, inText));
        const related = object && {
          file,
          span: checked.source.span(object.kindSpan),
          message: writtenInto(object, scope),
        };
        yield { span, message, mayVary: false, isDefault: false, related: related ? [related] : [] };
      }
    }
  }
}

/** Returns the faults that values of the GitOps object of a scope write, with the positions of these values. */
function faultsInReleaseValues(
  workspace: Workspace,
  scope: Scope,
  { text, template, source, found }: CheckedOutput,
): ReadonlyMap<Found, ReleaseScalar> {
  const places = new Map<Found, ReleaseScalar>();
  for (const each of found) {
    if (source.isLiteral(each.inText)) continue;
    const scalar = scalarAt(text, each.inText);
    const action = template.template?.slice(each.span.start, each.span.end) ?? '';
    const value = scalar && valueOfRelease(workspace, scope, { is: 'value', ...scalar, action });
    if (value !== undefined) places.set(each, value);
  }
  return places;
}

/** Returns the text of a scalar without its quotes, and its key if it is a value. */
function scalarAt(text: string, { start, end }: Span): { readonly text: string; readonly key?: string } | undefined {
  const written = /^(["']?)([^"'\n]*)\1$/.exec(text.slice(start, end))?.[2];
  if (written === undefined || written === '') return undefined;
  if (/^["']?[ \t]*:(?:\s|$)/.test(text.slice(end, end + maximumLine))) return undefined;
  const before = text.slice(Math.max(text.lastIndexOf('\n', start - 1) + 1, start - maximumLine), start).trimEnd();
  const words = before.endsWith(':') ? before.slice(0, -1).split(/[\s{,"']/) : [];
  const key = words.findLast((word) => word !== '');
  return { text: written, ...(key !== undefined && { key }) };
}

/** Returns the innermost map that contains a span. */
function innermostMap(node: Node | undefined, span: Span): MapNode | undefined {
  if (node === undefined || node.kind === 'scalar') return undefined;
  const children = node.kind === 'map' ? node.entries.map(({ value }) => value) : node.items;
  const inner = children.find((child) => contains(child.span, span));
  return innermostMap(inner, span) ?? (node.kind === 'map' ? node : undefined);
}

/** Whether a field of a map is empty, as values are that users must set. */
function hasEmptyField({ entries }: MapNode): boolean {
  return entries.some(({ value }) => {
    if (value.kind === 'scalar') return value.type === 'null' || value.text === '';
    return value.kind === 'map' ? value.entries.length === 0 : value.items.length === 0;
  });
}

export function writtenInto(object: ManifestObject, scope: Scope): string {
  const name = objectNameOf(object);
  return scope.gitops === undefined
    ? localize`Written into ${name}.`
    : localize`Written into ${name} in ${scopeName(scope, [scope])}.`;
}

export function placeOf({ span, message }: Pick<Finding, 'span' | 'message'>): string {
  return `${span.start} ${message}`;
}

/** Returns the message of a fault with the scalar that it concerns, which templates write with or without quotes. The text of a map or list has no fixed form. */
function faultOf(message: string, text: string, { start, end }: Span): string {
  const scalar = /^["']?([^"'{}[\]\n]*)["']?$/.exec(text.slice(start, end))?.[1] ?? '';
  return `${message} ${scalar}`;
}

function contains({ start, end }: Span, inner: Span): boolean {
  return start <= inner.start && inner.end <= end;
}

/** Whether a finding is about a text that is known and not empty, and no other rule validates the text. Users must often set values that are empty by default. */
function isMeant(rule: Rule, { span }: Finding, { objects }: RuleContext['manifest'], text: string): boolean {
  const written = text.slice(span.start, span.end);
  if (unescaped(written) !== written || written.includes('{{') || isEmpty.test(written)) return false;
  const isKey = ({ labelKeySites }: ManifestObject) => labelKeySites.some(({ key }) => key.span.start === span.start);
  return rule.id !== labelKeyRule || objects.some(isKey);
}

/** Matches the text after a key whose value is empty. */
const hasEmptyValue = /^["']?[ \t]*:\s*(?:\[\s*\]|\{\s*\}|null\b|~|""|'')/;
const maximumLine = 200;

const isEmpty = /^(?:""|''|null|~|\s*)$/;

/** Returns the faults that a rule reports in the values files of the installed charts; undefined if they are unknown, because a text is not in memory. */
function faultsInValues(rule: Rule, context: RuleContext): ReadonlySet<string> | undefined {
  const { workspace, uri } = context;
  const found = new Set<string>();
  for (const folder of chartFamilyOf(workspace, uri)?.members.keys() ?? []) {
    const values = workspace.at(folder, 'values.yaml');
    const file = workspace.files.get(values);
    if (file === undefined || file.manifest.objects.length === 0) continue;
    const text = context.textOf(values);
    if (text === undefined) return undefined;
    for (const { span, message } of rule.find(context.contextOf(file, text))) found.add(faultOf(message, text, span));
  }
  return found;
}
