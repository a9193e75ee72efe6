/** Detects generated files, by their first comments or by `.gitattributes`. */

import { maximumWildcards } from '../../text/glob.ts';
import { lineEndAt } from '../../text/lines.ts';
import { type Glob, gitGlob } from '../ignore/git-pattern.ts';

/** The maximum number of lines before the comment: later comments are about something else. */
const headerLines = 20;

const generatedMarker =
  /@generated\b|\bdo not (?:manually |hand-?)?edit\b|\bauto-?generated\b|\bautomatically generated\b|^[#\s]*(?:code |this file (?:is|was) )?generated (?:by|with|from|using)\b/i;

/** Whether a comment before all other content marks the file as generated. */
export function hasGeneratedHeader(text: string): boolean {
  let at = 0;
  for (let line = 0; line < headerLines && at < text.length; line++) {
    const end = lineEndAt(text, at);
    // Real comments are shorter, and a text without line ends must not be searched as a whole.
    const written = text.slice(at, Math.min(end, at + 500)).trim();
    if (written !== '' && written !== '---' && !written.startsWith('#')) return false;
    if (generatedMarker.test(written)) return true;
    at = end + 1;
  }
  return false;
}

/** The generated paths in the `.gitattributes` of one folder; the last line that matches a path decides. */
export interface GeneratedPaths {
  /** Whether the file has more lines or patterns than the maximum; the remaining lines are ignored. */
  readonly isCut: boolean;
  /** Undefined if no line matches a path, which is relative to the folder. */
  isGenerated(path: string): boolean | undefined;
}

/** The maximum number of lines; only hostile files have more. */
const mostLines = 5000;

/** Parses a `.gitattributes` file. */
export function readGitAttributes(text: string): GeneratedPaths {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  const rules: Rule[] = [];
  let left = maximumWildcards;
  for (const rule of lines.slice(0, mostLines).flatMap(readLine)) {
    if (/[*?[]/.test(rule.pattern)) left -= rule.pattern.length;
    if (left < 0) break;
    rules.push(rule);
  }
  return {
    isCut: left < 0 || lines.length > mostLines,
    isGenerated(path) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      return rules.findLast((rule) => rule.glob(rule.anchored ? path : name))?.generated;
    },
  };
}

interface Rule {
  readonly pattern: string;
  readonly glob: Glob;
  readonly anchored: boolean;
  readonly generated: boolean;
}

/** Parses `out/*.yaml linguist-generated=true`; other attributes are ignored. A pattern with blanks is quoted. */
function readLine(line: string): readonly Rule[] {
  const found = /^[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s"#]\S*))[ \t]+(.*)$/s.exec(line.replace(/\r$/, ''));
  if (found === null) return [];
  const pattern = found[1]?.replace(/\\(["\\])/g, '$1') ?? found[2] ?? '';
  const value = (found[3] ?? '').split(/[ \t]+/).findLast((word) => /^[-!]?linguist-generated(?:=|$)/.test(word));
  const glob = value === undefined || pattern.startsWith('!') ? undefined : gitGlob(pattern.replace(/^\//, ''));
  if (value === undefined || glob === undefined) return [];
  const generated = value === 'linguist-generated' || value === 'linguist-generated=true';
  return [{ pattern, glob, anchored: pattern.includes('/'), generated }];
}
