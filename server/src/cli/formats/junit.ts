/** Test reports in JUnit XML, with a test suite for each file. The file with the most severe finding comes first. */

import type { World } from '../environment.ts';
import type { Diagnostic, Report } from '../report/model.ts';
import type { CheckFormat } from './format.ts';

export const junit: CheckFormat = {
  name: 'junit',
  description: 'a test suite for each file, with a failed test case for each finding.',
  write: writeJunit,
};

function writeJunit(world: World, report: Report): readonly string[] {
  const time = `${world.clock?.today() ?? '1970-01-01'}T00:00:00`;
  const files = new Set([...report.diagnostics.map(({ file }) => file), ...report.files.map(({ file }) => file)]);
  const byFile = new Map([...files].map((file): [string, Diagnostic[]] => [file, []]));
  for (const each of report.diagnostics) byFile.get(each.file)?.push(each);
  const suites = [...byFile].flatMap(([file, found], id) => suite(world, { file, found, id, time }));
  return ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites>', ...suites, '</testsuites>'];
}

interface Suite {
  readonly file: string;
  readonly found: readonly Diagnostic[];
  readonly id: number;
  readonly time: string;
}

function suite(world: World, { file, found, id, time }: Suite): readonly string[] {
  const name = attribute(file);
  const counts = `tests="${Math.max(1, found.length)}" failures="${found.length}" errors="0"`;
  const cases = found.length === 0 ? [passed(name)] : found.flatMap((each) => failed(name, each));
  return [
    `  <testsuite id="${id}" name="${name}" package="selector-lens" ${counts} hostname="localhost" timestamp="${time}" time="0">`,
    '    <properties>',
    `      <property name="selector-lens" value="${attribute(world.version)}"/>`,
    '    </properties>',
    ...cases,
    '    <system-out/>',
    '    <system-err/>',
    '  </testsuite>',
  ];
}

function passed(file: string): string {
  return `    <testcase name="check" classname="${file}" time="0"/>`;
}

function failed(file: string, { rule, severity, message, range, related }: Diagnostic): readonly string[] {
  const { line, column } = range.start;
  const notes = related.map(
    (each) => `${each.file}:${each.range.start.line}:${each.range.start.column}: ${each.message}`,
  );
  const text = [`${severity} on line ${line}, column ${column}: ${message}`, ...notes].map(content).join('\n');
  return [
    `    <testcase name="${attribute(`${rule} (${line}:${column})`)}" classname="${file}" time="0">`,
    `      <failure type="${attribute(rule)}" message="${attribute(message)}">${text}</failure>`,
    '    </testcase>',
  ];
}

/** Characters that XML cannot contain, even if they are escaped. */
const notXml = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
/** XML markup characters, carriage returns, which an XML parser would read as line breaks, and character sequences that a terminal or a CI system would interpret as commands if the report is printed in a log. */
const special = /[&<>\r]|::|##(?=[a-z]*\[)|[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gi;

function content(text: string): string {
  return text
    .replaceAll(notXml, '\uFFFD')
    .replaceAll(special, (found) => `${entities[found] ?? `&#${found.charCodeAt(0)};`}${found.slice(1)}`);
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function attribute(text: string): string {
  return content(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}
