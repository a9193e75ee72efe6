/** `selector-lens who-selects`: lists the selectors that match an object. */

import { isOfPeer, type Purpose, purposeOf, purposes } from '../../engine/catalogue/purposes.ts';
import type { GroupKind } from '../../engine/catalogue/types.ts';
import { roleOf } from '../../features/presentation/selecting-roles.ts';
import { selectorText } from '../../features/presentation/selector-text.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { LabeledObject } from '../../manifests/model.ts';
import type { Session } from '../../session.ts';
import { offsetToPosition } from '../../text/lines.ts';
import type { Span } from '../../text/span.ts';
import type { AppliedScope } from '../../workspace/kustomize/view.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { madeFromOthers } from '../../workspace/references/templates-of-others.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { type AppliedPolicy, admissionPoliciesOf, isPartOfRules } from '../../workspace/selection/admission-matches.ts';
import { storedNamespace } from '../../workspace/selection/namespaces.ts';
import {
  maySelect,
  possiblySelectingObjectsOf,
  type SelectingInCluster,
  type SelectingObject,
  selectingObjectsAround,
  selectingObjectsInCluster,
} from '../../workspace/selection/selecting-objects.ts';
import { joined } from '../../workspace/selection/uncertainty.ts';
import {
  appliesNamespace,
  ofUnknownClusters,
  type Uncompared,
  uncomparedWith,
} from '../../workspace/selection/uncompared.ts';
import type { World } from '../environment.ts';
import { exitCodeOf, indexPaths } from '../indexed-workspace.ts';
import type { AppliedObject } from '../objects/applied-objects.ts';
import { type BuiltBy, builtByOf, builtByText, externalOf } from '../objects/built-by.ts';
import { type Elsewhere, elsewhereLines, elsewhereOf, inParentheses } from '../objects/matches-of-object.ts';
import { objectIn, objectOption, objectsNamed } from '../objects/named-objects.ts';
import { notComparedJson, notComparedLines } from '../objects/not-compared.ts';
import { reportPartialScopes } from '../objects/partial-scopes.ts';
import { choice } from '../options/arguments.ts';
import { formats, namespace, paths, whereToLook } from '../options/shared-options.ts';
import { writeJson } from '../output/json.ts';
import { shownObject } from '../output/names.ts';
import { tame, tameLine, tamePath } from '../output/terminal-escape.ts';
import { displayPath } from '../paths/display-path.ts';
import type { Arguments, Command } from './command.ts';

export const whoSelects: Command = {
  name: 'who-selects',
  summary: 'Lists the selectors that match an object, or the pods that it creates.',
  details: [
    'Instead of `--object`, the first argument may name the object. All selectors in the scopes of the object are considered: those of Services, NetworkPolicies, PodDisruptionBudgets, monitors and all other kinds, including the selector of the object itself. If a GitOps object applies the object, selectors that other GitOps objects certainly apply to the same cluster are also considered, and the answer states how many GitOps objects that may share the cluster are not completely compared, and why: they apply charts or sources outside of the files, for example, or they are possibly in a different cluster and contain a selector that may match. In the JSON output, `answer` is `maybe` if a match depends on a template or a placeholder, or if it depends on users, conditions of requests or settings. Policies are counted by purpose: network, mesh, admission, monitoring and disruption. Admission policies are evaluated for the creation of the object. If several kustomizations build the object, the matches of each result are listed.',
  ],
  operand: paths,
  options: [
    objectOption,
    {
      ...namespace,
      description:
        'The namespace of the object; an object without a namespace is treated as if it were in this namespace.',
      input: '',
    },
    formats('text', 'json'),
    ...whereToLook.filter((option) => option !== namespace),
  ],
  examples: [
    {
      line: 'selector-lens who-selects Deployment/web',
      description: 'List the Services, policies and budgets that select the pods of the Deployment.',
    },
  ],
  tool: {
    use: 'Call it before you change or remove a label of an object.',
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
  /** The selectors in other scopes that may share the cluster; absent if there are none. */
  readonly elsewhere?: Elsewhere;
  /** The number of other GitOps objects that may share the cluster and whose selectors are not all compared. */
  readonly notCompared?: number;
}

/** A selector; `builtBy` names another GitOps object that applies it. */
interface SelectorOfObject extends BuiltBy {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly path: string;
  /** The selector in the syntax of `kubectl get -l`; alternatives are joined with `or`. */
  readonly selector: string;
  readonly answer: 'yes' | 'maybe';
  readonly reason?: string;
  /** What a policy governs: `network`, `mesh`, `admission`, `monitoring` or `disruption`; absent for other selectors. */
  readonly purpose?: Purpose;
  /** The path of the template of the selected pods; absent for the object's own labels. */
  readonly via?: string;
  /** The kind of the objects that the template creates, if they are not pods. */
  readonly makes?: string;
  readonly file: string;
  readonly line: number;
  /** The bindings through which an admission policy applies to the object. */
  readonly bindings?: readonly Place[];
}

interface Place {
  readonly kind: string;
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

async function runWhoSelects(world: World, given: Arguments): Promise<number> {
  const { object, others } = objectIn(given);
  const indexed = await indexPaths(world, others);
  const named = objectsNamed(world, indexed, object, given.values.get('namespace'));
  const found = named.map((each) => selectedObject(world, indexed.session, each));
  const notCompared = notComparedJson(
    world,
    found.flatMap(({ uncompared }) => uncompared),
  );
  if (choice(given, 'format', ['text', 'json']) === 'json')
    writeJson(world, {
      objects: found.map(({ selected }) => selected),
      ...(notCompared.length > 0 && { notCompared }),
    });
  else
    for (const { selected, uncompared } of found)
      for (const line of [...textLines(selected), ...notComparedLines(world, 'selectors', uncompared)]) world.out(line);
  reportPartialScopes(world, indexed);
  return exitCodeOf(world, indexed);
}

/** An object in the answer, and the GitOps objects that are not completely compared with it. */
interface Found {
  readonly selected: SelectedObject;
  readonly uncompared: readonly Uncompared[];
}

function selectedObject(world: World, session: Session, applied: AppliedObject): Found {
  const { file, object, builtBy, workspace } = applied;
  const catalogue = session.workspace.catalogueOf(file.uri);
  const place = storedNamespace(catalogue, { object });
  const snapshot = session.snapshot();
  const candidates = [
    ...labeledObjectsOf(object).map((labeledObject) => ({ file, object, labeledObject })),
    ...madeFromOthers(workspace, catalogue, applied),
  ];
  const selectors = candidates.flatMap((candidate) => {
    return [
      ...possiblySelectingObjectsOf(workspace, catalogue, candidate),
      ...(builtBy === undefined ? [] : selectingObjectsInCluster(snapshot, catalogue, builtBy, candidate, true)),
    ]
      .filter(({ object: owner, site }) => !isPartOfRules(owner, site))
      .map((selecting) => selectorOf(world, session, selecting, candidate.labeledObject))
      .concat(
        admissionPoliciesOf(workspace, catalogue, candidate).map((each) =>
          policyOf(world, session, each, candidate.labeledObject),
        ),
      );
  });
  const mayMatter = (other: AppliedScope) =>
    candidates.some((each) => maySelect(other, catalogue, each)) ||
    (place !== undefined && appliesNamespace(other, place));
  const uncompared = builtBy === undefined ? [] : uncomparedWith(snapshot, catalogue, builtBy, mayMatter);
  const around = candidates.flatMap((each) => selectingObjectsAround(workspace, catalogue, each));
  const elsewhere = elsewhereOf(
    world,
    ofUnknownClusters(
      snapshot,
      catalogue,
      builtBy === undefined ? [] : [builtBy],
      around.filter(({ relation }) => relation === 'elsewhere'),
    ),
  );
  const selected = {
    kind: object.kind,
    name: object.name?.text ?? '',
    ...(place !== undefined && { namespace: place }),
    file: displayPath(world, file.uri),
    line: offsetToPosition(file.lines, object.kindSpan.start).line + 1,
    ...builtByOf(world, builtBy),
    ...externalOf(session, file.uri),
    selectors,
    ...(elsewhere !== undefined && { elsewhere }),
    ...(uncompared.length > 0 && { notCompared: uncompared.length }),
  };
  return { selected, uncompared };
}

function selectorOf(
  world: World,
  session: Session,
  selecting: SelectingObject & Partial<SelectingInCluster>,
  labeled: LabeledObject,
): SelectorOfObject {
  const { site, certain, reason, builtBy } = selecting;
  const { path, keySpan: span } = site;
  const selector = selectorText(site);
  const purpose = purposeIn(selecting.object, path);
  const found = { path, selector, span, certain, reason: reason?.(), purpose, builtBy };
  return listed(world, session, selecting, labeled, found);
}

function policyOf(world: World, session: Session, policy: AppliedPolicy, labeled: LabeledObject): SelectorOfObject {
  const { part, certain, reason, bindings } = policy;
  const { path, span } = part;
  const found = { path, selector: '', span, certain, reason, purpose: purposeIn(policy.object, '') };
  const selector = listed(world, session, policy, labeled, found);
  return bindings === undefined ? selector : { ...selector, bindings: bindings.map((each) => placeOf(world, each)) };
}

function placeOf(world: World, { file, object }: ObjectInFile): Place {
  const { line } = offsetToPosition(file.lines, object.kindSpan.start);
  return { kind: object.kind, name: object.name?.text ?? '', file: displayPath(world, file.uri), line: line + 1 };
}

/** The selector of an object, or its rules (then `selector` is empty). */
interface Selecting {
  readonly path: string;
  readonly selector: string;
  readonly span: Span;
  readonly certain: boolean;
  readonly reason?: string | undefined;
  readonly purpose: Pick<SelectorOfObject, 'purpose'>;
  readonly builtBy?: Scope | undefined;
}

function listed(
  world: World,
  session: Session,
  { file, object }: ObjectInFile,
  { via, target }: LabeledObject,
  { path, selector, span, certain, reason, purpose, builtBy }: Selecting,
): SelectorOfObject {
  const place = storedNamespace(session.workspace.catalogueOf(file.uri), { object });
  return {
    kind: object.kind,
    name: object.name?.text ?? object.generateName?.text ?? '',
    ...(place !== undefined && { namespace: place }),
    path,
    selector,
    answer: certain ? 'yes' : 'maybe',
    ...(!certain && { reason: reason ?? joined([]) }),
    ...purpose,
    ...(via !== undefined && { via }),
    ...(via !== undefined && target.kind !== 'Pod' && { makes: target.kind }),
    file: displayPath(world, file.uri),
    line: offsetToPosition(file.lines, span.start).line + 1,
    ...builtByOf(world, builtBy),
    ...externalOf(session, file.uri),
  };
}

/** Returns the purpose of a policy. Selectors of peers, which are in lists, select the other end of connections. */
function purposeIn(object: GroupKind, path: string): Pick<SelectorOfObject, 'purpose'> {
  const found = isOfPeer(path) ? undefined : purposeOf(object);
  return found === undefined ? {} : { purpose: found.purpose };
}

/** Returns a line that counts the policies for each purpose; none for fewer than two policies. */
function governedLines(selectors: readonly SelectorOfObject[]): readonly string[] {
  const counted = purposes.flatMap((purpose) => {
    const policies = new Set(
      selectors.flatMap((each) =>
        each.purpose === purpose ? [`${each.kind}/${each.namespace ?? ''}/${each.name}`] : [],
      ),
    );
    return policies.size === 0 ? [] : [`${purpose} (${policies.size})`];
  });
  return counted.length < 2 ? [] : [`  Governed by policies for: ${counted.join(', ')}.`];
}

function textLines(selected: SelectedObject): readonly string[] {
  const { kind, name, namespace: place, file, line, selectors } = selected;
  const how = builtByText(selected);
  const where = place === undefined ? '' : ` in ${place}`;
  return [
    `${tamePath(`${file}:${line}:`)} ${tame(`${shownObject(kind, name)}${where}${how}`)}`,
    ...(selectors.length === 0 ? [`  ${nothingText(selected)}`] : []),
    ...selectors.map((each) => {
      const role = roleOf(each.path);
      const verb = verbs[role === 'selected' ? 'selects' : 'names'][each.answer];
      const as = role === 'selected' ? '' : ` as a ${role}`;
      const what = `${each.via === undefined ? 'it' : `its ${(each.makes ?? 'Pod').toLowerCase()}s`}${as}`;
      return tameLine(
        `  ${shownObject(each.kind, each.name)} ${verb} ${what}: ${each.path}${inParentheses(each.selector)}  ${each.file}:${each.line}${builtByText(each)}${boundBy(each)}${each.reason === undefined ? '' : `: ${each.reason}`}`,
      );
    }),
    ...governedLines(selectors),
    ...elsewhereLines('selector', selected.elsewhere),
  ];
}

const verbs = {
  selects: { yes: 'selects', maybe: 'may select' },
  names: { yes: 'names', maybe: 'may name' },
} as const;

function boundBy({ bindings = [] }: SelectorOfObject): string {
  const names = bindings.map(({ kind, name, file, line }) => `${shownObject(kind, name)}  ${file}:${line}`);
  return names.length === 0 ? '' : `, bound by ${names.join(', ')}`;
}

function nothingText({ builtByKind }: SelectedObject): string {
  return builtByKind === undefined || builtByKind === 'kustomization'
    ? 'No selector in its scope matches it.'
    : 'No selector in its scope, or of another GitOps object that certainly shares its cluster, matches it.';
}
