/** Rewrites YAML that the Kubernetes parser accepts but the libraries reject. The length of the text is preserved, so that all offsets remain valid. */

// The lookahead comes first, because a lookbehind over blanks at each quote would take quadratic time.
const openingQuote = /(?=["'])(?<=[:,[{-][ \t]+)/g;
const endOfLine = /[ \t]*(?:#.*)?$/my;

const gluedComment =
  /(?=["'[{])(?<=[:,[{-][ \t]+)("(?:[^"\\\n]|\\.){0,1000}"|'(?:[^'\n]|''){0,1000}'|[[{][^\n#]{0,1000}[\]}])#(.?)/g;

/** Matches an alias that is a key, with its colon directly after the name. */
const gluedAlias = /(?=\*)(?<=^[ \t]*(?:- +)*|[{,][ \t]*)\*(?=[\w-]{1,200}:(?:[ \t\r\n]|$))/gm;

/** Joins the lines of quoted scalars and flow collections, because Kubernetes accepts any indentation in them. Also inserts a space before comments that directly follow a value, and makes a plain scalar of an alias such as `*name:`, of which Kubernetes ends the name at the colon; `isGluedAlias` identifies it. */
export function asLibrariesWant(text: string): string {
  return withQuotedJoined(
    withFlowsJoined(text)
      .replace(gluedAlias, aliasSign)
      .replace(gluedComment, (_, value: string, first: string) => `${value} ${first && '#'}`),
  );
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

function withQuotedJoined(text: string): string {
  let joined = '';
  let done = 0;
  for (const { index } of text.matchAll(openingQuote)) {
    if (index < done) continue;
    const end = endOfQuoted(text, index);
    endOfLine.lastIndex = end ?? 0;
    if (end === undefined || !endOfLine.test(text)) continue;
    joined += text.slice(done, index) + onOneLine(text.slice(index, end));
    done = end;
  }
  return joined + text.slice(done);
}

/** Returns the offset after the quoted scalar that starts at an offset; undefined if it is not closed. After a scalar that is not closed, no other scalar with the same quotes spans several lines, so all calls for a text take linear time. */
function endOfQuoted(text: string, start: number): number | undefined {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at++) {
    const isEscape = quote === '"' ? text[at] === '\\' : text[at] === quote && text[at + 1] === quote;
    if (isEscape) at++;
    else if (text[at] === quote) return at + 1;
  }
  return undefined;
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

/** Matches blanks, comments, plain scalars, and indicators. */
const pieces = /\s+|#[^\n]*|[[\]{},]|[^\s[\]{},]+/g;

/** Returns the flow collection at the start of a text with its lines joined; undefined if it is not closed. */
function flowOnOneLine(text: string): string | undefined {
  let depth = 0;
  let flow = '';
  pieces.lastIndex = 0;
  for (let found = pieces.exec(text); found !== null; found = pieces.exec(text)) {
    const [first] = found;
    const end = /^["']/.test(first) ? endOfQuoted(text, found.index) : undefined;
    const piece = text.slice(found.index, end ?? pieces.lastIndex);
    pieces.lastIndex = end ?? pieces.lastIndex;
    flow += /^[#\s]/.test(piece) ? ' '.repeat(piece.length) : onOneLine(piece);
    if (piece === '[' || piece === '{') depth++;
    if ((piece === ']' || piece === '}') && --depth === 0) return flow;
  }
  return undefined;
}
