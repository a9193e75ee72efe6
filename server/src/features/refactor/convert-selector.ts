/** Converts a selector between its forms: text, YAML, a URL query and a command. */

import {
  format,
  fromLabelSelector,
  fromMap,
  type LabelSelector,
  parseSelector,
  type Selector,
  toLabelSelector,
} from '../../engine/index.ts';
import { cursorTargetAt } from '../../manifests/cursor/cursor-target.ts';
import { type TypingTarget, typingTargetAt } from '../../manifests/cursor/parse-with-marker.ts';
import { isSelectorLine } from '../../manifests/inline/inline.ts';
import { blank } from '../../manifests/placeholders/placeholders.ts';
import { scalarText } from '../../manifests/write/write-text.ts';
import { parseYaml } from '../../manifests/yaml/parse-yaml.ts';
import { plainData } from '../../manifests/yaml/plain-data.ts';
import { lineEnd } from '../../text/lines.ts';
import { localize } from '../../text/localize.ts';
import { effectiveSelector } from '../../workspace/selection/effective-selector.ts';
import { typingAt, written } from '../completion/inline-completion.ts';
import { kubectlCommand, labelQuery } from '../presentation/kubectl-command.ts';
import type { FileView } from '../view.ts';

/** A converted selector to copy or paste. */
export interface Copy {
  /** The title of the action, an imperative sentence. */
  readonly title: string;
  readonly text: string;
}

/** Returns the forms in which the selector at an offset can be copied. */
export function copiesAt(view: FileView, offset: number): readonly Copy[] {
  const cursorTarget = cursorTargetAt(view.file.manifest, offset);
  const selector = cursorTarget?.kind === 'selector' ? effectiveSelector(cursorTarget.site) : undefined;
  if (cursorTarget?.kind !== 'selector' || selector?.kind !== 'all' || !isKnown(selector)) return [];
  const yaml = yamlOf(selector, lineEnd(view.text));
  const query = labelQuery(selector);
  const command = isSelectorLine(cursorTarget.object)
    ? query && `kubectl get pods ${query}`
    : kubectlCommand(view, { file: view.file, object: cursorTarget.object }, cursorTarget.site, selector);
  return [
    ...(cursorTarget.site.text !== undefined && yaml !== undefined
      ? [{ title: localize`Copy the selector as matchLabels and matchExpressions`, text: yaml }]
      : []),
    ...(command === undefined ? [] : [{ title: localize`Copy the selector as a kubectl command`, text: command }]),
    { title: localize`Copy the selector for a URL`, text: `labelSelector=${format(selector, 'url')}` },
  ];
}

/** Whether all keys and values of a selector are known: no template or shell fills them in. */
export function isKnown(selector: Selector & { readonly kind: 'all' }): boolean {
  return (
    selector.requirements.length > 0 &&
    !selector.open &&
    selector.requirements.every(({ values }) => values.every((value) => typeof value === 'string'))
  );
}

/** Returns the selector as `matchLabels` and `matchExpressions`; undefined if a requirement cannot be expressed in this form. */
function yamlOf(selector: Selector, end: string): string | undefined {
  const converted = toLabelSelector(selector);
  return converted.ok && converted.value !== null ? labelSelectorText(converted.value, end) : undefined;
}

/** Returns the YAML of a label selector. Its lines are joined by `end`, which consists of a line break and the indentation of the first line. */
export function labelSelectorText({ matchLabels = {}, matchExpressions = [] }: LabelSelector, end: string): string {
  const labels = Object.entries(matchLabels).map(([key, value]) => `  ${plain(key)}: ${plain(value)}`);
  const expressions = matchExpressions.flatMap(({ key, operator, values = [] }) => [
    `  - key: ${plain(key)}`,
    `    operator: ${operator}`,
    ...(values.length > 0 ? [`    values: [${values.map(plain).join(', ')}]`] : []),
  ]);
  return [
    ...(labels.length > 0 ? ['matchLabels:', ...labels] : []),
    ...(expressions.length > 0 ? ['matchExpressions:', ...expressions] : []),
  ].join(end);
}

function plain(value: unknown): string {
  return scalarText(String(value), 'plain');
}

/** Converts pasted text to the form of the selector at an offset: YAML to a selector text, or the reverse; undefined if the text should be pasted unchanged. */
export function pastedAt(view: FileView, offset: number, text: string): Copy | undefined {
  if (text.length > 10_000) return undefined;
  const selector = selectorOfYaml(text);
  const typing = typingAt(view, offset);
  if (typing !== undefined) {
    if (selector === undefined || typing.site.fact.form !== 'string') return undefined;
    const piece = { start: typing.at, end: typing.at };
    const edit = written(view, typing, { span: piece, text: format(selector, 'canonical') });
    // A paste only inserts text, so an edit that also replaces text is not offered.
    if (edit.span.end > edit.span.start) return undefined;
    return { title: localize`Paste as the text of a selector`, text: edit.text };
  }
  const cursorTarget = typingTargetAt(view.text, offset, view);
  if (cursorTarget === undefined) return undefined;
  if (cursorTarget.place.kind === 'selectorText')
    return selector && { title: localize`Paste as the text of a selector`, text: format(selector, 'canonical') };
  return pastedYaml(view, offset, cursorTarget, text);
}

/** Parses `matchLabels`, `matchExpressions` or a map of labels, which may be nested below a single key; returns undefined for any other text. */
function selectorOfYaml(text: string): Selector | undefined {
  if (!text.includes(':')) return undefined;
  const span = { start: 0, end: text.length };
  const { root, errors } = parseYaml(text, blank(text), span);
  if (root?.kind !== 'map' || errors.length > 0) return undefined;
  const [only, ...others] = root.entries;
  const inner = only !== undefined && others.length === 0 && isHolder(only.key.text) ? only.value : root;
  if (inner.kind !== 'map' || inner.entries.length === 0) return undefined;
  const isSelector = inner.entries.every(({ key }) => key.text === 'matchLabels' || key.text === 'matchExpressions');
  const read = isSelector ? fromLabelSelector(plainData(inner)) : fromMap(plainData(inner));
  return read.ok && read.value.kind === 'all' && isKnown(read.value) ? read.value : undefined;
}

function isHolder(key: string): boolean {
  return /^(?:labels|selector|\w+Selector)$/.test(key);
}

/** Converts a selector on one line to the form that the field requires. */
function pastedYaml(
  { text: source }: FileView,
  offset: number,
  cursorTarget: TypingTarget,
  text: string,
): Copy | undefined {
  const parsed = parseSelector(text.trim());
  if (!parsed.ok || parsed.value.kind !== 'all' || !/[=(!]/.test(text) || /[\n:]/.test(text.trim())) return undefined;
  const line = source.slice(source.lastIndexOf('\n', offset - 1) + 1, offset);
  const isField = cursorTarget.place.kind === 'selectorField' || cursorTarget.place.kind === 'selector';
  if (!isField || line.trim() !== '') return undefined;
  const yaml = yamlOf(parsed.value, lineEnd(source) + line);
  return yaml === undefined ? undefined : { title: localize`Paste as matchLabels and matchExpressions`, text: yaml };
}
