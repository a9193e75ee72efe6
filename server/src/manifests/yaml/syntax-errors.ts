/** Finds the certain syntax errors in manifests, with their ranges and messages. */

import { lineEndAt } from '../../text/lines.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import type { Manifest } from '../model.ts';
import type { BlankedText } from '../placeholders/placeholders.ts';
import { blankManifest } from './blank-manifest.ts';
import { directiveAt, splitDocuments } from './documents.ts';
import { parseYaml } from './parse-yaml.ts';
import type { SyntaxProblem } from './parsed-document.ts';
import { childOf, type Node } from './tree.ts';

interface SyntaxOptions {
  readonly placeholders: readonly string[];
  readonly isManifest: boolean;
  readonly known?: Manifest['firstErrors'] | undefined;
}

/** Returns the first syntax error in each document of a file, because later errors can be consequences of the first. Returns none if the file is a template, or if it is not recognizable as a manifest: one of its documents must have `apiVersion` and `kind` at its top level, unless `isManifest` is set because kubectl, kustomize or Helm parses the file as YAML. If the first error of each document is `known`, the documents are not parsed again. `text` has no byte order mark. */
export function syntaxProblems(
  text: string,
  { placeholders, isManifest, known }: SyntaxOptions,
): readonly SyntaxProblem[] {
  const blanked = blankManifest(text, placeholders);
  if (isTemplate(text, blanked)) return [];
  const isCertain = isManifest || hasTypeFields(blanked.text);
  const spans = splitDocuments(blanked.text);
  const firstOf = new Map(known?.map((each) => [each.document, each]));
  const documents =
    isCertain && known !== undefined
      ? spans.map((span) => ({ span, first: firstOf.get(span.start), root: undefined }))
      : spans.map((span) => {
          const { root, errors } = parseYaml(text, blanked, span);
          return { span, first: errors[0], root };
        });
  if (!isCertain && !documents.some(({ root }) => isTyped(root))) return [];
  const directive = directiveAt(text);
  const refused = directive === undefined ? [] : [{ at: directive, reason: localize`directives are not supported` }];
  const separator = separatorWithText.exec(text);
  if (separator !== null) {
    const at = separator.index + separator[0].length;
    refused.push({ at, reason: localize`only a comment may follow '---' on its line` });
  }
  const found = documents.flatMap(({ span, first }) => {
    // kubectl ignores the text after `...`, up to the next `---`.
    if (text.endsWith('...', span.start)) return [];
    if (first === undefined || first.reason === '' || mayBeWrittenByTemplate(blanked, span, first)) return [];
    return text.startsWith('<<<<<<<', first.at) ? [{ ...first, reason: localize`unresolved merge conflict` }] : [first];
  });
  return [...refused, ...found];
}

/** Matches a separator with text on its line, which kubectl and kustomize reject. */
const separatorWithText = /^---[ \t]+(?=[^\s#])/m;

/** Matches lines in template languages that `blankManifest` does not replace: ytt, Jinja, FreeMarker and Mako. */
const templateLine =
  /^[ \t]*(?:#@|\{#|\{%|<%|<\/?#|%[ \t]?(?:if|elif|else|endif|for|endfor|while|endwhile|include|def)\b)/m;

function isTemplate(text: string, { placeholders, conditionals }: BlankedText): boolean {
  return placeholders.length + conditionals.length > 0 || templateLine.test(text);
}

function isTyped(root: Node | undefined): boolean {
  return childOf(root, 'apiVersion')?.kind === 'scalar' && childOf(root, 'kind')?.kind === 'scalar';
}

/** Whether a text contains `apiVersion` and `kind`: either both in the first column and at least one with a colon, or `kind` in a wrong column after `apiVersion`. The syntax error may be in one of these lines. */
function hasTypeFields(text: string): boolean {
  if (!/^["']?apiVersion\b/m.test(text)) return false;
  if (/^["']?apiVersion["']?[ \t]{0,9}:[^\n]{0,200}\n[ \t]{0,40}["']?kind["']?[ \t]{0,9}:/m.test(text)) return true;
  return /^["']?kind\b/m.test(text) && /^["']?(?:apiVersion|kind)["']?[ \t]*:/m.test(text);
}

/** Whether a template may cause an error: a placeholder that is alone on its line may stand for several lines, and a placeholder on the line of the error may cause it. */
function mayBeWrittenByTemplate({ text, blanks }: BlankedText, document: Span, { at }: SyntaxProblem): boolean {
  const line = lineAround(text, at);
  // The line contains an incomplete template action, or a placeholder of an unknown kind such as `{ipv6}/128`.
  if (/\{\{|\{[A-Za-z][\w.-]*\}/.test(text.slice(line.start, line.end))) return true;
  return blanks.some((blank) => {
    if (blank.start < document.start || blank.start >= document.end) return false;
    if (blank.start < line.end && blank.end > line.start) return true;
    const own = lineAround(text, blank.start);
    const isFirst = /^[ \t]*(?:-[ \t]+)*$/.test(text.slice(own.start, blank.start));
    return isFirst && /^[ \t\r]*(?:#.*)?$/.test(text.slice(blank.end, own.end));
  });
}

function lineAround(text: string, at: number): Span {
  return { start: text.lastIndexOf('\n', at - 1) + 1, end: lineEndAt(text, at) };
}

/** Returns the range of the word at which an error is shown; it contains at least one character unless the text is empty. */
export function spanOfProblem(text: string, { at }: Pick<SyntaxProblem, 'at'>): Span {
  const [word = ''] = /^[^\s]{1,80}/.exec(text.slice(at, at + 80)) ?? [];
  return { start: at, end: Math.min(at + Math.max(word.length, 1), text.length) };
}

/** Returns the message of an error. `consequence` describes the effect on the document, and follows the reason. */
export function describeProblem({ reason }: Pick<SyntaxProblem, 'reason'>, consequence: string): string {
  return localize`YAML syntax error${reason === '' ? '' : `: ${reason}`}; ${consequence}.`;
}
