/** `selector-lens match`: which objects does this selector take, as `kubectl get -l` would? */

import {
  evaluate,
  type FieldSelector,
  format as formatSelector,
  type LabelSet,
  matchesFields,
  type Selector,
} from '../engine/index.ts';
import { carriersOf } from '../manifests/carriers.ts';
import { readByKubectl } from '../manifests/kubectl-reading.ts';
import type { ManifestObject } from '../manifests/manifest.ts';
import { readKey } from '../manifests/scalar.ts';
import { offsetToPlace } from '../text/lines.ts';
import { hasNoNamespace, keptNamespace } from '../workspace/namespaces.ts';
import type { WorkspaceFile } from '../workspace/workspace.ts';
import { type Arguments, choice, didYouMean, UsageError } from './arguments.ts';
import type { Command } from './command.ts';
import { exitCodeOf, type Indexed, indexPaths } from './indexed.ts';
import { isOfKind } from './kinds.ts';
import { tame, tameJson, tamePath } from './paint.ts';
import { displayPath } from './paths.ts';
import { readFieldSelector, readSelector, selectorOption } from './selector-word.ts';
import { formats, namespace, paths, whereToLook } from './shared-options.ts';
import type { World } from './world.ts';

export const match: Command = {
  name: 'match',
  summary: 'Lists the objects that a selector takes.',
  details: [
    'Objects are taken as they are written, by their own `metadata.labels`, and only where that is certain; what kubectl cannot decode is left out, and all that follows a syntax error in its file, which templates of charts are. `--pods` asks instead what makes pods that the selector takes.',
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
  const question = { selector, fields, given };
  sayUnknownKind(world, indexed, given.values.get('kind'));
  const objects = indexed.reported.flatMap((file) => matchesIn(world, indexed, file, question));
  if (choice(given, 'format', ['text', 'json']) === 'json') {
    const canonical = formatSelector(selector, 'canonical');
    world.out(tameJson({ selector: text ?? '', canonical, objects }));
    return exitCodeOf(world, indexed, 0);
  }
  for (const { file, line, kind, name, namespace, via } of objects) {
    const place = namespace === undefined ? '' : ` in ${namespace}`;
    world.out(tamePath(`${file}:${line}: ${kind}/${name}${place}${via === undefined ? '' : ` (${via})`}`));
  }
  return exitCodeOf(world, indexed, 0);
}

/** A word that no kind has takes nothing, which is rarely meant. */
function sayUnknownKind(world: World, { service, reported }: Indexed, word: string | undefined): void {
  if (word === undefined || service.catalogueOf(world.currentFolder).named(word).length > 0) return;
  const kinds = new Set<string>();
  for (const file of reported)
    for (const object of file.manifest.objects) {
      if (isOfKind(service, file, object, word)) return;
      kinds.add(object.kind);
    }
  world.err(`selector-lens: Nothing here is of a kind '${tame(word)}'.${tame(didYouMean(word, [...kinds]))}`);
}

function matchesIn(
  world: World,
  { service, readText }: Indexed,
  file: WorkspaceFile,
  { selector, fields, given }: Question,
): readonly MatchedObject[] {
  // What a team tells of the rest of its cluster is no manifest.
  if (file.config !== undefined || file.objects === 0) return [];
  const kind = given.values.get('kind');
  const wanted = given.values.get('namespace');
  const asked = file.manifest.objects.filter(
    (object) =>
      object.forCluster &&
      (kind === undefined || isOfKind(service, file, object, kind)) &&
      (wanted === undefined || isIn(service, file, object, wanted)) &&
      (fields === undefined || matchesFields(fields, fieldsOf(service, file, object, wanted))),
  );
  const taken = given.flags.has('pods') ? podsTaken(asked, selector) : asKubectl(asked, selector, () => readText(file));
  return taken.map(([object, via]) => describe(world, service, file, object, via));
}

/** What was found: an object, and the template by which it was, if not by itself. */
type Taken = readonly [object: ManifestObject, via?: string | undefined];

/** What makes pods with such labels. Its own labels keep kubectl from applying it where they are no strings. */
function podsTaken(objects: readonly ManifestObject[], selector: Selector): readonly Taken[] {
  return objects.filter(hasStrings).flatMap((object) =>
    carriersOf(object)
      .filter(({ target }) => target.group === '' && target.kind === 'Pod')
      .filter((carrier) => evaluate(selector, carrier) === 'yes')
      .map((carrier): Taken => [object, carrier.via]),
  );
}

/** What kubectl takes by its own labels. The text is asked for only where something may be listed. */
function asKubectl(objects: readonly ManifestObject[], selector: Selector, readText: () => string): readonly Taken[] {
  const takes = (labels: LabelSet) => evaluate(selector, labels) === 'yes';
  const withLabels = new Set(
    objects.filter((object) => carriersOf(object).some((own) => own.via === undefined && takes(own))),
  );
  const withNone = takes({ labels: {} });
  if (withLabels.size === 0 && !(withNone && objects.length > 0)) return [];
  const read = readByKubectl(readText());
  return objects.flatMap((object): readonly Taken[] => {
    const known = read.get(object.span.start);
    if (known === undefined) return [];
    return (known.hasLabels ? withLabels.has(object) : withNone) ? [[object]] : [];
  });
}

/** Of a key that is there again, the last one counts. */
function hasStrings({ labels }: ManifestObject): boolean {
  const last = new Map(labels?.entries.map(({ key, value }) => [readKey(key), value]));
  return [...last.values()].every(({ type }) => type === 'string' || type === 'null');
}

function isIn(service: Indexed['service'], file: WorkspaceFile, object: ManifestObject, wanted: string): boolean {
  if (hasNoNamespace(service.catalogueOf(file.uri), { object })) return false;
  return object.namespace === undefined || object.namespace.text === wanted;
}

/** As the cluster has them: what belongs to all of it is in no namespace. */
function fieldsOf(
  service: Indexed['service'],
  file: WorkspaceFile,
  object: ManifestObject,
  otherwise = '',
): Readonly<Record<string, string>> {
  const catalogue = service.catalogueOf(file.uri);
  const namespace = hasNoNamespace(catalogue, { object }) ? '' : (object.namespace?.text ?? otherwise);
  return { 'metadata.name': object.name?.text ?? '', 'metadata.namespace': namespace };
}

function describe(
  world: World,
  service: Indexed['service'],
  file: WorkspaceFile,
  object: ManifestObject,
  via: string | undefined,
): MatchedObject {
  const namespace = keptNamespace(service.catalogueOf(file.uri), { object });
  const { line } = offsetToPlace(file.lines, object.kindSpan.start);
  return {
    group: object.group,
    kind: object.kind,
    ...(namespace !== undefined && { namespace }),
    name: object.name?.text ?? object.generateName?.text ?? '',
    file: displayPath(world, file.uri),
    line: line + 1,
    ...(via !== undefined && { via }),
  };
}
