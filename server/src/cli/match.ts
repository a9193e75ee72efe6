/** `selector-lens match`: which objects does this selector take, as `kubectl get -l` would? */

import { evaluate, format as formatSelector, parseSelector, type Selector } from '../engine/index.ts';
import { carriersOf } from '../manifests/carriers.ts';
import type { Carrier, ManifestObject } from '../manifests/manifest.ts';
import { offsetToPlace } from '../text/lines.ts';
import type { WorkspaceFile } from '../workspace/workspace.ts';
import { type Arguments, choice, UsageError } from './arguments.ts';
import { indexPaths } from './indexed.ts';
import { displayPath } from './paths.ts';
import type { World } from './world.ts';

export const matchOptions = {
  selector: 'value',
  l: 'value',
  kind: 'value',
  namespace: 'value',
  pods: 'flag',
  format: 'value',
  root: 'value',
} as const;

interface MatchedObject {
  readonly group: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly via?: string;
}

/** Shows the objects whose labels certainly match; with `--pods`, what makes pods that do. Always 0. */
export async function runMatch(world: World, given: Arguments): Promise<number> {
  const format = choice(given, 'format', ['text', 'json'], 'text');
  const text = given.values.get('selector') ?? given.values.get('l');
  if (text === undefined) throw new UsageError("The option '--selector' must be given.");
  const selector = readSelector(text);
  const { reported } = await indexPaths(world, given);
  const objects = reported.flatMap((file) => matchesIn(world, file, selector, given));
  if (format === 'json') {
    world.out(JSON.stringify({ selector: text, canonical: formatSelector(selector, 'canonical'), objects }, null, 2));
    return 0;
  }
  for (const { file, line, kind, name, namespace, via } of objects) {
    const place = namespace === undefined ? '' : ` in ${namespace}`;
    world.out(`${file}:${line}: ${kind}/${name}${place}${via === undefined ? '' : ` (${via})`}`);
  }
  return 0;
}

/** kubectl trims what Unicode calls white space before it parses; the byte order mark is none to it. */
function trimmed(text: string): string {
  const isBlank = (character: string | undefined) => character !== undefined && /[^\S\uFEFF]/.test(character);
  let start = 0;
  let end = text.length;
  while (isBlank(text[start])) start++;
  while (end > start && isBlank(text[end - 1])) end--;
  return text.slice(start, end);
}

function readSelector(text: string): Selector {
  const parsed = parseSelector(trimmed(text));
  if (parsed.ok) return parsed.value;
  const problems = parsed.problems.map((problem) => problem.message).join('; ');
  throw new UsageError(`The selector '${text}' is invalid: ${problems}.`);
}

function matchesIn(world: World, file: WorkspaceFile, selector: Selector, given: Arguments): readonly MatchedObject[] {
  // What a team tells of the rest of its cluster is no manifest.
  if (file.config !== undefined) return [];
  const kind = given.values.get('kind')?.toLowerCase();
  const namespace = given.values.get('namespace');
  return file.manifest.objects.flatMap((object) => {
    if (kind !== undefined && object.kind.toLowerCase() !== kind) return [];
    if (namespace !== undefined && object.namespace?.text !== namespace) return [];
    if (!isDecodable(object)) return [];
    const carriers = given.flags.has('pods') ? carriersOf(object).filter(isPod) : ownCarrier(object);
    return carriers
      .filter((carrier) => evaluate(selector, carrier) === 'yes')
      .map((carrier) => describe(world, file, object, carrier));
  });
}

/** Labels that YAML reads as numbers or booleans make the whole object unreadable to kubectl. */
function isDecodable(object: ManifestObject): boolean {
  return (object.labels?.entries ?? []).every((entry) => entry.value.type === 'string' || entry.value.type === 'null');
}

function isPod(carrier: Carrier): boolean {
  return carrier.target.group === '' && carrier.target.kind === 'Pod';
}

/** To kubectl, one null label empties the whole map. */
function ownCarrier(object: ManifestObject): readonly Carrier[] {
  const own = carriersOf(object).filter((carrier) => carrier.via === undefined);
  const isNull = object.labels?.entries.some((entry) => entry.value.type === 'null') ?? false;
  return isNull ? own.map((carrier) => ({ ...carrier, labels: {} })) : own;
}

function describe(world: World, file: WorkspaceFile, object: ManifestObject, carrier: Carrier): MatchedObject {
  const namespace = object.namespace?.text;
  const { line } = offsetToPlace(file.lines, object.kindSpan.start);
  return {
    group: object.group,
    kind: object.kind,
    ...(namespace !== undefined && { namespace }),
    name: object.name?.text ?? object.generateName?.text ?? '',
    file: displayPath(world, file.uri),
    line: line + 1,
    ...(carrier.via !== undefined && { via: carrier.via }),
  };
}
