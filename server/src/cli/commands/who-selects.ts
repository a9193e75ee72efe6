/** `selector-lens who-selects`: lists the selectors that match an object. */

import { format } from '../../engine/index.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { LabeledObject } from '../../manifests/model.ts';
import type { Session } from '../../session.ts';
import { offsetToPosition } from '../../text/lines.ts';
import { alternativesOf } from '../../workspace/selection/effective-selector.ts';
import { storedNamespace } from '../../workspace/selection/namespaces.ts';
import { type SelectingObject, selectingObjectsOf } from '../../workspace/selection/selecting-objects.ts';
import type { World } from '../environment.ts';
import { exitCodeOf, indexPaths } from '../indexed-workspace.ts';
import type { AppliedObject } from '../objects/applied-objects.ts';
import { type BuiltBy, builtByOf, builtByText } from '../objects/built-by.ts';
import { objectOption, objectsNamed } from '../objects/named-objects.ts';
import { choice, UsageError } from '../options/arguments.ts';
import { formats, namespace, paths, whereToLook } from '../options/shared-options.ts';
import { writeJson } from '../output/json.ts';
import { tame, tamePath } from '../output/terminal-escape.ts';
import { displayPath } from '../paths/display-path.ts';
import type { Arguments, Command } from './command.ts';

export const whoSelects: Command = {
  name: 'who-selects',
  summary: 'Lists the selectors that match an object, or the pods that it creates.',
  details: [
    'All selectors in the scopes of the object are considered: those of Services, NetworkPolicies, PodDisruptionBudgets, monitors and all other kinds, including the selector of the object itself. In the JSON output, `answer` is `maybe` if a match depends on a template or a placeholder. If several kustomizations build the object, the matches of each result are listed.',
  ],
  operand: paths,
  options: [
    objectOption,
    {
      ...namespace,
      description:
        'The namespace of the object; an object without a namespace is treated as if it were in this namespace.',
    },
    formats('text', 'json'),
    ...whereToLook.filter((option) => option !== namespace),
  ],
  examples: [
    {
      line: 'selector-lens who-selects --object Deployment/web',
      description: 'List the Services, policies and budgets that select the pods of the Deployment.',
    },
  ],
  tool: {
    use: 'Call it before you change or remove a label of an object: each listed selector depends on its labels.',
    options: ['object', 'namespace', 'scope'],
    lists: ['objects'],
  },
  run: runWhoSelects,
};

interface SelectedObject extends BuiltBy {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly file: string;
  readonly line: number;
  readonly selectors: readonly SelectorOfObject[];
}

interface SelectorOfObject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly path: string;
  /** The selector in the syntax of `kubectl get -l`; alternatives are joined with `or`. */
  readonly selector: string;
  readonly answer: 'yes' | 'maybe';
  /** The path of the template of the selected pods; absent for the object's own labels. */
  readonly via?: string;
  readonly file: string;
  readonly line: number;
}

async function runWhoSelects(world: World, given: Arguments): Promise<number> {
  const object = given.values.get('object');
  if (object === undefined) throw new UsageError("The option '--object' must be given: KIND/NAME.");
  const indexed = await indexPaths(world, given);
  const named = objectsNamed(world, indexed, object, given.values.get('namespace'));
  const objects = named.map((each) => selectedObject(world, indexed.session, each));
  if (choice(given, 'format', ['text', 'json']) === 'json') writeJson(world, { objects });
  else for (const each of objects) for (const line of textLines(each)) world.out(line);
  return exitCodeOf(world, indexed);
}

function selectedObject(world: World, session: Session, applied: AppliedObject): SelectedObject {
  const { file, object, builtBy, workspace } = applied;
  const catalogue = session.workspace.catalogueOf(file.uri);
  const place = storedNamespace(catalogue, { object });
  const selectors = labeledObjectsOf(object).flatMap((labeledObject) =>
    selectingObjectsOf(workspace, catalogue, { file, object, labeledObject }).map((selecting) =>
      selectorOf(world, session, selecting, labeledObject),
    ),
  );
  return {
    kind: object.kind,
    name: object.name?.text ?? '',
    ...(place !== undefined && { namespace: place }),
    file: displayPath(world, file.uri),
    line: offsetToPosition(file.lines, object.kindSpan.start).line + 1,
    ...builtByOf(world, builtBy),
    selectors,
  };
}

function selectorOf(
  world: World,
  session: Session,
  { file, object, site, certain }: SelectingObject,
  { via }: LabeledObject,
): SelectorOfObject {
  const place = storedNamespace(session.workspace.catalogueOf(file.uri), { object });
  return {
    kind: object.kind,
    name: object.name?.text ?? object.generateName?.text ?? '',
    ...(place !== undefined && { namespace: place }),
    path: site.path,
    selector: alternativesOf(site)
      .map((each) => format(each, 'canonical'))
      .join(' or '),
    answer: certain ? 'yes' : 'maybe',
    ...(via !== undefined && { via }),
    file: displayPath(world, file.uri),
    line: offsetToPosition(file.lines, site.keySpan.start).line + 1,
  };
}

function textLines(selected: SelectedObject): readonly string[] {
  const { kind, name, namespace: place, file, line, selectors } = selected;
  const how = builtByText(selected);
  const where = place === undefined ? '' : ` in ${place}`;
  return [
    `${tamePath(`${file}:${line}:`)} ${tame(`${kind}/${name}${where}${how}`)}`,
    ...(selectors.length === 0 ? ['  No selector in its scope matches it.'] : []),
    ...selectors.map((each) => {
      const verb = each.answer === 'yes' ? 'selects' : 'may select';
      const what = each.via === undefined ? 'it' : 'its pods';
      return `  ${tame(`${each.kind}/${each.name} ${verb} ${what}: ${each.path} (${each.selector})  ${each.file}:${each.line}`)}`;
    }),
  ];
}
