/** `selector-lens match`: lists the objects that a selector matches, as applied or as written. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import {
  type Answer,
  evaluate,
  type FieldSelector,
  format as formatSelector,
  type LabelSet,
  type Selector,
} from '../../engine/index.ts';
import { readByKubectl } from '../../manifests/kubectl-decoder.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { readKey } from '../../manifests/yaml/scalar-types.ts';
import { offsetToPosition } from '../../text/lines.ts';
import { compareText } from '../../text/order.ts';
import type { ObjectInFile, WorkspaceFile } from '../../workspace/model.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { fieldsOf } from '../../workspace/selectable-fields.ts';
import { endpointOf } from '../../workspace/selection/endpoint-answers.ts';
import { fieldAnswer } from '../../workspace/selection/field-answers.ts';
import { storedNamespace } from '../../workspace/selection/namespaces.ts';
import type { World } from '../environment.ts';
import { exitCodeOf, type Indexed, indexPaths } from '../indexed-workspace.ts';
import { describeUnknownKinds, inNamespace, isRequired, kindOption, kindsIn } from '../objects/kind-and-namespace.ts';
import { selectorLines, selectorsOfObject } from '../objects/matches-of-object.ts';
import { objectIn, objectsNamed } from '../objects/named-objects.ts';
import { withLabels } from '../objects/narrowing.ts';
import { notComparedJson } from '../objects/not-compared.ts';
import { reportPartialScopes } from '../objects/partial-scopes.ts';
import { scopedObjects } from '../objects/scoped-objects.ts';
import { choice, didYouMean, UsageError } from '../options/arguments.ts';
import {
  languageOption,
  type PolicySelector,
  readPolicySelector,
  withoutAddedLabels,
} from '../options/policy-language.ts';
import { readFieldSelector, readSelector, selectorOption } from '../options/selector-argument.ts';
import { formats, namespace, paths, whereToLook } from '../options/shared-options.ts';
import { writeJson } from '../output/json.ts';
import { nameList } from '../output/name-list.ts';
import { shownObject } from '../output/names.ts';
import { plain, tame, tamePath } from '../output/terminal-escape.ts';
import { displayPath } from '../paths/display-path.ts';
import type { Arguments, Command } from './command.ts';

export const match: Command = {
  name: 'match',
  summary: 'Lists the objects that a selector matches, or that the selectors of an object match.',
  details: [
    'Objects are listed in the form in which they are applied, once for each scope, with the names, namespaces and labels that kustomizations and charts give them. An object is listed only if its own `metadata.labels` certainly match. `--pods` lists the objects that create matching pods instead.',
    'A field selector is evaluated for the fields in manifests and for the defaults of the API server. If a match depends on a value that no manifest contains, such as a status, the object is listed with this reason. Objects of a kind that does not support one of the fields are left out.',
    '`--as-written` lists what `kubectl get -f FOLDER -R -l` would list from the unchanged files. Objects that kubectl cannot decode are left out, and so is everything after a syntax error in a file, for example in a chart template.',
    '`--object`, or KIND/NAME as the first argument, evaluates the selectors that an object contains, such as those of a Service or a NetworkPolicy, in each scope that applies the object, and lists the matches of each of them. Namespaces are considered, and matches that depend on a template or a placeholder are listed as uncertain. If a GitOps object applies the object, objects that other GitOps objects certainly apply to the same cluster are also considered.',
  ],
  operand: paths,
  options: [
    selectorOption,
    languageOption,
    {
      name: 'object',
      value: 'KIND/NAME',
      description:
        'List the matches of each selector of this object, such as `Service/web`, instead of the matches of a given selector.',
      input: 'List the matches of each selector of this object, such as `Service/web`.',
    },
    {
      name: 'field-selector',
      value: 'STRING',
      description:
        'A field selector, as after `kubectl get --field-selector`: `spec.restartPolicy=Always,status.phase!=Failed`.',
      input: 'A field selector, such as `spec.restartPolicy=Always`.',
    },
    kindOption,
    {
      ...inNamespace,
      description: `${inNamespace.description} With \`--object\`, the namespace of that object.`,
      input: 'The namespace.',
    },
    {
      name: 'label-columns',
      letter: 'L',
      value: 'KEYS',
      description:
        'Show the values of these labels, as `kubectl get -L` does, and sort by them, so that objects with equal values follow each other. Separate several keys with commas.',
    },
    { name: 'pods', description: 'List the objects that create matching pods, with the path of the template.' },
    {
      name: 'as-written',
      description: 'List objects as written in their files, as kubectl reads them, without kustomizations and charts.',
    },
    formats('text', 'json'),
    ...whereToLook.filter((option) => option !== namespace),
  ],
  examples: [
    {
      line: "selector-lens match -l 'app=web,tier in (front,back)'",
      description: 'List what `kubectl get -l` returns after everything is applied.',
    },
    {
      line: 'selector-lens match -l app=web overlays/prod',
      description: 'List the matching objects that an overlay builds.',
    },
    {
      line: 'selector-lens match -l app=web --pods apps',
      description: 'List the workloads whose pods a Service with this selector would select.',
    },
    {
      line: 'selector-lens match --object NetworkPolicy/web',
      description: 'List the pods and namespaces that each selector of a policy matches, in each overlay.',
    },
    {
      line: 'helm template web | selector-lens match -l app=web --kind deploy -',
      description: 'List the matching Deployments in the output of a chart.',
    },
  ],
  tool: {
    use: "Call it with 'object' for the matches of a Service or policy in each scope, and with 'selector' before you write a selector; then only certain matches are listed.",
    options: ['object', 'selector', 'field-selector', 'kind', 'namespace', 'pods', 'scope'],
    lists: ['objects', 'selectors'],
  },
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
  /** The reason why it is uncertain whether the fields match; absent if they certainly match. */
  readonly uncertain?: string;
  /** The values of the requested labels; null for a label that the object lacks, or whose value is unknown. */
  readonly labels?: Readonly<Record<string, string | null>>;
  /** The scope that applies the object; absent with `--as-written`. */
  readonly scope?: { readonly kind: Scope['kind']; readonly path: string };
}

interface Question {
  readonly selector: Selector;
  readonly fields: FieldSelector | undefined;
  readonly given: Arguments;
  /** A selector in the language of a network policy, which selects pods. */
  readonly policy?: PolicySelector;
}

/** Shows the objects whose labels certainly match; with `--pods`, objects that create matching pods. The exit code does not depend on whether any object matches. */
async function runMatch(world: World, given: Arguments): Promise<number> {
  const text = given.values.get('selector');
  const fieldText = given.values.get('field-selector');
  const isOfObject = given.values.has('object') || (text === undefined && fieldText === undefined);
  if (isOfObject && !given.values.has('object') && !given.paths[0]?.includes('/'))
    throw new UsageError("The option '--selector' must be given, or '--object'.");
  if (isOfObject) {
    const { object, others } = objectIn(given);
    return runMatchOfObject(world, others, object);
  }
  const language = given.values.get('language');
  const policy = language === undefined ? undefined : readPolicySelector(text ?? '', language);
  const selector = policy?.own ?? readSelector(text ?? '');
  const fields = fieldText === undefined ? undefined : readFieldSelector(fieldText);
  const indexed = await indexPaths(world, given);
  const question = { selector, fields, given, ...(policy && { policy }) };
  describeUnknownKinds(world, indexed, given);
  rejectUnsupportedFields(world, indexed, question);
  if (policy !== undefined && given.flags.has('as-written'))
    throw new UsageError("The options '--language' and '--as-written' cannot be combined.");
  const found = given.flags.has('as-written')
    ? indexed.reported.flatMap((file) => writtenMatches(world, indexed, file, question))
    : appliedMatches(world, indexed, question);
  const objects = sortedByLabels(found, columnsIn(given));
  if (choice(given, 'format', ['text', 'json']) === 'json') {
    const canonical = policy === undefined ? formatSelector(selector, 'canonical') : (text ?? '');
    writeJson(world, { selector: text ?? '', canonical, objects });
  } else for (const each of objects) world.out(tamePath(lineOf(each)));
  reportPartialScopes(world, indexed);
  const code = exitCodeOf(world, indexed);
  if (objects.length === 0 && !indexed.isEmpty)
    world.err(code === 2 ? 'No objects match in the files that could be read.' : 'No objects match.');
  if (objects.length === 0 && kindsIn(given).length === 0) describeUnsupportedFields(world, indexed, question);
  return code;
}

/** The options that limit or describe the matches of a given selector. */
const ofGivenSelector = [
  'selector',
  'language',
  'field-selector',
  'kind',
  'label-columns',
  'pods',
  'as-written',
] as const;

async function runMatchOfObject(world: World, given: Arguments, word: string): Promise<number> {
  const other = ofGivenSelector.find((name) => given.values.has(name) || given.flags.has(name));
  if (other !== undefined) throw new UsageError(`The options '--object' and '--${other}' cannot be combined.`);
  const indexed = await indexPaths(world, given);
  const named = objectsNamed(world, indexed, word, given.values.get('namespace'));
  const found = named.flatMap((each) => selectorsOfObject(world, indexed.session, each));
  const notCompared = notComparedJson(
    world,
    found.flatMap(({ uncompared }) => uncompared),
  );
  if (choice(given, 'format', ['text', 'json']) === 'json')
    writeJson(world, {
      object: word,
      selectors: found.map(({ selector }) => selector),
      ...(notCompared.length > 0 && { notCompared }),
    });
  else for (const each of found) for (const line of selectorLines(world, each)) world.out(line);
  reportPartialScopes(world, indexed);
  if (found.length === 0) world.err(`${tame(word)} has no selectors.`);
  return exitCodeOf(world, indexed);
}

/** The maximum number of kinds to list by name. */
const maximumKinds = 10;

/** Reports the kinds that do not support a field, because their objects are left out. */
function describeUnsupportedFields(world: World, indexed: Indexed, { fields }: Question): void {
  const { session, reported } = indexed;
  const { catalogue } = session;
  const workspace = session.snapshot();
  const written = reported.flatMap(({ manifest }) => manifest.objects.filter(({ forCluster }) => forCluster));
  const objects = [...written, ...[...scopedObjects(indexed)].map(({ object }) => object)];
  const kinds = [...new Map(objects.map((each) => [`${each.group}/${each.kind}`, each])).values()];
  for (const { field } of fields?.requirements ?? []) {
    const names = new Set<string>();
    const unsupporting = kinds.filter((kind) => {
      const known = fieldsOf({ catalogue, workspace }, kind);
      for (const each of known?.fields ?? []) names.add(each.field);
      return (
        known !== undefined &&
        !known.fields.some((each) => each.field === field) &&
        !Object.hasOwn(known.aliases, field)
      );
    });
    if (unsupporting.length === 0) continue;
    const named = unsupporting.map(({ kind }) => kind).toSorted(compareText);
    const which = nameList(named, maximumKinds);
    const near = unsupporting.length === kinds.length ? didYouMean(field, [...names]) : '';
    world.err(tame(`These kinds do not support the field '${field}', so their objects are left out: ${which}.${near}`));
  }
}

function lineOf({ file, line, kind, name, namespace, via, scope, uncertain, labels = {} }: MatchedObject): string {
  const place = namespace === undefined ? '' : ` in ${namespace}`;
  const notes = [via, scope?.kind === 'kustomization' ? `kustomization ${scope.path}` : undefined];
  const noted = notes.filter((each) => each !== undefined).join(', ');
  const may = uncertain === undefined ? '' : ` may match: ${plain(uncertain)}`;
  const columns = Object.entries(labels).map(
    ([key, value]) => ` ${plain(key)}=${value === null ? '<none>' : plain(value)}`,
  );
  return `${file}:${line}: ${shownObject(kind, name)}${place}${noted === '' ? '' : ` (${noted})`}${columns.join('')}${may}`;
}

/** Returns the keys of the labels to show. */
function columnsIn(given: Arguments): readonly string[] {
  return (given.values.get('label-columns') ?? '').split(',').filter((key) => key !== '');
}

/** Sorts objects by the values of the first label, then of the next label. Objects without a label come last. */
function sortedByLabels(objects: readonly MatchedObject[], keys: readonly string[]): readonly MatchedObject[] {
  if (keys.length === 0) return objects;
  const compare = (a: MatchedObject, b: MatchedObject, key: string) => {
    const [one, other] = [a.labels?.[key] ?? null, b.labels?.[key] ?? null];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return compareText(one, other);
  };
  return objects.toSorted((a, b) => keys.map((key) => compare(a, b, key)).find((order) => order !== 0) ?? 0);
}

/** Returns the values of the requested labels of an object, or of the object that its template creates. */
function labelsShown(
  object: ManifestObject,
  via: string | undefined,
  keys: readonly string[],
): Pick<MatchedObject, 'labels'> {
  if (keys.length === 0) return {};
  const labeled = labeledObjectsOf(object).find((each) => each.via === via);
  const shownValue = (key: string) => {
    const value = Object.hasOwn(labeled?.labels ?? {}, key) ? labeled?.labels[key] : undefined;
    return typeof value === 'string' ? value : null;
  };
  return { labels: Object.fromEntries(keys.map((key) => [key, shownValue(key)])) };
}

/** Rejects a field by which no object of the named kinds can be selected, as the API server does. */
function rejectUnsupportedFields(world: World, { session }: Indexed, { fields, given }: Question): void {
  const catalogue = session.workspace.catalogueOf(world.currentFolder);
  const workspace = session.snapshot();
  const kinds = kindsIn(given).flatMap((word) => catalogue.named(word));
  for (const { field } of fields?.requirements ?? []) {
    for (const kind of kinds) {
      const known = fieldsOf({ catalogue, workspace }, kind);
      if (known === undefined || (kinds.length > 1 && !isBuiltIn(kind.group))) continue;
      const names = known.fields.map((each) => each.field);
      if (names.includes(field) || Object.hasOwn(known.aliases, field)) continue;
      throw new UsageError(
        `Field selectors of ${kind.kind} do not support '${field}'; supported fields: ${names.join(', ')}.`,
      );
    }
  }
}

/** Returns the matches among the selected objects as their scopes apply them. */
function appliedMatches(world: World, indexed: Indexed, question: Question): readonly MatchedObject[] {
  const { session } = indexed;
  const { selector, given } = question;
  const pods = given.flags.has('pods') || question.policy !== undefined;
  const own = pods ? withoutAddedLabels(selector) : selector;
  return [...scopedObjects(indexed, withLabels(indexed, own))].flatMap((each): readonly MatchedObject[] => {
    const { object, scope, namespace: place } = each;
    if (!isRequired(session, each, place, given)) return [];
    const matched = pods ? podsMatched([object], own) : ownMatched([object], own);
    const named = { kind: scope.kind, path: displayPath(world, scope.path) };
    return matched.flatMap((one) => {
      const answer = policyAnswer(session, each.file, one, question);
      if (answer === 'no') return [];
      return withFields(session, each.file, one, question).map((uncertain) => ({
        ...describe(world, each, place, one[1]),
        ...labelsShown(one[0], one[1], columnsIn(given)),
        ...(answer === 'maybe' && { uncertain: 'it depends on labels or settings that are not in the files' }),
        ...uncertain,
        scope: named,
      }));
    });
  });
}

/** Whether a pod, whose labels meet the requirements on labels that clusters do not add, matches the whole selector. */
function policyAnswer(
  session: Indexed['session'],
  file: WorkspaceFile,
  [object, via]: Matched,
  { policy, selector, given }: Question,
): Answer {
  if (policy === undefined && !given.flags.has('pods')) return 'yes';
  const labeledObject = labeledObjectsOf(object).find((each) => each.via === via);
  if (labeledObject === undefined) return 'no';
  if (policy === undefined) return evaluate(selector, labeledObject);
  const target = { file, object, labeledObject };
  return policy.answer(endpointOf(session.snapshot(), session.workspace.catalogueOf(file.uri), target));
}

/** Returns the matches among the objects of a file as kubectl decodes it. */
function writtenMatches(
  world: World,
  { session, readText }: Indexed,
  file: WorkspaceFile,
  question: Question,
): readonly MatchedObject[] {
  const { selector, given } = question;
  // External objects that a configuration declares are not manifests.
  if (file.config !== undefined || file.objects === 0) return [];
  const requested = file.manifest.objects.filter(
    (object) => object.forCluster && isRequired(session, { file, object }, object.namespace?.text, given),
  );
  const found = given.flags.has('pods')
    ? podsMatched(requested.filter(hasStrings), selector)
    : asKubectl(requested, selector, () => readText(file));
  return found.flatMap((matched) => {
    const [object, via] = matched;
    const where = { file, object };
    const namespace = storedNamespace(session.workspace.catalogueOf(file.uri), where);
    return withFields(session, file, matched, question).map((uncertain) => ({
      ...describe(world, where, namespace, via),
      ...labelsShown(object, via, columnsIn(given)),
      ...uncertain,
    }));
  });
}

/** Evaluates the field selector for a match. Returns an empty list if the fields do not match; otherwise the match, with the reason if it is uncertain whether the fields match. */
function withFields(
  session: Indexed['session'],
  file: WorkspaceFile,
  [object, via]: Matched,
  { fields, given }: Question,
): readonly Pick<MatchedObject, 'uncertain'>[] {
  if (fields === undefined) return [{}];
  const labeledObject = labeledObjectsOf(object).find((each) => each.via === via);
  if (labeledObject === undefined) return [];
  const catalogue = session.workspace.catalogueOf(file.uri);
  const selectable = { file, object, labeledObject };
  const { answer, reason } = fieldAnswer(
    session.snapshot(),
    catalogue,
    fields,
    selectable,
    given.values.get('namespace'),
  );
  if (answer === 'no') return [];
  return [answer === 'yes' ? {} : { uncertain: reason ?? '' }];
}

/** An object and, if its own labels do not match, the path of the template whose labels match. */
type Matched = readonly [object: ManifestObject, via?: string | undefined];

function podsMatched(objects: readonly ManifestObject[], selector: Selector): readonly Matched[] {
  return objects.flatMap((object) =>
    labeledObjectsOf(object)
      .filter(({ target }) => target.group === '' && target.kind === 'Pod')
      .filter((labeledObject) => evaluate(selector, labeledObject) === 'yes')
      .map((labeledObject): Matched => [object, labeledObject.via]),
  );
}

/** Returns the objects whose own labels certainly match. */
function ownMatched(objects: readonly ManifestObject[], selector: Selector): readonly Matched[] {
  const isMatch = (labels: LabelSet) => evaluate(selector, labels) === 'yes';
  return objects
    .filter((object) => labeledObjectsOf(object).some((own) => own.via === undefined && isMatch(own)))
    .map((object) => [object]);
}

/** Returns the objects that kubectl lists by their own labels. The text is read only if an object may be listed. */
function asKubectl(objects: readonly ManifestObject[], selector: Selector, readText: () => string): readonly Matched[] {
  const withLabels = new Set(ownMatched(objects, selector).map(([object]) => object));
  const withNone = evaluate(selector, { labels: {} }) === 'yes';
  if (withLabels.size === 0 && !(withNone && objects.length > 0)) return [];
  const read = readByKubectl(readText());
  return objects.flatMap((object): readonly Matched[] => {
    const known = read.get(object.span.start);
    if (known === undefined) return [];
    return (known.hasLabels ? withLabels.has(object) : withNone) ? [[object]] : [];
  });
}

/** Whether the values of all labels are strings or null. If a key is duplicated, the last value wins. */
function hasStrings({ labels }: ManifestObject): boolean {
  const last = new Map(labels?.entries.map(({ key, value }) => [readKey(key), value]));
  return [...last.values()].every(({ type }) => type === 'string' || type === 'null');
}

function describe(
  world: World,
  { file, object }: ObjectInFile,
  namespace: string | undefined,
  via: string | undefined,
): MatchedObject {
  const { line } = offsetToPosition(file.lines, object.kindSpan.start);
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
