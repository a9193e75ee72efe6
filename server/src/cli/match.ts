/** `selector-lens match`: which objects does this selector take, as `kubectl get -l` would? */

import {
  evaluate,
  type FieldSelector,
  format as formatSelector,
  matchesFields,
  type Selector,
} from '../engine/index.ts';
import { carriersOf } from '../manifests/carriers.ts';
import type { Carrier, ManifestObject } from '../manifests/manifest.ts';
import { offsetToPlace } from '../text/lines.ts';
import type { WorkspaceFile } from '../workspace/workspace.ts';
import { type Arguments, choice, UsageError } from './arguments.ts';
import type { Command } from './command.ts';
import { exitCodeOf, type Indexed, indexPaths } from './indexed.ts';
import { isOfKind } from './kinds.ts';
import { tame } from './paint.ts';
import { displayPath } from './paths.ts';
import { readFieldSelector, readSelector, selectorOption } from './selector-word.ts';
import { formats, namespace, paths, whereToLook } from './shared-options.ts';
import type { World } from './world.ts';

export const match: Command = {
  name: 'match',
  summary: 'Lists the objects that a selector takes.',
  details: [
    'Objects are taken as they are written, by their own `metadata.labels`, and only where that is certain; what kubectl cannot decode is left out. `--pods` asks instead what makes pods that the selector takes.',
  ],
  operand: paths,
  options: [
    selectorOption,
    {
      name: 'field-selector',
      value: 'STRING',
      says: 'A field selector over `metadata.name` and `metadata.namespace`.',
    },
    { name: 'kind', value: 'KIND', says: 'Only objects of a kind: `Service`, `services` or `svc`.' },
    { ...namespace, says: 'Only objects in this namespace; those that name none are taken to be in it.' },
    { name: 'pods', says: 'List what makes pods that match, with the path of the template.' },
    formats('text', 'json'),
    ...whereToLook.filter((option) => option !== namespace),
  ],
  examples: [
    { line: "selector-lens match -l 'app=web,tier in (front,back)'", says: 'What `kubectl get -l` would list.' },
    {
      line: 'selector-lens match -l app=web --pods apps',
      says: 'Whose pods a Service with this selector would send to.',
    },
    { line: 'helm template web | selector-lens match -l app=web --kind deploy -', says: 'In what a chart renders.' },
  ],
  run: runMatch,
};

interface MatchedObject {
  readonly group: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly via?: string;
}

interface Question {
  readonly selector: Selector;
  readonly fields: FieldSelector | undefined;
  readonly given: Arguments;
}

/** Shows the objects whose labels certainly match; with `--pods`, what makes pods that do. 0 also where nothing does. */
async function runMatch(world: World, given: Arguments): Promise<number> {
  const text = given.values.get('selector');
  const fieldText = given.values.get('field-selector');
  if (text === undefined && fieldText === undefined) throw new UsageError("The option '--selector' must be given.");
  const selector = readSelector(text ?? '');
  const fields = fieldText === undefined ? undefined : readFieldSelector(fieldText);
  const indexed = await indexPaths(world, given);
  const objects = indexed.reported.flatMap((file) => matchesIn(world, indexed, file, { selector, fields, given }));
  if (choice(given, 'format', ['text', 'json']) === 'json') {
    const canonical = formatSelector(selector, 'canonical');
    world.out(JSON.stringify({ selector: text ?? '', canonical, objects }, null, 2));
    return exitCodeOf(world, indexed, 0);
  }
  for (const { file, line, kind, name, namespace, via } of objects) {
    const place = namespace === undefined ? '' : ` in ${namespace}`;
    world.out(tame(`${file}:${line}: ${kind}/${name}${place}${via === undefined ? '' : ` (${via})`}`));
  }
  return exitCodeOf(world, indexed, 0);
}

function matchesIn(
  world: World,
  { service }: Indexed,
  file: WorkspaceFile,
  { selector, fields, given }: Question,
): readonly MatchedObject[] {
  // What a team tells of the rest of its cluster is no manifest.
  if (file.config !== undefined || file.manifest.objects.length === 0) return [];
  const kind = given.values.get('kind');
  const wanted = given.values.get('namespace');
  return file.manifest.objects.flatMap((object) => {
    if (kind !== undefined && !isOfKind(service, file, object, kind)) return [];
    if (!isListed(object) || (wanted !== undefined && !isIn(service, file, object, wanted))) return [];
    if (fields !== undefined && !matchesFields(fields, fieldsOf(object, wanted))) return [];
    const carriers = given.flags.has('pods') ? carriersOf(object).filter(isPod) : ownCarrier(object);
    return carriers
      .filter((carrier) => evaluate(selector, carrier) === 'yes')
      .map((carrier) => describe(world, file, object, carrier));
  });
}

/**
 * Labels that YAML reads as numbers or booleans make the whole object unreadable to kubectl; the configuration of a tool
 * is never stored, so that nobody gets it.
 */
function isListed(object: ManifestObject): boolean {
  const entries = object.labels?.entries ?? [];
  return object.forCluster && entries.every(({ value: { type } }) => type === 'string' || type === 'null');
}

function isIn(service: Indexed['service'], file: WorkspaceFile, object: ManifestObject, wanted: string): boolean {
  if (object.namespace !== undefined) return object.namespace.text === wanted;
  return service.catalogueOf(file.uri).kind(object.group, object.version, object.kind)?.namespaced !== false;
}

function fieldsOf(
  { name, namespace }: ManifestObject,
  otherwise: string | undefined,
): Readonly<Record<string, string>> {
  return { 'metadata.name': name?.text ?? '', 'metadata.namespace': namespace?.text ?? otherwise ?? '' };
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
