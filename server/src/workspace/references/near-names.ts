/** Finds the only object in a scope whose name is similar to the name in a reference to a missing object. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { BoundedMap, getOrAdd } from '../../engine/memoize.ts';
import type { ManifestObject, ReferenceSite } from '../../manifests/model.ts';
import { targetKinds } from '../../manifests/sites/references.ts';
import { misspelling, slightDifference } from '../../text/misspelling.ts';
import { SimilarNames } from '../../text/similar-names.ts';
import { nameTerm, unrecorded } from '../dependencies/questions.ts';
import { buildsNamed, hasNamed } from '../kustomize/built-elsewhere.ts';
import type { ObjectInFile, Workspace } from '../model.ts';
import { allInCluster, scopesInCluster } from '../scopes/cluster.ts';
import { isEdited, type Scope, type Scopes } from '../scopes/model.ts';
import { placeOf } from '../scopes/scope-facts.ts';
import { hasNoNamespace } from '../selection/namespaces.ts';
import type { ReferenceTarget } from './model.ts';
import {
  filesThatGenerate,
  filesThatMake,
  filesThatName,
  generatorsIn,
  namesByKind,
  namesInFile,
  objectsOfKind,
} from './names.ts';
import { objectsReferringTo } from './objects-by-name.ts';
import { createsTarget, namesMadeIn } from './producers.ts';
import { targetsOf } from './targets.ts';
import { isReferred, unusedCounterpart } from './unused-counterpart.ts';

/** The name that was probably intended in a reference. */
export interface NearName {
  readonly kind: string;
  readonly name: string;
  /** Set if the name is correct, but the only object with the name is in another namespace than `home`, to which the reference refers, and whether a program may copy the object. */
  readonly place?: { readonly home: string; readonly namespace: string; readonly mayBeCopied: boolean };
  /** The object, generator or producer with that name. */
  readonly target: Pick<ReferenceTarget, 'file' | 'span'> | undefined;
  /** Set if another GitOps object applies the object to the same cluster. */
  readonly isInOtherScope?: true;
  /** Set if the names differ so little that all other objects of the scope must be known. */
  readonly isWeak?: true;
  /** Set if the names differ in their last parts, and nothing refers to the object with this name. */
  readonly isUnused?: true;
  /** Set if other references may have the missing name, too. */
  readonly isAmbiguous?: true;
}

/** Returns the only similar name in the scope and namespace of a reference to an object that does not exist. Returns undefined if the object may exist in another namespace or scope or under a name that a kustomization sets, or if another object refers to the same name. */
export function nearName(
  workspace: Workspace,
  catalogue: Catalogue,
  from: ObjectInFile,
  site: ReferenceSite,
): NearName | undefined {
  const { name, fact } = site;
  const [wanted, ...others] = targetKinds(site, catalogue);
  if (wanted === undefined || (others.length > 0 && fact.kindAt !== undefined) || typeof name.value !== 'string')
    return undefined;
  const kinds = [wanted, ...others].map(({ kind }) => kind);
  if (kinds.some((kind) => exists(workspace, from, kind, name.text))) return undefined;
  const { kind } = wanted;
  const near = closest(workspace, catalogue, from, site, kind);
  if (near === undefined) return undefined;
  if (kinds.some((each) => filesThatGenerate(workspace, each, name.text).length > 0)) return undefined;
  if (isNamedElsewhere(workspace, catalogue, from, site, near)) return undefined;
  const { isInOtherScope, isWeak, isUnused } = near;
  if (isInOtherScope && mayBeUnknown(workspace, from, site)) return undefined;
  if (targetsOf(workspace, catalogue, from, site).length > 0 || isRendered(workspace, catalogue, from, kind, name.text))
    return undefined;
  // Tested last, because rendering the other scopes is slow.
  if (kinds.some((each) => buildsNamed(workspace, catalogue, from, each, name.text))) return undefined;
  const named = { ...site, name: { ...name, text: near.name, value: near.name } };
  const isMeant = ({ relation, answer }: ReferenceTarget) =>
    isInOtherScope ? relation === 'elsewhere' && answer === 'yes' : relation === 'here';
  const target = targetsOf(workspace, catalogue, from, named).find(isMeant);
  if (isInOtherScope && target === undefined) return undefined;
  return {
    kind,
    name: near.name,
    target,
    ...(isInOtherScope && { isInOtherScope }),
    ...(isWeak && { isWeak }),
    ...(isUnused && { isUnused }),
  };
}

/** Returns the only similar name in the scope and namespace of a reference to an object that certainly does not exist. In contrast to `nearName`, other references may have both names. */
export function similarName(
  workspace: Workspace,
  catalogue: Catalogue,
  from: ObjectInFile,
  site: ReferenceSite,
): NearName | undefined {
  const [wanted, ...others] = targetKinds(site, catalogue);
  if (wanted === undefined || others.length > 0 || typeof site.name.value !== 'string') return undefined;
  const near = closest(workspace, catalogue, from, site, wanted.kind);
  if (near === undefined || near.isInOtherScope || near.isWeak || near.isUnused) return undefined;
  const named = { ...site, name: { ...site.name, text: near.name, value: near.name } };
  const target = targetsOf(workspace, catalogue, from, named).find(({ relation }) => relation === 'here');
  return { kind: wanted.kind, name: near.name, target, isAmbiguous: true };
}

/** Names of objects that Kubernetes, OpenShift or Istio create. */
export const inEveryCluster =
  /^(?:default|kube-.*|kubernetes|system[:-].*|cluster-admin|admin|edit|view|in-cluster|extension-apiserver-authentication.*|istio-ca-root-cert|openshift-service-ca\.crt)$/;

function exists(workspace: Workspace, from: ObjectInFile, kind: string, name: string): boolean {
  if (inEveryCluster.test(name)) return true;
  const named = namesByKind(workspace).get(kind)?.get(name) ?? [];
  const around = workspace.scopes().filesAround(placeOf(from));
  const question = { about: 'named', term: nameTerm.object(kind, name) } as const;
  if (named.some(({ uri }) => around.has(uri))) workspace.questions?.noteAround(question);
  else workspace.questions?.note(question);
  return named.length > 0;
}

interface Similar {
  readonly name: string;
  readonly isEvident: boolean;
  readonly isInOtherScope?: true;
  readonly isWeak?: true;
  readonly isUnused?: true;
}

function closest(
  workspace: Workspace,
  catalogue: Catalogue,
  from: ObjectInFile,
  site: ReferenceSite,
  kind: string,
): Similar | undefined {
  const names = namesIn(workspace, catalogue, from, kind);
  const here = closestOf(workspace, catalogue, from, site, names);
  const others = here.length > 0 ? [] : closestOf(workspace, catalogue, from, site, namesBeside(workspace, from, kind));
  const [only, ...more] = here.length > 0 ? here : others;
  if (more.length > 0) return undefined;
  if (only !== undefined) return here.length > 0 ? only : { ...only, isInOtherScope: true };
  const reached = reachedIn(names, ownNamespace(catalogue, from, site));
  const unused = unusedCounterpart(workspace, catalogue, from, site, kind, reached);
  return unused === undefined ? undefined : { name: unused, isEvident: false, isUnused: true };
}

/** Returns the similar names; only those that differ evidently if there are any. */
function closestOf(
  workspace: Workspace,
  catalogue: Catalogue,
  from: ObjectInFile,
  site: ReferenceSite,
  names: readonly NameHere[],
): readonly Similar[] {
  const wanted = site.name.text;
  const ownName = from.object.name?.text ?? '';
  const comparable = reachedIn(names, ownNamespace(catalogue, from, site));
  const found: Similar[] = [];
  for (const name of comparable.near(wanted)) {
    const likeness = misspelling(wanted, name);
    if (likeness === 'evident' || likeness === 'likely' || (likeness === 'possible' && ownName.includes(name)))
      found.push({ name, isEvident: likeness === 'evident' });
    else {
      const difference = slightDifference(wanted, name) ?? (likeness === 'possible' ? 'letters' : undefined);
      if (difference === undefined) continue;
      // `api` and `apis` are two different names as often as one misspelled name.
      const isPlural = difference === 'plural';
      const isOwn = ownName.includes(name) && !ownName.includes(wanted);
      const isMeant =
        difference === 'swap' ||
        (isOwn && !(isPlural && comparable.names.size > 1)) ||
        isUsual(workspace, catalogue, from, site, name) ||
        !(isPlural || isReferred(workspace, catalogue, from, targetKinds(site, catalogue)[0]?.kind, name));
      if (isMeant) found.push({ name, isEvident: false, isWeak: true });
    }
  }
  const evident = found.filter(({ isEvident }) => isEvident);
  const certain = evident.length > 0 ? evident : found.filter(({ isWeak }) => isWeak === undefined);
  return certain.length > 0 ? certain : found;
}

/** Returns the namespace of a reference; empty if it is unknown. */
function ownNamespace(catalogue: Catalogue, from: ObjectInFile, site: ReferenceSite): string {
  const isCluster = hasNoNamespace(catalogue, from) && site.namespace === undefined;
  return isCluster ? '' : (site.namespace?.text ?? from.object.namespace?.text ?? '');
}

/** The names of a list that may be in a namespace, by namespace. */
const reachedNames = new WeakMap<readonly NameHere[], BoundedMap<string, SimilarNames>>();
const maximumNamespaces = 64;

/** Returns the names of the objects that may be in a namespace. */
function reachedIn(names: readonly NameHere[], own: string): SimilarNames {
  const known = getOrAdd(reachedNames, names, () => new BoundedMap<string, SimilarNames>(maximumNamespaces));
  return getOrAdd(known, own, () => {
    const isReached = ({ namespace }: NameHere) => namespace === '' || own === '' || namespace === own;
    return new SimilarNames(names.filter(isReached).map(({ name }) => name));
  });
}

/** Returns the names of the objects of a kind in the scopes and the namespace of a reference. */
export function namesAround(
  workspace: Workspace,
  catalogue: Catalogue,
  from: ObjectInFile,
  site: ReferenceSite,
  kind: string,
): readonly string[] {
  return [...reachedIn(namesIn(workspace, catalogue, from, kind), ownNamespace(catalogue, from, site)).names];
}

/** Whether another object of Flux, of the same kind and in the same scope and namespace, refers to a name in the same field. Secrets are excluded, because people often create them without a manifest. */
function isUsual(
  workspace: Workspace,
  catalogue: Catalogue,
  { file, object }: ObjectInFile,
  site: ReferenceSite,
  name: string,
): boolean {
  const kindOf = (each: ReferenceSite) => targetKinds(each, catalogue)[0]?.kind;
  const kind = kindOf(site);
  if (!isFlux(object) || kind === 'Secret') return false;
  const fieldOf = ({ path }: ReferenceSite) => path.replaceAll(/\[\d+\]/g, '');
  const around = workspace.scopes().filesAround(placeOf({ file, object }));
  const isSibling = (other: ManifestObject) =>
    other.group === object.group && other.kind === object.kind && other.namespace?.text === object.namespace?.text;
  return filesThatName(workspace, name).some(
    (uri) =>
      around.has(uri) &&
      objectsReferringTo(workspace.files.get(uri), name).some(
        (other) =>
          isSibling(other) &&
          !(uri === file.uri && other.span.start === object.span.start) &&
          other.references?.some(
            (each) => each.name.text === name && fieldOf(each) === fieldOf(site) && kindOf(each) === kind,
          ),
      ),
  );
}

interface NameHere {
  readonly name: string;
  readonly namespace: string;
}

type NamesByKind = ReadonlyMap<string, readonly NameHere[]>;

/** The names in the files of a scope, by the facts of all files, because the files of a scope may stay the same while their objects change. */
const namesInFiles = new WeakMap<Facts, WeakMap<ReadonlySet<string>, NamesByKind>>();

type Facts = ReturnType<Scopes['facts']>;

/** Returns the names of the objects that the scopes of an object contain or create. */
function namesIn(workspace: Workspace, catalogue: Catalogue, from: ObjectInFile, kind: string): readonly NameHere[] {
  const files = workspace.scopes().filesAround(placeOf(from));
  // Recorded here, because other checks use the cached names.
  for (const term of [nameTerm.kind(kind), nameTerm.maker(kind)])
    workspace.questions?.noteAround({ about: 'named', term });
  const byKind = getOrAdd(
    getOrAdd(allNames, workspace.files, () => new WeakMap()),
    files,
    () => new Map(),
  );
  const { names, makers } = getOrAdd(byKind, kind, () =>
    unrecorded(workspace, () => {
      const makers = filesThatMake(workspace, catalogue, kind)
        .filter((uri) => files.has(uri))
        .slice(0, maximumProducers);
      const produced = producedIn(workspace, catalogue, makers, kind);
      return { names: [...namesHere(workspace, from, kind), ...produced], makers };
    }),
  );
  for (const uri of makers) workspace.questions?.readAround(uri);
  return names;
}

/** Names by kind, for the files of each scope. */
type ByFiles<Names> = WeakMap<ReadonlySet<string>, Map<string, Names>>;

/** The names with the files whose objects make some of them. */
interface NamesHere {
  readonly names: readonly NameHere[];
  readonly makers: readonly string[];
}

const allNames = new WeakMap<Workspace['files'], ByFiles<NamesHere>>();
const namesOfArgo = new WeakMap<Workspace['files'], Map<string, readonly NameHere[]>>();
const namesOfClusters = new WeakMap<Workspace['files'], WeakMap<readonly Scope[], NamesByKind>>();

function namesHere(workspace: Workspace, from: ObjectInFile, kind: string): readonly NameHere[] {
  const scopes = workspace.scopes();
  const files = scopes.filesAround(placeOf(from));
  const byFiles = getOrAdd(namesInFiles, scopes.facts(), () => new WeakMap<ReadonlySet<string>, NamesByKind>());
  const written = getOrAdd(byFiles, files, () => gatherNames(scopes, files)).get(kind) ?? [];
  const roots = scopes.of(placeOf(from));
  const generated = [...generatorsIn(workspace, kind)].flatMap(([key, uris]) =>
    uris.some((uri) => scopes.building(uri).some((root) => roots.includes(root)))
      ? [{ name: key.slice(kind.length + 1), namespace: '' }]
      : [],
  );
  return generated.length === 0 ? written : [...written, ...generated];
}

/** Returns the names of a kind outside of the scope: for an object of Flux, the names that other GitOps objects apply to the same cluster; for an object of Argo CD, the names of objects of Argo CD in the workspace. */
function namesBeside(workspace: Workspace, from: ObjectInFile, kind: string): readonly NameHere[] {
  const isArgo = from.object.gitopsSpec !== undefined && !isFlux(from.object);
  if (!(isArgo || isFlux(from.object))) return none;
  // Recorded here, because other checks use the cached names.
  workspace.questions?.note({ about: 'named', term: nameTerm.kind(kind) });
  workspace.questions?.note({ about: 'gitops' });
  if (isFlux(from.object)) return namesInCluster(workspace, from).get(kind) ?? none;
  const byKind = getOrAdd(namesOfArgo, workspace.files, () => new Map<string, readonly NameHere[]>());
  return getOrAdd(byKind, `${from.object.group}/${kind}`, () =>
    objectsOfKind(workspace, kind).filter(({ group }) => group === from.object.group),
  );
}

/** Returns the names that GitOps objects apply to the cluster of an object: once for all objects of the cluster, although those of its own scope are not beside it. */
function namesInCluster(workspace: Workspace, from: ObjectInFile): NamesByKind {
  const all = allInCluster(workspace.scopes(), workspace.scopes().of(placeOf(from)));
  const byCluster = getOrAdd(namesOfClusters, workspace.files, () => new WeakMap<readonly Scope[], NamesByKind>());
  return getOrAdd(byCluster, all, () =>
    unrecorded(workspace, () => gatherNames(workspace.scopes(), new Set(all.flatMap(({ files }) => [...files])))),
  );
}

const none: readonly NameHere[] = [];

export function isFlux({ group }: Pick<ManifestObject, 'group'>): boolean {
  return group.endsWith('.toolkit.fluxcd.io');
}

/** Returns the scopes of other GitOps objects that certainly apply to the cluster of an object. */
function scopesBeside(workspace: Workspace, from: ObjectInFile): readonly Scope[] {
  const scopes = workspace.scopes();
  return scopesInCluster(scopes, scopes.of(placeOf(from)));
}

function filesBeside(workspace: Workspace, from: ObjectInFile): ReadonlySet<string> {
  return new Set(scopesBeside(workspace, from).flatMap(({ files }) => [...files]));
}

/** Whether a GitOps object of the cluster with unknown content may apply an object to the namespace of a reference. */
export function mayBeUnknown(workspace: Workspace, from: ObjectInFile, { namespace }: ReferenceSite): boolean {
  const own = (namespace ?? from.object.namespace)?.text;
  return scopesBeside(workspace, from).some(
    ({ kind, gitops, namespace: target }) =>
      kind !== 'helm-release' &&
      gitops?.contents.includes(undefined) &&
      (own === undefined || target === undefined || target === own),
  );
}

function gatherNames(scopes: Scopes, files: ReadonlySet<string>): NamesByKind {
  const byKind = new Map<string, NameHere[]>();
  for (const uri of files) {
    const facts = scopes.isPatch(uri) ? undefined : scopes.factsOf(uri);
    for (const named of facts === undefined ? [] : namesInFile(uri, facts))
      getOrAdd(byKind, named.kind, () => []).push(named);
  }
  return byKind;
}

/** Returns the names of the objects of a kind that the controllers of the objects in some files create. */
function producedIn(
  workspace: Workspace,
  catalogue: Catalogue,
  makers: readonly string[],
  kind: string,
): readonly NameHere[] {
  return makers
    .flatMap((uri) => namesMadeIn(workspace.files.get(uri), catalogue))
    .filter((made) => made.kind === kind && !made.name.includes('*'));
}

/** Maximum number of files whose producers are compared. */
const maximumProducers = 100;

/** Whether the name is probably intended: another object refers to it too, except in the patch that writes it, or the referring object also refers to the similar name. A repeated name is a misspelling only if that is evident, or if only one file repeats it and similar objects refer to the similar name. */
function isNamedElsewhere(
  workspace: Workspace,
  catalogue: Catalogue,
  { file, object }: ObjectInFile,
  site: ReferenceSite,
  near: Similar,
): boolean {
  const isSame = (each: ReferenceSite, name: string) =>
    each.name.text === name && each.fact.targets[0]?.kind === site.fact.targets[0]?.kind;
  if (!near.isEvident && object.references?.some((each) => isSame(each, near.name))) return true;
  const around = workspace.scopes().filesAround(placeOf({ file, object }));
  const beside = near.isInOtherScope && filesBeside(workspace, { file, object });
  const isCopied = isUsual(workspace, catalogue, { file, object }, site, near.name);
  return filesThatName(workspace, site.name.text).some((uri) => {
    if (!(around.has(uri) || beside?.has(uri))) return false;
    return objectsReferringTo(workspace.files.get(uri), site.name.text).some((other) => {
      if (uri === file.uri && other.span.start === object.span.start) return false;
      if (uri === site.name.origin?.uri) return false;
      if (other.namespace?.text !== object.namespace?.text) return false;
      return other.references?.some(
        (each) =>
          each.name.text === site.name.text &&
          (createsTarget(other, each) ||
            each.fact.guessed ||
            (!near.isEvident && !(isCopied && uri === file.uri) && isSame(each, site.name.text))),
      );
    });
  });
}

/** Whether a kustomization or GitOps object of the scope builds an object of a kind with a name, which may differ from the name in its file. */
export function isRendered(
  workspace: Workspace,
  catalogue: Catalogue,
  from: ObjectInFile,
  kind: string,
  name: string,
): boolean {
  return workspace
    .scopes()
    .of(placeOf(from))
    .filter(isEdited)
    .some((scope) => hasNamed(workspace.rendering(scope.path, catalogue)?.objects ?? [], kind, name));
}
