/** Lists the matches of the selectors that an object contains, in each scope that applies the object. */

import type { Catalogue, GroupKind } from '../../engine/catalogue/types.ts';
import { format } from '../../engine/index.ts';
import { selectorText } from '../../features/presentation/selector-text.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { concretePath } from '../../manifests/sites/catalogue-paths.ts';
import type { Session } from '../../session.ts';
import { offsetToPosition } from '../../text/lines.ts';
import type { LabeledObjectInFile, ObjectInFile } from '../../workspace/model.ts';
import { everyCluster, type Scope } from '../../workspace/scopes/model.ts';
import { admissionMatches, isPartOfRules } from '../../workspace/selection/admission-matches.ts';
import { matchesInCluster, mayMatchIn } from '../../workspace/selection/cluster-matches.ts';
import { alternativesOf, isUnevaluated } from '../../workspace/selection/effective-selector.ts';
import { matchesInEveryCluster } from '../../workspace/selection/every-cluster.ts';
import { type ImpliedNamespace, impliedNamespaces } from '../../workspace/selection/implied-namespaces.ts';
import { storedNamespace } from '../../workspace/selection/namespaces.ts';
import { clusterFits, type NodeFits, podSpecAround } from '../../workspace/selection/node-fits.ts';
import { selectionOf } from '../../workspace/selection/selection.ts';
import { joined } from '../../workspace/selection/uncertainty.ts';
import { ofUnknownClusters, type Uncompared, uncomparedWith } from '../../workspace/selection/uncompared.ts';
import { unknownMatches } from '../../workspace/selection/unknown-matches.ts';
import type { World } from '../environment.ts';
import { shownObject } from '../output/names.ts';
import { tame, tamePath } from '../output/terminal-escape.ts';
import { displayPath } from '../paths/display-path.ts';
import { type AppliedObject, scopesOf } from './applied-objects.ts';
import { type BuiltBy, builtByOf, builtByText, externalOf } from './built-by.ts';
import { notComparedLines } from './not-compared.ts';

interface SelectorWithMatches extends BuiltBy {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly file: string;
  readonly line: number;
  readonly path: string;
  /** The selector in the syntax of `kubectl get -l`; alternatives are joined with `or`. */
  readonly selector: string;
  readonly matches: readonly MatchOfSelector[];
  /** The matches in other scopes that may share the cluster; absent if there are none. */
  readonly elsewhere?: Elsewhere;
  /** Set if the matches are unknown, because the form of the selector is not evaluated. */
  readonly unknown?: true;
  /** Why it is not certain that nothing else in the scope matches, without a period; absent if it is certain. */
  readonly uncertain?: string;
  /** What also decides whether a pod is scheduled onto a matching Node, or whether a webhook is called for a matching object. */
  readonly notConsidered?: string;
  /** The number of other GitOps objects that may share the cluster and whose objects are not all compared. */
  readonly notCompared?: number;
}

/** A selector in the answer, and the GitOps objects that are not completely compared with it. */
export interface FoundSelector {
  readonly selector: SelectorWithMatches;
  readonly uncompared: readonly Uncompared[];
  /** Why the selector is ignored, as the end of a sentence. */
  readonly ignoredBecause?: string;
}

/** A matching object; `builtBy` names another GitOps object that applies it. */
interface MatchOfSelector extends BuiltBy {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  /** The path of the template that creates the matching object; absent for the object's own labels. */
  readonly via?: string;
  /** The kind of the objects that the template creates, if they are not pods. */
  readonly makes?: string;
  readonly answer: 'yes' | 'maybe';
  readonly reason?: string;
  /** Why the pod is not scheduled onto the Node, although the selector matches it. */
  readonly unfit?: string;
  /** Set for a namespace without a Namespace object; the position is that of an object in the namespace. */
  readonly implied?: true;
  /** The position of the object; absent for an object that exists in every cluster. */
  readonly file?: string;
  readonly line?: number;
}

/** The objects in other scopes that a selector matches, as they are written, or the selectors there that match an object. */
export interface Elsewhere {
  readonly count: number;
  readonly nearest: { readonly kind: string; readonly name: string; readonly file: string; readonly line: number };
}

/** Describes objects in other scopes, which are sorted by distance; undefined if there are none. */
export function elsewhereOf(world: World, [first, ...others]: readonly ObjectInFile[]): Elsewhere | undefined {
  if (first === undefined) return undefined;
  const { file, object } = first;
  const line = offsetToPosition(file.lines, object.kindSpan.start).line + 1;
  const name = object.name?.text ?? object.generateName?.text ?? '';
  return { count: others.length + 1, nearest: { kind: object.kind, name, file: displayPath(world, file.uri), line } };
}

/** Formats matches in other scopes as the lines after the matches; `what` names one of them. */
export function elsewhereLines(what: string, elsewhere: Elsewhere | undefined): readonly string[] {
  if (elsewhere === undefined) return [];
  const { count, nearest } = elsewhere;
  const head =
    count === 1 ? `1 ${what} in another scope matches` : `${count} ${what}s in other scopes match; the nearest is`;
  const place = `${shownObject(nearest.kind, nearest.name)}  ${nearest.file}:${nearest.line}`;
  return [`  ${tame(`${head}${count === 1 ? ':' : ''} ${place}`)}`];
}

export function selectorsOfObject(world: World, session: Session, applied: AppliedObject): readonly FoundSelector[] {
  const { file, object, builtBy, workspace: view } = applied;
  const catalogue = session.workspace.catalogueOf(file.uri);
  const namespace = storedNamespace(catalogue, { object });
  const uncomparedFor = (site: SelectorSite) => {
    if (builtBy === undefined) return [];
    // The namespaces that an object selects decide what its other selectors match.
    const ofNamespaces = object.selectorSites.filter(({ fact }) => fact.targets.some(isNamespace));
    const sites = new Set([site, ...ofNamespaces]);
    return uncomparedWith(session.snapshot(), catalogue, builtBy, (other) =>
      [...sites].some((each) => mayMatchIn(other, catalogue, view, applied, each)),
    );
  };
  const describe = (site: SelectorSite, uncompared: readonly Uncompared[]): SelectorWithMatches => ({
    kind: object.kind,
    name: object.name?.text ?? object.generateName?.text ?? '',
    ...(namespace !== undefined && { namespace }),
    file: displayPath(world, file.uri),
    line: offsetToPosition(file.lines, site.keySpan.start).line + 1,
    ...builtByOf(world, builtBy),
    ...externalOf(session, file.uri),
    path: site.path,
    selector: selectorText(site),
    ...(isUnevaluated(site)
      ? ({ matches: [], unknown: true } as const)
      : {
          ...withNote(world, catalogue, applied, site, matchesOf(world, session, applied, site)),
          ...uncertaintyOf(session, applied, site),
          ...optional(elsewhereOf(world, matchesElsewhere(session, applied, site))),
        }),
    ...(uncompared.length > 0 && { notCompared: uncompared.length }),
  });
  const sites = object.selectorSites.filter((site) => !isPartOfRules(object, site));
  return [
    ...partsOf(world, session, applied, namespace),
    ...sites.map((site) => {
      const uncompared = uncomparedFor(site);
      return { selector: describe(site, uncompared), uncompared, ...ignoredBecause(site) };
    }),
  ];
}

/** Returns the field because of which a selector is ignored. */
function ignoredBecause({ state, fact: { ignored }, path }: SelectorSite): Pick<FoundSelector, 'ignoredBecause'> {
  if (state !== 'ignored' || ignored?.is === undefined) return {};
  return { ignoredBecause: `${concretePath(ignored.at, path)} is ${ignored.is}` };
}

/** Returns the parts of an admission policy with the objects to which they apply. */
function partsOf(
  world: World,
  session: Session,
  applied: AppliedObject,
  namespace: string | undefined,
): readonly FoundSelector[] {
  const { file, object, builtBy, workspace: view } = applied;
  if (object.admissionRules === undefined) return [];
  const catalogue = session.workspace.catalogueOf(file.uri);
  const matches = admissionMatches(view, catalogue, applied);
  return object.admissionRules.parts.map((part) => ({
    uncompared: [],
    selector: {
      kind: object.kind,
      name: object.name?.text ?? object.generateName?.text ?? '',
      ...(namespace !== undefined && { namespace }),
      file: displayPath(world, file.uri),
      line: offsetToPosition(file.lines, part.span.start).line + 1,
      ...builtByOf(world, builtBy),
      ...externalOf(session, file.uri),
      path: part.path,
      selector: '',
      matches: matches
        .filter((each) => each.part === part)
        .map((each) => matchOf(world, session, each, each.certain ? undefined : [each.reason ?? joined([])])),
    },
  }));
}

function optional(elsewhere: Elsewhere | undefined): { readonly elsewhere?: Elsewhere } {
  return elsewhere === undefined ? {} : { elsewhere };
}

/** Returns the matches in other scopes of a selector with requirements, without objects of GitOps objects whose relation to its cluster is known. */
function matchesElsewhere(session: Session, owner: AppliedObject, site: SelectorSite): readonly ObjectInFile[] {
  if (alternativesOf(site).some((each) => format(each, 'canonical') === '')) return [];
  const catalogue = session.workspace.catalogueOf(owner.file.uri);
  const own = owner.builtBy === undefined ? [] : [owner.builtBy];
  const { elsewhere } = selectionOf(owner.workspace, catalogue, owner, site);
  const written = elsewhere.filter(({ file }) => file.uri !== everyCluster);
  return ofUnknownClusters(session.snapshot(), catalogue, own, written);
}

/** Returns why it is not certain that nothing else in the scope of a selector matches. */
function uncertaintyOf(session: Session, owner: AppliedObject, site: SelectorSite): { readonly uncertain?: string } {
  const catalogue = session.workspace.catalogueOf(owner.file.uri);
  const scopes = scopesOf(session, owner);
  const uncertain = unknownMatches({ workspace: owner.workspace, catalogue, owner, site, scopes });
  return uncertain === undefined ? {} : { uncertain };
}

/** Returns matches, with a note if other fields also decide what is selected: for the Nodes of a pod, and for the objects of a webhook or an admission policy. */
function withNote(
  world: World,
  catalogue: Catalogue,
  owner: AppliedObject,
  { path }: SelectorSite,
  matches: readonly MatchOfSelector[],
) {
  if (matches.length === 0) return { matches };
  const spec = podSpecAround(owner.object, path);
  if (spec !== undefined)
    return withFits(
      world,
      clusterFits(owner.workspace, catalogue, owner, spec, () => false),
      matches,
    );
  return path.endsWith('.objectSelector')
    ? { matches, notConsidered: 'the kinds, operations and conditions to which the object limits the selector' }
    : { matches };
}

/** Returns the matching nodes of a pod, with the reasons why the pod does not fit some of them. */
function withFits(world: World, { others, assigned }: NodeFits, matches: readonly MatchOfSelector[]) {
  const unfit = new Map(
    others.map(({ object, where, reasons }) => {
      const file = displayPath(world, where.file.uri);
      return [[object.kind, object.name?.text, file].join('\n'), joined(reasons.filter((reason) => reason !== ''))];
    }),
  );
  return {
    matches: matches.map((match) => {
      const reason = unfit.get([match.kind, match.name, match.file].join('\n'));
      if (reason !== undefined && reason !== '') return { ...match, unfit: reason };
      const isOther = assigned !== undefined && match.kind === 'Node' && match.name !== assigned;
      return isOther ? { ...match, unfit: `\`nodeName\` is ${assigned}` } : match;
    }),
    notConsidered: 'resources',
  };
}

function isNamespace({ group, kind }: GroupKind): boolean {
  return group === '' && kind === 'Namespace';
}

/** Returns the matches in the scope of a selector, and then those in other GitOps objects of its cluster. */
function matchesOf(
  world: World,
  session: Session,
  owner: AppliedObject,
  site: SelectorSite,
): readonly MatchOfSelector[] {
  const { workspace: view, builtBy: scope } = owner;
  const catalogue = session.workspace.catalogueOf(owner.file.uri);
  const selection = selectionOf(view, catalogue, owner, site);
  const matches = [...selection.matches, ...matchesInEveryCluster(view, site, selection)];
  const beside =
    scope === undefined ? [] : matchesInCluster(session.snapshot(), catalogue, { scope, view }, owner, site);
  const names = new Set([...matches, ...beside].map(({ object }) => object.name?.text));
  return [
    ...matches.map((each) => matchOf(world, session, each, undefined)),
    ...selection.maybe.map((each) => matchOf(world, session, each, each.reasons)),
    ...impliedNamespaces(view, catalogue, owner, site)
      .filter(({ name, answer, isNamed }) => (answer === 'yes' || isNamed) && !names.has(name))
      .map((each) => impliedMatch(world, each)),
    ...beside.map((each) => matchOf(world, session, each, each.certain ? undefined : each.match.reasons, each.builtBy)),
  ];
}

function matchOf(
  world: World,
  session: Session,
  { file, object, labeledObject: { via, target } }: LabeledObjectInFile,
  reasons: readonly string[] | undefined,
  builtBy?: Scope,
): MatchOfSelector {
  const namespace = storedNamespace(session.workspace.catalogueOf(file.uri), { object });
  const line = offsetToPosition(file.lines, object.kindSpan.start).line + 1;
  return {
    kind: object.kind,
    name: object.name?.text ?? object.generateName?.text ?? '',
    ...(namespace !== undefined && { namespace }),
    ...(via !== undefined && { via }),
    ...(via !== undefined && target.kind !== 'Pod' && { makes: target.kind }),
    ...(reasons === undefined ? { answer: 'yes' } : { answer: 'maybe', reason: joined(reasons) }),
    ...(file.uri !== everyCluster && { file: displayPath(world, file.uri), line }),
    ...builtByOf(world, builtBy),
    ...externalOf(session, file.uri),
  };
}

function impliedMatch(world: World, { file, object, name, answer, reason }: ImpliedNamespace): MatchOfSelector {
  const line = offsetToPosition(file.lines, object.kindSpan.start).line + 1;
  return {
    kind: 'Namespace',
    name,
    answer,
    ...(reason !== undefined && { reason }),
    implied: true,
    file: displayPath(world, file.uri),
    line,
  };
}

const notEvaluated = '  Its matches are unknown, because this form of selector is not evaluated.';

/** Formats a selector and its matches as lines. */
export function selectorLines(
  world: World,
  { selector: each, uncompared, ignoredBecause }: FoundSelector,
): readonly string[] {
  const { kind, name, namespace, file, line, path, selector, matches, elsewhere, unknown, notConsidered } = each;
  const uncertain = each.uncertain === undefined ? undefined : `  Matches unknown: ${each.uncertain}.`;
  const ignored = ignoredBecause && `  It matches nothing: it is ignored, because ${ignoredBecause}.`;
  const none = unknown ? notEvaluated : (ignored ?? uncertain ?? '  It matches nothing in its scope.');
  const how = builtByText(each);
  const head = `${shownObject(kind, name)}${inNamespace(namespace)}${how}: ${path}${inParentheses(selector)}`;
  return [
    `${tamePath(`${file}:${line}:`)} ${tame(head)}`,
    ...(matches.length === 0 ? [none] : []),
    ...matches.map((match) => {
      const verb = match.answer === 'yes' ? 'matches' : 'may match';
      const undeclared = match.implied ? ' (named by an object)' : '';
      const pods = match.via === undefined ? '' : `the ${(match.makes ?? 'Pod').toLowerCase()}s of `;
      const place = match.file === undefined ? ', in every cluster' : `  ${match.file}:${match.line}`;
      const what = `${shownObject(match.kind, match.name)}${inNamespace(match.namespace)}${undeclared}`;
      const why = match.reason === undefined ? '' : `: ${match.reason}`;
      const unfit = match.unfit === undefined ? '' : `: the pod does not fit (${match.unfit})`;
      return `  ${tame(`${verb} ${pods}${what}${place}${builtByText(match)}${why}${unfit}`)}`;
    }),
    ...elsewhereLines('object', elsewhere),
    ...(notConsidered === undefined ? [] : [`  Not considered: ${notConsidered}.`]),
    ...notComparedLines(world, 'objects', uncompared),
  ];
}

function inNamespace(namespace: string | undefined): string {
  return namespace === undefined ? '' : ` in ${namespace}`;
}

/** Formats a selector after its path; empty for a selector without requirements. */
export function inParentheses(selector: string): string {
  return selector === '' ? '' : ` (${selector})`;
}
