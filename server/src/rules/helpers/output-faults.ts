/** Finds fields that the API server rejects in the output of a template, which values of the chart or helpers write. */

import { unescaped } from '../../manifests/helm/execution/template-value.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { manifestOfOutput } from '../../manifests/rendered-objects.ts';
import type { MapNode, Node } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import { chartFamilyOf } from '../../workspace/charts/chart-family.ts';
import { isInTemplates } from '../../workspace/charts/chart-files.ts';
import { withManifest } from '../../workspace/kustomize/view.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import { loadedRules } from '../framework/loaded-rules.ts';
import type { Finding, Related, Rule, RuleContext } from '../framework/rule.ts';
import { isPlaceholder } from './name-placeholders.ts';
import { objectNameOf } from './sentences.ts';
import { mayVary } from './written-faults.ts';

/** A field that is invalid in the output of a template, at the position in the template that writes it. */
export interface OutputFault {
  readonly span: Span;
  readonly message: string;
  /** Whether other values of the chart may write another text. */
  readonly mayVary: boolean;
  /** Whether a value of the chart certainly writes the text, in contrast to a helper. */
  readonly isDefault: boolean;
  readonly related: readonly Related[];
}

/** Labels, annotations and their selectors are validated with their origins, so that only other fields with keys of labels remain. */
const labelKeyRule = 'label-key-syntax';

/** Yields the faults in the output of a template that these rules do not report where the text is written. */
export function* fieldFaultsInOutput(context: RuleContext): Iterable<OutputFault> {
  const { workspace, executed = workspace, catalogue, uri, file } = context;
  if (!isInTemplates(uri)) return;
  const seen = new Set<string>();
  for (const scope of executed.scopes().ofFile(uri)) {
    const output = scope.release && executed.rendering(scope.path, catalogue)?.outputs?.get(uri);
    if (output === undefined) continue;
    const { text, manifest, source } = manifestOfOutput(output, catalogue);
    if (manifest.syntaxErrors > 0) continue;
    const inOutput = context.contextOf(withManifest(file, manifest), text);
    for (const rule of loadedRules()) {
      if (!rule.validatesFields) continue;
      const found = rule
        .find(inOutput)
        .filter((each) => each.severity === 'error' && isMeant(rule, each, manifest, text));
      if (found.length === 0) continue;
      const known = new Set(rule.find(context).map(placeOf));
      const inValues = faultsInValues(rule, context);
      if (inValues === undefined) continue;
      for (const { span: inText, message } of found) {
        const span = source.span(inText);
        const place = placeOf({ span, message });
        if (known.has(place) || inValues.has(faultOf(message, text, inText)) || seen.has(place)) continue;
        const written = context.text.slice(span.start, span.end);
        const object = manifest.objects.find((each) => contains(each.span, inText));
        const parent = object && innermostMap(treeOf(inOutput, object), inText);
        if (isPlaceholder(text.slice(inText.start, inText.end)) || (parent && hasEmptyField(parent))) continue;
        // Users must often set values that are empty by default.
        if (!written.includes('{{') && hasEmptyValue.test(text.slice(inText.end, inText.end + maximumLine))) continue;
        seen.add(place);
        const related = object && { file, span: source.span(object.kindSpan), message: writtenInto(object) };
        yield {
          span,
          message,
          mayVary: !written.includes('{{') || mayVary.test(written),
          isDefault:
            !written.includes('{{') || (mayVary.test(written) && !/\b(?:include|template|tpl)\b/.test(written)),
          related: related ? [related] : [],
        };
      }
    }
  }
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

function writtenInto(object: ManifestObject): string {
  return localize`Written into ${objectNameOf(object)}.`;
}

function placeOf({ span, message }: Pick<Finding, 'span' | 'message'>): string {
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
