/** Resolves references: finds the objects that have the name in a field, in the same scope or outside of it. */

import { storedGroup } from '../../engine/catalogue/stored-group.ts';
import type { Catalogue } from '../../engine/catalogue/types.ts';
import { releaseNamespace } from '../../manifests/helm/value.ts';
import type { GeneratorEntry } from '../../manifests/kustomize/model.ts';
import type { ManifestObject, ReferenceSite } from '../../manifests/model.ts';
import { targetKinds } from '../../manifests/sites/references.ts';
import { compareText, inOrder } from '../../text/order.ts';
import { nameTerm } from '../dependencies/questions.ts';
import type { ObjectInFile, Workspace, WorkspaceFile } from '../model.ts';
import type { Scope } from '../scopes/model.ts';
import { fileOfPlace, placeOf } from '../scopes/scope-facts.ts';
import { effectiveNamespace, hasNoNamespace } from '../selection/namespaces.ts';
import type { Named, ReferenceTarget } from './model.ts';
import { generatorsOf, kustomizationsWith, namesByKind } from './names.ts';
import { objectsWithName } from './objects-by-name.ts';
import { filesThatMayMake, mayBeNamed, producedBy } from './producers.ts';

/** Maximum number of files that are searched for objects whose controllers create an object with the name. */
const maximumProducers = 500;

/** A kind that a reference may name; without a group, a kind of any group matches. */
type Wanted = ReturnType<typeof targetKinds>[number];

/** Returns the objects that a reference names, the nearest first. Objects outside of the scope are included only if the scope contains none. */
export function targetsOf(
  workspace: Workspace,
  catalogue: Catalogue,
  from: ObjectInFile,
  site: ReferenceSite,
): readonly ReferenceTarget[] {
  const kinds = targetKinds(site, catalogue);
  const search = { workspace, catalogue, from, site, name: site.name.text };
  const found = kinds.flatMap((kind) => [...objectsNamed(search, kind), ...generatorsNamed(search, kind)]);
  const written = nearest(found);
  const isHere = written.some(({ relation, answer }) => relation === 'here' && answer === 'yes');
  for (const { kind } of kinds) {
    const question = { about: 'named', term: nameTerm.object(kind, search.name) } as const;
    if (isHere) workspace.questions?.noteAround(question);
    else workspace.questions?.note(question);
  }
  if (isHere) return written;
  return nearest([...found, ...producersOf(workspace, catalogue, from, site)]);
}

/** Returns the objects whose controllers create, or add to, an object that a reference names. */
export function producersOf(
  workspace: Workspace,
  catalogue: Catalogue,
  from: ObjectInFile,
  site: ReferenceSite,
): readonly ReferenceTarget[] {
  const search = { workspace, catalogue, from, site, name: site.name.text };
  return targetKinds(site, catalogue).flatMap((kind) => producersNamed(search, kind));
}

export function scopesOfTarget(workspace: Workspace, { file, object }: ReferenceTarget): readonly Scope[] {
  return rootsAt(workspace, object === undefined ? file.uri : placeOf({ file, object }));
}

interface Search {
  readonly workspace: Workspace;
  readonly catalogue: Catalogue;
  readonly from: ObjectInFile;
  readonly site: ReferenceSite;
  readonly name: string;
}

/** Returns the nearest targets: targets in the scope hide targets outside of it, and certain targets hide uncertain targets. */
function nearest(found: readonly ReferenceTarget[]): readonly ReferenceTarget[] {
  const here = found.filter(({ relation }) => relation === 'here');
  const near = here.length > 0 ? here : found;
  const certain = near.filter(({ answer }) => answer === 'yes');
  return certain.length > 0 ? certain : near;
}

function objectsNamed(search: Search, wanted: Wanted): readonly ReferenceTarget[] {
  return namesakesOf(search, wanted).flatMap((each): readonly ReferenceTarget[] => {
    const answer = certainty(search, each);
    if (answer === undefined) return [];
    const { name, kindSpan } = each.object;
    return [{ ...targetFor(each, each.object), ...answer, is: 'object', span: name?.span ?? kindSpan }];
  });
}

/** Returns the objects of a kind with the name in a reference, in any namespace and scope. */
function namesakesOf(search: Search, { group, kind }: Wanted): readonly ObjectInFile[] {
  const { workspace, name } = search;
  return filesWith(search, kind, name).flatMap((uri) => {
    const file = workspace.files.get(uri);
    return objectsWithName(file, name).flatMap((object): readonly ObjectInFile[] => {
      const isMeant =
        kind === '*' || (object.kind === kind && (group === undefined || isStoredWith(kind, group, object.group)));
      return isMeant && object.forCluster && file ? [{ file, object }] : [];
    });
  });
}

/** An object that has the kind and name in a reference, but to which the reference does not refer. */
export interface Unreached extends ObjectInFile {
  /** Whether the object is in another namespace, or in a scope that is never applied with the reference. */
  readonly isIn: 'other namespace' | 'other scope';
}

/** Returns the objects that have the kind and name in a reference, but to which the reference certainly does not refer. */
export function unreachedBy(
  workspace: Workspace,
  catalogue: Catalogue,
  from: ObjectInFile,
  site: ReferenceSite,
): readonly Unreached[] {
  const search = { workspace, catalogue, from, site, name: site.name.text };
  const others = targetKinds(site, catalogue).flatMap((wanted) => namesakesOf(search, wanted));
  return others
    .filter((each) => certainty(search, each) === undefined)
    .map((each) => {
      const isElsewhere = namespaceAnswer(workspace, catalogue, from, site, each) === 'no';
      return { ...each, isIn: isElsewhere ? 'other namespace' : 'other scope' };
    });
}

/** Whether a kind has the same objects in two API groups. */
function isStoredWith(kind: string, a: string, b: string): boolean {
  return storedGroup({ group: a, kind }) === storedGroup({ group: b, kind });
}

/** Returns the files that contain an object with a kind and name. A name that a template generates can be compared only with names in the same scope. */
function filesWith({ workspace, from }: Search, kind: string, name: string): readonly string[] {
  const scopes = workspace.scopes();
  if (name.includes('{{'))
    return [...scopes.filesAround(placeOf(from))].filter((uri) => !scopes.isPatch(uri)).toSorted(compareText);
  const names = namesByKind(workspace);
  const found = kind === '*' ? [...names.values()].flatMap((each) => each.get(name) ?? []) : names.get(kind)?.get(name);
  return inOrder([...new Set((found ?? []).map(({ uri }) => uri))], compareText);
}

function targetFor(
  { file, object }: ObjectInFile,
  { group, kind }: Wanted,
): Omit<ReferenceTarget, 'is' | 'relation' | 'answer' | 'span'> {
  const { name, namespace, dataKeys } = object;
  return {
    file,
    object,
    group: group ?? '',
    kind,
    name: name?.text ?? '',
    ...(namespace && { namespace: namespace.text }),
    ...(dataKeys && { keys: dataKeys }),
  };
}

function generatorsNamed(search: Search, { kind }: Wanted): readonly ReferenceTarget[] {
  const { workspace, name } = search;
  return generatorsOf(workspace, kind, name).flatMap((uri) => {
    const file = workspace.files.get(uri);
    return (file?.kustomization?.generators ?? []).flatMap((entry): readonly ReferenceTarget[] => {
      if (entry.kind !== kind || entry.name?.text !== name || file === undefined) return [];
      const answer = builtCertainty(search, { file, object: generatedObject(file, entry) });
      return answer === undefined ? [] : [{ ...generatorTarget(file, entry), ...answer }];
    });
  });
}

/** Returns the object that a generator of a kustomization creates, as the target of a reference. */
export function generatorTarget(
  file: WorkspaceFile,
  { kind, name, span, keys }: GeneratorEntry,
): Omit<ReferenceTarget, 'relation' | 'answer'> {
  return {
    file,
    is: 'generator',
    group: '',
    kind,
    name: name?.text ?? '',
    span: name?.span ?? span,
    ...(keys && { keys }),
  };
}

/** Returns the fields of a generated object that determine its scope and namespace. */
function generatedObject({ kustomization }: WorkspaceFile, { kind, namespace }: GeneratorEntry) {
  const given = namespace ?? kustomization?.namespace;
  return { group: '', version: 'v1', kind, ...(given && { namespace: given }) };
}

function producersNamed(search: Search, { group, kind }: Wanted): readonly ReferenceTarget[] {
  const { workspace, catalogue, name } = search;
  const uris = filesThatMayMake(workspace, catalogue, kind, name);
  return uris.slice(0, maximumProducers).flatMap((uri) => {
    const file = workspace.files.get(uri);
    return (file?.manifest.objects ?? []).flatMap((object) =>
      producedBy(object, catalogue).flatMap((made): readonly ReferenceTarget[] => {
        const isMeant = made.kind === kind && (group === undefined || made.group === group);
        if (!isMeant || !mayBeNamed(made.name, name) || file === undefined) return [];
        const answer = certainty(search, { file, object });
        if (answer === undefined) return [];
        const { keys } = made;
        const target = targetFor({ file, object }, made);
        return [{ ...target, ...answer, is: 'producer', name, span: made.at.span, ...(keys && { keys }) }];
      }),
    );
  });
}

/** Like `certainty`, for a reference or target in a kustomization or in a patch. These files are in no scope: they are in the scopes of all kustomizations that use them, and a kustomization sets the namespaces of both objects. */
function builtCertainty(search: Search, to: Reached): Pick<ReferenceTarget, 'relation' | 'answer'> | undefined {
  const { workspace, from } = search;
  const [own, roots] = [rootsAt(workspace, placeOf(from)), rootsAt(workspace, placeOf(to))];
  if (!roots.some((root) => own.includes(root))) {
    const scopes = workspace.scopes();
    const isAlternative = (root: Scope) =>
      [...root.files].slice(0, 1).some((first) => scopes.relation(placeOf(from), first) === 'apart');
    return roots.length > 0 && roots.every(isAlternative) ? undefined : certainty(search, to);
  }
  return { relation: 'here', answer: sameNamespace(search, to) };
}

/** Compares the namespaces in two files that a kustomization builds together; they can differ only if both are written. */
function sameNamespace({ site, from }: Search, to: Reached): 'yes' | 'maybe' {
  const [a, b] = [site.namespace ?? from.object.namespace, to.object.namespace];
  return a !== undefined && b !== undefined && a.text !== b.text ? 'maybe' : 'yes';
}

/** Returns the scopes of a file; for a kustomization or a patch, the scopes that are built with it. */
export function rootsAt(workspace: Workspace, place: string): readonly Scope[] {
  const scopes = workspace.scopes();
  const uri = fileOfPlace(place);
  const users = scopes.isPatch(uri) ? kustomizationsWith(scopes, uri) : [uri];
  const built = users.flatMap((each) => scopes.building(each));
  return built.length > 0 ? built : scopes.of(place);
}

/** The fields of a written or generated object that determine whether a reference can refer to it. */
interface Reached {
  readonly file: { readonly uri: string };
  readonly object: Pick<ManifestObject, 'group' | 'version' | 'kind' | 'namespace' | 'template'>;
}

/** Returns the distance of a target from a reference, and whether its namespace is certain; undefined if the namespaces certainly differ. */
function certainty(search: Search, to: Reached): Pick<ReferenceTarget, 'relation' | 'answer'> | undefined {
  const { workspace, catalogue, from, site } = search;
  const scopes = workspace.scopes();
  if (scopes.isPatch(from.file.uri)) {
    const [own, roots] = [rootsAt(workspace, placeOf(from)), rootsAt(workspace, placeOf(to))];
    if (roots.some((root) => own.includes(root))) return { relation: 'here', answer: sameNamespace(search, to) };
  }
  const relation = scopes.relation(placeOf(from), placeOf(to), to);
  if (relation === 'apart') return undefined;
  const answer = namespaceAnswer(workspace, catalogue, from, site, to);
  return answer === 'no' ? undefined : { relation, answer };
}

function namespaceAnswer(
  workspace: Workspace,
  catalogue: Catalogue,
  from: ObjectInFile,
  { namespace, fact }: ReferenceSite,
  to: Reached,
): 'yes' | 'maybe' | 'no' {
  if (hasNoNamespace(catalogue, to)) return 'yes';
  const there = effectiveNamespace(workspace, catalogue, to);
  if (namespace !== undefined) {
    const given = namespace.text === releaseNamespace ? workspace.scopes().namespaceOf(placeOf(from)) : namespace.text;
    const isOfRelease = given === undefined && workspace.scopes().together(placeOf(from), placeOf(to));
    if (given === there?.text && (given !== undefined || isOfRelease)) return 'yes';
    // A kustomization, or the command that applies an object, may set a namespace that is not in the file.
    return to.object.namespace === undefined || isUnknownText(namespace.value, there?.value) ? 'maybe' : 'no';
  }
  // The controller of a cluster-scoped object determines the namespace to which the object refers.
  if (hasNoNamespace(catalogue, from)) return 'maybe';
  const own = effectiveNamespace(workspace, catalogue, from);
  if (own?.text === there?.text) {
    const isSure = own !== undefined || workspace.scopes().together(placeOf(from), placeOf(to));
    return isSure ? 'yes' : 'maybe';
  }
  if (own === undefined || there === undefined || isUnknownText(own.value, there.value)) return 'maybe';
  return fact.guessed && fact.form !== 'host' ? 'maybe' : 'no';
}

function isUnknownText(...values: readonly unknown[]): boolean {
  return values.some((each) => typeof each !== 'string');
}

/** Whether a reference may refer to a target, and the distance of the target; undefined if the reference does not refer to it. */
export function reachesTarget(
  workspace: Workspace,
  catalogue: Catalogue,
  from: ObjectInFile,
  site: ReferenceSite,
  { file, object, group, kind }: Named,
): Pick<ReferenceTarget, 'relation' | 'answer'> | undefined {
  const isMeant = targetKinds(site, catalogue).some(
    (each) => each.kind === kind && (each.group === undefined || isStoredWith(kind, each.group, group)),
  );
  if (!isMeant) return undefined;
  const { namespace } = file.kustomization ?? {};
  const to = object ?? { group, version: 'v1', kind, ...(namespace && { namespace }) };
  const search = { workspace, catalogue, from, site, name: site.name.text };
  return object === undefined ? builtCertainty(search, { file, object: to }) : certainty(search, { file, object: to });
}
