/** The syntax errors of manifests: the certain ones, their ranges, and their messages. */

import type { Span } from '../../text/span.ts';
import { type Masked, mask } from '../placeholders/placeholders.ts';
import { directiveAt, splitDocuments } from './documents.ts';
import { readYaml } from './parse-yaml.ts';
import type { SyntaxProblem } from './parsed-document.ts';
import { childOf, type Node } from './tree.ts';

/**
 * Returns the first syntax error of each document of a file, since later ones may follow from it. None in a file that
 * is a template, or that is not recognizably a manifest: a document of it has `apiVersion` and `kind` at its top,
 * unless `isManifest` is set because kubectl, kustomize or Helm parses the file as YAML. `text` has no byte order mark.
 */
export function syntaxProblems(
  text: string,
  { placeholders, isManifest }: { readonly placeholders: readonly string[]; readonly isManifest: boolean },
): readonly SyntaxProblem[] {
  const masked = mask(text, placeholders);
  if (isTemplate(text, masked)) return [];
  const documents = splitDocuments(masked.text).map((span) => ({ span, ...readYaml(text, masked, span) }));
  if (!isManifest && !saysWhatItIs(masked.text) && !documents.some(({ root }) => isTyped(root))) return [];
  const directive = directiveAt(text);
  const refused = directive === undefined ? [] : [{ at: directive, reason: 'directives are not supported' }];
  const found = documents.flatMap(({ span, errors }) => {
    const [first] = errors;
    // kubectl ignores what stands behind `...`, up to the next `---`.
    if (text.slice(0, span.start).endsWith('...')) return [];
    if (first === undefined || first.reason === '' || mayBeWrittenByTemplate(masked, span, first)) return [];
    return text.startsWith('<<<<<<<', first.at) ? [{ ...first, reason: 'unresolved merge conflict' }] : [first];
  });
  return [...refused, ...found];
}

/** What the template languages write that have lines of their own, beyond what `mask` knows: ytt, Jinja and Mako. */
const templateLine = /^[ \t]*(?:#@|\{#|\{%|<%|%[ \t]?(?:if|elif|else|endif|for|endfor|while|endwhile|include|def)\b)/m;

function isTemplate(text: string, { holes, conditionals }: Masked): boolean {
  return holes.length + conditionals.length > 0 || templateLine.test(text);
}

function isTyped(root: Node | undefined): boolean {
  return childOf(root, 'apiVersion')?.kind === 'scalar' && childOf(root, 'kind')?.kind === 'scalar';
}

/**
 * Both keys in the first column, and one of them with its colon, so that the syntax error may be in one of these lines
 * itself; or `kind` below `apiVersion` in a column that is wrong.
 */
function saysWhatItIs(text: string): boolean {
  if (!/^["']?apiVersion\b/m.test(text)) return false;
  if (/^["']?apiVersion["']?[ \t]{0,9}:[^\n]{0,200}\n[ \t]{0,40}["']?kind["']?[ \t]{0,9}:/m.test(text)) return true;
  return /^["']?kind\b/m.test(text) && /^["']?(?:apiVersion|kind)["']?[ \t]*:/m.test(text);
}

/** A placeholder may stand for lines if it is alone on its own; what is on the line of an error may be its cause. */
function mayBeWrittenByTemplate({ text, masks }: Masked, document: Span, { at }: SyntaxProblem): boolean {
  const line = lineAround(text, at);
  // An action that is still being typed, and a placeholder of a kind that is not known: `{ipv6}/128`.
  if (/\{\{|\{[A-Za-z][\w.-]*\}/.test(text.slice(line.start, line.end))) return true;
  return masks.some((mask) => {
    if (mask.start < document.start || mask.start >= document.end) return false;
    if (mask.start < line.end && mask.end > line.start) return true;
    const own = lineAround(text, mask.start);
    const isFirst = /^[ \t]*(?:-[ \t]+)*$/.test(text.slice(own.start, mask.start));
    return isFirst && /^[ \t\r]*(?:#.*)?$/.test(text.slice(mask.end, own.end));
  });
}

function lineAround(text: string, at: number): Span {
  const end = text.indexOf('\n', at);
  return { start: text.lastIndexOf('\n', at - 1) + 1, end: end === -1 ? text.length : end };
}

/** Returns the range of the word at which an error is shown, at least one character unless the text is empty. */
export function spanOfProblem(text: string, { at }: Pick<SyntaxProblem, 'at'>): Span {
  const [word = ''] = /^[^\s]{1,80}/.exec(text.slice(at, at + 80)) ?? [];
  return { start: at, end: Math.min(at + Math.max(word.length, 1), text.length) };
}

/** Returns the message of an error. `consequence` follows the reason: the effect on the document. */
export function sayProblem({ reason }: Pick<SyntaxProblem, 'reason'>, consequence: string): string {
  return `YAML syntax error${reason === '' ? '' : `: ${reason}`}; ${consequence}.`;
}
