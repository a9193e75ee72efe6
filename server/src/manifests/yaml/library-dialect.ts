/** Rewrites YAML that the Kubernetes parser accepts but the libraries reject. The length of the text is preserved, so that all offsets remain valid. */

// The lookahead comes first, because a lookbehind over blanks at each quote would take quadratic time.
const quotedOverLines =
  /(?=["'])(?<=[:,[{-][ \t]+)(?:"(?:[^"\\]|\\.){0,5000}"|'(?:[^']|''){0,5000}')(?=[ \t]*(?:#[^\n]*)?$)/gms;

const gluedComment =
  /(?=["'[{])(?<=[:,[{-][ \t]+)("(?:[^"\\\n]|\\.){0,1000}"|'(?:[^'\n]|''){0,1000}'|[[{][^\n#]{0,1000}[\]}])#(.?)/g;

/** Matches an alias that is a key, with its colon directly after the name. */
const gluedAlias = /(?=\*)(?<=^[ \t]*(?:- +)*|[{,][ \t]*)\*(?=[\w-]{1,200}:(?:[ \t\r\n]|$))/gm;

/** Joins the lines of quoted scalars and flow collections, because Kubernetes accepts any indentation in them. Also inserts a space before comments that directly follow a value, and makes a plain scalar of an alias such as `*name:`, of which Kubernetes ends the name at the colon; `isGluedAlias` identifies it. */
export function asLibrariesWant(text: string): string {
  return withFlowsJoined(text)
    .replace(gluedAlias, aliasSign)
    .replace(gluedComment, (_, value: string, first: string) => `${value} ${first && '#'}`)
    .replace(quotedOverLines, onOneLine);
}

const aliasSign = 'A';

/** Whether a rewritten text contains a plain scalar at an offset at which the written text contains an alias. */
export function isGluedAlias(rewritten: string, written: string, at: number): boolean {
  return written[at] === '*' && rewritten[at] === aliasSign;
}

/** Joins the lines of a text. Each line break, together with the white space around it, is replaced by the same number of spaces; this is harmless because labels do not contain line breaks. */
function onOneLine(text: string): string {
  return text.replace(/[ \t\r]{0,1000}\n\s*/g, (lineBreak) => ' '.repeat(lineBreak.length));
}

/** Matches the part of a line before the flow collection that is its value, or up to the header of a block scalar. */
const opening =
  /^( *(?:- +)*)(?:(?:"[^"\n]{0,500}"|'[^'\n]{0,500}'|[^\s"'#[\]{},|>&!-][^\n#]{0,500}?)[ \t]{0,20}:[ \t]+)?(?:[&!]\S+[ \t]+)?(?:[[{]|([|>])[-+0-9]{0,2}[ \t]*(?:#.*)?\r?$)/gm;

function withFlowsJoined(text: string): string {
  let joined = '';
  let done = 0;
  opening.lastIndex = 0;
  for (let found = opening.exec(text); found !== null; found = opening.exec(text)) {
    if (found[2] !== undefined) {
      opening.lastIndex = endOfBlock(text, opening.lastIndex, found[1]?.length ?? 0);
      continue;
    }
    const start = opening.lastIndex - 1;
    const flow = flowOnOneLine(text.slice(start));
    if (flow === undefined) break;
    joined += text.slice(done, start) + flow;
    done = start + flow.length;
    opening.lastIndex = done;
  }
  return joined + text.slice(done);
}

/** Returns the end offset of the lines after `header` that are indented more than `parent`. */
function endOfBlock(text: string, header: number, parent: number): number {
  for (let end = header; ; ) {
    const next = text.indexOf('\n', end) + 1;
    if (next === 0) return text.length;
    const below = next + text.slice(next).search(/[^ ]|$/);
    if (below - next <= parent && !/[\r\n]/.test(text[below] ?? '\n')) return end;
    end = below;
  }
}

/** Matches blanks, comments, quoted scalars, plain scalars, and indicators. */
const pieces = /\s+|#[^\n]*|"(?:[^"\\]|\\.){0,1000}"|'(?:[^']|''){0,1000}'|[[\]{},]|[^\s[\]{},]+/gs;

/** Returns the flow collection at the start of a text with its lines joined; undefined if it is not closed. */
function flowOnOneLine(text: string): string | undefined {
  let depth = 0;
  let flow = '';
  for (const [piece] of text.matchAll(pieces)) {
    flow += /^[#\s]/.test(piece) ? ' '.repeat(piece.length) : onOneLine(piece);
    if (piece === '[' || piece === '{') depth++;
    if ((piece === ']' || piece === '}') && --depth === 0) return flow;
  }
  return undefined;
}
