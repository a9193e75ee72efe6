/** The model of a report: plain values, which every format shows in its own way. */

import type { Severity } from '../../rules/framework/rule.ts';
import type { Skipped } from '../../workspace/live/load.ts';
import type { AskedQuestion, Question } from '../../workspace/questions.ts';

export interface Report {
  /** The most severe ones first, and those of one severity in the order of files and lines. */
  readonly diagnostics: readonly Diagnostic[];
  readonly summary: Summary;
  /** What was not read. */
  readonly skipped: readonly Skipped[];
  /** The files that were looked at and hold objects. */
  readonly files: readonly { readonly file: string; readonly uri: string }[];
  /** The URIs of the files of which every finding is reported. */
  readonly looked: readonly string[];
  /** Everything that was read to answer. */
  readonly loaded: { readonly files: number; readonly objects: number };
  /** Only one file was asked about. */
  readonly alone: boolean;
  /** Nothing is selected. */
  readonly isEmpty: boolean;
  /** Nothing is selected, and no list of files gave the paths: the check failed. */
  readonly barren: boolean;
  /** What was named and not looked at, as sentences. */
  readonly notes: readonly string[];
  /** Other files with syntax errors, which may hide objects: templates outside of charts. */
  readonly broken: readonly string[];
  /** What the checks of the files asked about all files. */
  readonly asked: readonly AskedQuestion[];
  /** How many findings a baseline lists, so that they are left out; undefined without one. */
  readonly known?: number;
}

interface Summary extends Readonly<Record<Severity | 'files' | 'objects', number>> {
  readonly skipped: readonly { readonly file: string; readonly reason: string }[];
}

export interface Diagnostic extends ReportedPlace {
  readonly rule: string;
  readonly severity: Severity;
  readonly related: readonly ReportedPlace[];
  readonly fixes: readonly ReportedFix[];
  /** The same as long as the line and the object around it stay what they are, wherever they move in the file. */
  readonly fingerprint: string;
  /** The template that it was rendered from. */
  readonly source?: string;
}

export interface ReportedPlace {
  readonly message: string;
  /** As it is shown. */
  readonly file: string;
  readonly uri: string;
  readonly range: Range;
  /** The text of the line on which it begins; of a long line, the part around the place. */
  readonly line: string;
  /** The column of the first character of `line`, from 0: 0 unless the line is long. */
  readonly lineFrom: number;
}

export interface ReportedFix {
  readonly title: string;
  readonly changes: readonly { readonly uri: string; readonly range: Range; readonly text: string }[];
}

export interface Range {
  readonly start: LineAndColumn;
  readonly end: LineAndColumn;
}

/** Both count from 1; columns are UTF-16 units. */
export interface LineAndColumn {
  readonly line: number;
  readonly column: number;
}

/** The result of the check of a file. */
export interface KnownCheck {
  readonly diagnostics: readonly Diagnostic[];
  /** What the check asked about all files. */
  readonly questions: readonly Question[];
}

/** The results of an earlier run, by URI; undefined for a file that must be checked. */
export type KnownChecks = (uri: string) => KnownCheck | undefined;
