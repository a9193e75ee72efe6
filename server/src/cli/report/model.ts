/** The data model of a report: plain values, which each format presents in its own way. */

import type { Severity } from '../../rules/framework/rule.ts';
import type { CachedQuestion, Question } from '../../workspace/dependencies/questions.ts';
import type { Skipped } from '../../workspace/live/load.ts';

export interface Report {
  /** Whether only findings are shown, without counts and notes. */
  readonly isQuiet?: boolean;
  /** The findings, sorted by severity, the most severe first, then by file and line. */
  readonly diagnostics: readonly Diagnostic[];
  readonly summary: Summary;
  /** The files that were not read. */
  readonly skipped: readonly Skipped[];
  /** The checked files with objects. */
  readonly files: readonly { readonly file: string; readonly uri: string }[];
  /** The URIs of the files whose findings are complete. */
  readonly looked: readonly string[];
  /** The number of files and objects that were read for the report. */
  readonly loaded: { readonly files: number; readonly objects: number };
  /** Whether only one file was requested. */
  readonly alone: boolean;
  /** Whether nothing is selected. */
  readonly isEmpty: boolean;
  /** Whether nothing is selected although the paths do not come from a list of files. The check then fails. */
  readonly barren: boolean;
  /** Notes on the named paths that were not checked, as sentences. */
  readonly notes: readonly string[];
  /**
   * The files with syntax errors that no finding reports, such as templates outside of charts. The errors may hide
   * objects.
   */
  readonly broken: readonly string[];
  /** The number of findings that a baseline excludes; undefined without a baseline. */
  readonly known?: number;
  /** The baseline entries that no longer correspond to a finding; undefined without a baseline. */
  readonly stale?: readonly StaleEntry[];
  /** The findings by rule and folder, if requested. */
  readonly statistics?: readonly RuleCount[];
}

/** A report, with the questions about all files that the checks asked and on whose answers the findings depend. */
export interface CheckedReport {
  readonly report: Report;
  readonly requested: readonly CachedQuestion[];
}

/** The findings of one rule and severity. */
export interface RuleCount {
  readonly rule: string;
  readonly severity: Severity;
  readonly count: number;
  /** The number of findings that have a fix. */
  readonly fixable: number;
  /** The messages, the most frequent first. */
  readonly messages: readonly { readonly message: string; readonly count: number }[];
  /** The folders for display, `.` for the current folder; folders with the most findings come first. */
  readonly folders: readonly { readonly folder: string; readonly count: number }[];
}

/** A finding that a baseline lists and that no longer occurs. */
export interface StaleEntry {
  /** The path for display. */
  readonly file: string;
  readonly rule: string;
  readonly fingerprint: string;
}

interface Summary extends Readonly<Record<Severity | 'files' | 'objects', number>> {
  readonly skipped: readonly { readonly file: string; readonly reason: string }[];
}

export interface Diagnostic extends ReportedSpan {
  readonly rule: string;
  readonly severity: Severity;
  readonly related: readonly ReportedSpan[];
  readonly fixes: readonly ReportedFix[];
  /** Identifies the finding as long as its line and object are unchanged, even if they move in the file. */
  readonly fingerprint: string;
  /** The object that contains the finding; absent if the finding is not in an object. */
  readonly object?: ReportedObject;
  /** The template from which the object was rendered. */
  readonly source?: string;
}

export interface ReportedSpan {
  readonly message: string;
  /** The path for display. */
  readonly file: string;
  readonly uri: string;
  readonly range: Range;
  /** The text of the line on which the range begins; if the line is long, only the part around the range. */
  readonly line: string;
  /** The column, from 0, of the first character of `line`; 0 unless the line is long. */
  readonly lineFrom: number;
}

/** An object as its file describes it. */
interface ReportedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name?: string;
}

export interface ReportedFix {
  readonly title: string;
  /** Whether the fix cannot change what a selector matches, so that `--fix` applies it. */
  readonly safe: boolean;
  readonly changes: readonly { readonly uri: string; readonly range: Range; readonly text: string }[];
}

export interface Range {
  readonly start: LineAndColumn;
  readonly end: LineAndColumn;
}

/** A line and a column, which both start from 1; columns are counted in UTF-16 units. */
export interface LineAndColumn {
  readonly line: number;
  readonly column: number;
}

/** The cached result of checking a file. */
export interface KnownCheck {
  readonly diagnostics: readonly Diagnostic[];
  /** The questions about all files that the check asked and on whose answers the findings depend. */
  readonly questions: readonly Question[];
}

/** The results of an earlier run, by URI; undefined for a file that must be checked. */
export type KnownChecks = (uri: string) => KnownCheck | undefined;
