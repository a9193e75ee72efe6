/** `selector-lens objects`: lists all objects of the workspace, once for each scope that they belong to. */

import { format, type Value } from '../../engine/index.ts';
import { isOpen } from '../../manifests/label-sets.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { knownLabels } from '../../manifests/sites/sites.ts';
import type { Session } from '../../session.ts';
import { offsetToPosition } from '../../text/lines.ts';
import { assumedRepositories } from '../../workspace/gitops/model.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { effectiveSelector } from '../../workspace/selection/effective-selector.ts';
import type { World } from '../environment.ts';
import { exitCodeOf, indexPaths } from '../indexed-workspace.ts';
import { assumptionText, externalOf } from '../objects/built-by.ts';
import { failedKustomizations } from '../objects/failed-kustomizations.ts';
import { describeUnknownKinds, inNamespace, isRequired, kindOption } from '../objects/kind-and-namespace.ts';
import { reportPartialScopes } from '../objects/partial-scopes.ts';
import { countScopedObjects, type ScopedObject, scopedObjects } from '../objects/scoped-objects.ts';
import { choice } from '../options/arguments.ts';
import { formats, namespace, paths, whereToLook } from '../options/shared-options.ts';
import { writeJson } from '../output/json.ts';
import { shownObject } from '../output/names.ts';
import { tame, tameLine } from '../output/terminal-escape.ts';
import { displayPath } from '../paths/display-path.ts';
import type { Arguments, Command } from './command.ts';

export const objects: Command = {
  name: 'objects',
  summary: 'Lists all objects as they are applied, once for each scope that they belong to.',
  details: [
    'A scope is a set of objects that are applied together: the objects that a root kustomization builds, a chart with its subcharts, an OpenShift Template, a folder of plain manifests, or a scope in `.selector-lens.yaml`.',
  ],
  operand: paths,
  options: [kindOption, inNamespace, formats('text', 'json'), ...whereToLook.filter((option) => option !== namespace)],
  examples: [
    {
      line: 'selector-lens objects --kind deploy,sts -n shop',
      description: 'List the Deployments and StatefulSets of a namespace.',
    },
    { line: 'selector-lens objects apps', description: 'List the objects of a folder with their scopes.' },
    {
      line: 'selector-lens objects --format json | jq .objects',
      description: 'List all objects with labels and selectors.',
    },
  ],
  tool: {
    use: 'Call it to learn which objects exist, with their labels, pod labels and selectors.',
    options: ['kind', 'namespace', 'scope'],
    lists: ['objects'],
    details: ['annotations', 'unknown'],
  },
  run: runObjects,
};

interface ShownObject {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** Set if it is unknown whether the object exists: this depends on unknown values, or Helm cannot install the chart, or kustomize cannot build the kustomization. */
  readonly mayNotExist?: true;
  readonly labels: Readonly<Record<string, string | null>>;
  /** Set if the object may have other labels, which a template adds. */
  readonly open?: true;
  readonly unknown: readonly string[];
  readonly annotations: Readonly<Record<string, string | null>>;
  /** The labels of the pod templates, without the labels that controllers add; absent if the object creates no pods. */
  readonly pods?: readonly ShownPods[];
  readonly selectors: readonly {
    readonly path: string;
    readonly canonical: string;
    /** Whether the selector may have more requirements. */
    readonly open?: true;
    /** Set if `canonical` is empty. */
    readonly matches?: 'everything' | 'nothing' | 'unknown';
  }[];
  readonly file: string;
  readonly line: number;
  readonly scope: {
    readonly kind: Scope['kind'];
    readonly path: string;
    /**
     * Repositories that GitOps objects name and that are assumed, but not known, to be the repository of the workspace.
     */
    readonly assumed?: readonly string[];
  };
  readonly external?: true;
}

interface ShownPods {
  readonly via: string;
  readonly labels: Readonly<Record<string, string | null>>;
  /** Set if the pods may have other labels, which a template or an operator adds. */
  readonly open?: true;
}

async function runObjects(world: World, given: Arguments): Promise<number> {
  const indexed = await indexPaths(world, given);
  const shown: ShownObject[] = [];
  const isFiltered = given.values.has('kind') || given.values.has('namespace');
  let count = 0;
  describeUnknownKinds(world, indexed, given);
  const failed = failedKustomizations(world, indexed);
  for (const each of scopedObjects(indexed)) {
    if (isFiltered && !isRequired(indexed.session, each, each.namespace, given)) continue;
    count++;
    if (shown.length < (world.mostItems ?? count))
      shown.push(listedObject(world, indexed.session, each, failed.has(each.scope)));
    else if (!isFiltered) break;
  }
  const isCut = shown.length < count;
  const total = isCut && !isFiltered ? countScopedObjects(indexed) : count;
  if (choice(given, 'format', ['text', 'json']) === 'json')
    writeJson(world, { objects: shown }, isCut ? { objects: total } : undefined);
  else for (const line of textLines(shown)) world.out(tameLine(line));
  reportPartialScopes(world, indexed);
  for (const [{ path }, reason] of failed)
    world.err(
      tame(
        `selector-lens: kustomize cannot build ${displayPath(world, path)}, so its objects may not exist: ${reason}`,
      ),
    );
  const code = exitCodeOf(world, indexed);
  if (isFiltered && count === 0 && !indexed.isEmpty) world.err('No objects match.');
  return code;
}

function listedObject(
  world: World,
  session: Session,
  { file, object, scope, namespace }: ScopedObject,
  isFailed: boolean,
): ShownObject {
  const assumed = scope.gitops === undefined ? [] : assumedRepositories(scope.gitops);
  const own = [...object.inherited, ...(object.labels?.entries ?? [])];
  const known = knownLabels(own, isOpen(object, object.labels));
  const labels = shownValues(known.labels);
  const noted = object.labelSites.find(({ path }) => path === 'metadata.annotations')?.entries ?? [];
  const pods = object.templates.flatMap(({ fact: { makes, open }, path, labels: site }) => {
    if (makes.group !== '' || makes.kind !== 'Pod') return [];
    const ofPods = knownLabels(site?.entries ?? [], isOpen(object, site));
    return [{ via: path, labels: shownValues(ofPods.labels), ...((open || ofPods.open) && { open: true as const }) }];
  });
  return {
    group: object.group,
    version: object.version,
    kind: object.kind,
    ...(namespace !== undefined && { namespace }),
    name: object.name?.text ?? object.generateName?.text ?? '',
    ...((isFailed || object.conditions !== undefined) && { mayNotExist: true }),
    labels,
    ...(known.open && { open: true }),
    unknown: Object.keys(labels).filter((key) => labels[key] === null),
    annotations: shownValues(knownLabels(noted, false).labels),
    ...(pods.length > 0 && { pods }),
    selectors: selectorsOf(object),
    file: displayPath(world, file.uri),
    line: offsetToPosition(file.lines, object.kindSpan.start).line + 1,
    scope: { kind: scope.kind, path: displayPath(world, scope.path), ...(assumed.length > 0 && { assumed }) },
    ...externalOf(session, file.uri),
  };
}

function shownValues(values: Readonly<Record<string, Value>>): Readonly<Record<string, string | null>> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, typeof value === 'string' ? value : null]),
  );
}

function selectorsOf({ selectorSites }: ManifestObject): ShownObject['selectors'] {
  return selectorSites.flatMap((site) => {
    const selector =
      effectiveSelector(site) ?? (site.fieldSelector?.ok === true ? site.fieldSelector.value : undefined);
    if (selector === undefined) return [];
    const canonical = format(selector, 'canonical');
    if (canonical !== '' || !('kind' in selector))
      return [{ path: site.path, canonical, ...(site.open && { open: true as const }) }];
    // A template may add requirements to an open selector.
    const matches = site.open || selector.kind === 'all' ? 'unknown' : selector.kind;
    return [{ path: site.path, canonical, matches }];
  });
}

/** Returns the lines of the text format, with a heading for each scope. */
function textLines(shown: readonly ShownObject[]): readonly string[] {
  const byScope = new Map<string, ShownObject[]>();
  for (const each of shown) {
    const { kind, path, assumed = [] } = each.scope;
    const heading = `${kind} ${path}${assumptionText(assumed)}`;
    byScope.set(heading, [...(byScope.get(heading) ?? []), each]);
  }
  return [...byScope].flatMap(([heading, theirs], number) => [
    ...(number === 0 ? [] : ['']),
    `${heading}:`,
    ...theirs.map(
      (each) =>
        `  ${shownNameOf(each)}${labelsOf(each)}  ${each.file}:${each.line}${each.external ? ', external' : ''}${each.mayNotExist ? ', may not exist' : ''}`,
    ),
  ]);
}

function shownNameOf({ kind, name, namespace }: ShownObject): string {
  return `${shownObject(kind, name || '(no name)')}${namespace === undefined ? '' : ` in ${namespace}`}`;
}

function labelsOf({ labels, open }: ShownObject): string {
  const known = Object.entries(labels).map(([key, value]) => `${key}=${value ?? '?'}`);
  const shown = open ? [...known, '...'] : known;
  return shown.length === 0 ? '' : ` {${shown.join(', ')}}`;
}
