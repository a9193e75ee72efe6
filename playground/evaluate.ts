/** Evaluates the manifests and the selector of the playground, with the engine and the rules of the editor but without files on disk. */

import { catalogue } from '../server/src/engine/catalogue/index.ts';
import { previewText } from '../server/src/features/pages/preview.ts';
import type { Log } from '../server/src/log.ts';
import type { PreviewGroup, PreviewItem } from '../server/src/protocol.ts';
import type { Finding } from '../server/src/rules/framework/rule.ts';
import { rulePageUrl } from '../server/src/rules/framework/rule-page-url.ts';
import { Session } from '../server/src/session.ts';
import { everyCluster } from '../server/src/workspace/scopes/model.ts';
import { filesIn, folder, type PlaygroundFile, sourceOf } from './files.ts';
import {
  maximumLength,
  type PlaygroundFinding,
  type PlaygroundGroup,
  type PlaygroundRange,
  type PlaygroundRequest,
  type PlaygroundResult,
} from './model.ts';

const log: Log = { info() {}, warn() {}, bug: (where, error) => console.error(where, error) };

/** The maximum number of findings in a result; the least severe findings are omitted. */
const maximumFindings = 500;

const severities = ['error', 'warning', 'information', 'hint'] as const;

/** Returns the findings in the manifests, and the matches of the selector. */
export async function evaluate({ id, manifests, selector }: PlaygroundRequest): Promise<PlaygroundResult> {
  const nothing = { id, objects: 0, findings: [], groups: [], description: '' };
  if (manifests.length > maximumLength)
    return {
      ...nothing,
      problems: [`The manifests are longer than ${maximumLength.toLocaleString('en')} characters.`],
    };
  const files = filesIn(manifests);
  const session = new Session({ catalogue, log });
  await session.workspace.load(
    sourceOf(files),
    [folder],
    () => {},
    () => false,
  );
  const findings: PlaygroundFinding[] = [];
  let objects = 0;
  for (const file of files.values()) {
    const known = session.snapshot().files.get(file.uri);
    if (known === undefined) continue;
    objects += known.objects;
    for (const each of session.check(known, () => file.text)) findings.push(findingOf(each, file, manifests));
  }
  const rankOf = ({ severity }: PlaygroundFinding) => severities.indexOf(severity);
  const sorted = findings.toSorted((a, b) => rankOf(a) - rankOf(b) || a.start - b.start);
  const result = { ...nothing, objects, findings: sorted.slice(0, maximumFindings), problems: [] };
  if (selector.trim() === '') return result;
  const { groups, problems, description } = previewText(session.view(), selector, undefined, true);
  return { ...result, groups: groups.map((each) => groupOf(each, files, manifests)), problems, description };
}

function findingOf(finding: Finding, file: PlaygroundFile, manifests: string): PlaygroundFinding {
  const { span, severity, rule, message } = finding;
  return {
    ...rangeAt(manifests, file.start + span.start, file.start + span.end),
    severity,
    rule,
    message,
    url: rulePageUrl(rule),
  };
}

function groupOf(
  { title, total, items }: PreviewGroup,
  files: ReadonlyMap<string, PlaygroundFile>,
  manifests: string,
): PlaygroundGroup {
  return {
    title,
    total,
    items: items.filter(({ uri }) => uri !== everyCluster).map((item) => itemOf(item, files.get(item.uri), manifests)),
  };
}

function itemOf(
  { kind, namespace, name, via, reason, range }: PreviewItem,
  file: PlaygroundFile | undefined,
  manifests: string,
) {
  const where = namespace === undefined ? '' : ` in ${namespace}`;
  const through = via === undefined ? '' : ` (${via})`;
  const [start, end] = file === undefined ? [0, 0] : [range.start, range.end].map((each) => offsetIn(file, each));
  return {
    ...rangeAt(manifests, start ?? 0, end ?? 0),
    name: `${kind}/${name}${where}${through}`,
    ...(reason !== undefined && { reason }),
  };
}

/** Converts a zero-based position in a file to an offset in the text of the page. */
function offsetIn({ text, start }: PlaygroundFile, { line, character }: PreviewItem['range']['start']): number {
  let at = 0;
  for (let number = 0; number < line; number++) at = text.indexOf('\n', at) + 1 || text.length;
  return start + Math.min(at + character, text.length);
}

function rangeAt(manifests: string, start: number, end: number): PlaygroundRange {
  let line = 1;
  for (let at = manifests.indexOf('\n'); at !== -1 && at < start; at = manifests.indexOf('\n', at + 1)) line++;
  return { start, end, line };
}
