/** Finds the references to an object as a scope applies both: values of charts and patches decide which references objects have, and which names. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { Value } from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import type { ManifestObject, ReferenceSite } from '../../manifests/model.ts';
import { targetKinds } from '../../manifests/sites/references.ts';
import { touches } from '../../text/span.ts';
import { versionsIn } from '../kustomize/view.ts';
import type { EffectiveObject, ObjectInFile, Rendering, Workspace } from '../model.ts';
import type { Scope } from '../scopes/model.ts';
import { placeOf } from '../scopes/scope-facts.ts';
import type { ReferenceInFile } from './model.ts';
import { keepsWrittenName, patchedSites } from './patched-references.ts';
import { createsTarget } from './producers.ts';

/** An object as a scope builds it, and the workspace as this scope applies it. */
export interface AppliedTarget extends ObjectInFile {
  readonly workspace: Workspace;
  readonly builtBy?: Scope | undefined;
}

/** Returns a written reference as the scope that builds a target applies it; an empty list if it does not apply it, or gives it another name. */
export function asApplied(
  target: AppliedTarget,
  catalogue: Catalogue,
  reference: ReferenceInFile,
): readonly ReferenceInFile[] {
  const { workspace, builtBy } = target;
  const file = workspace.files.get(reference.file.uri);
  if (file === undefined || builtBy === undefined) return [];
  if (!workspace.scopes().of(placeOf(reference)).includes(builtBy)) return [];
  return versionsIn(file, reference.object).flatMap(({ object }): readonly ReferenceInFile[] => {
    const site = siteIn(object, reference.site, reference.object);
    if (site === undefined || !isInNamespaceOf(target, object, site)) return [];
    if (builtBy.kind === 'chart' && isOfOtherBranch(site, reference.site)) return [];
    const kept = keptIn(target, catalogue, object, site);
    if (kept === 'no') return [];
    const applied = { ...reference, object, site, answer: kept === 'maybe' ? kept : reference.answer };
    const { value } = site.name;
    const isSame = keyOf(value) === keyOf(target.object.name?.value);
    if (builtBy.kind === 'chart' && isSame) return [{ ...applied, answer: certaintyOf(object) }];
    // A kustomization changes names and references together, but only the references that it knows.
    if (typeof value === 'string') return isSame || site.name.text === reference.site.name.text ? [applied] : [];
    return [{ ...applied, answer: 'maybe' }];
  });
}

/** Whether a reference of an object that the scope of a target builds has its written name; the objects of a chart have the names that its templates write. */
export function keptIn(
  { workspace, builtBy }: AppliedTarget,
  catalogue: Catalogue,
  object: ManifestObject,
  site: ReferenceSite,
): 'yes' | 'maybe' | 'no' {
  const rendering = builtBy && workspace.rendering(builtBy.path, catalogue);
  const built =
    rendering && getOrAdd(byObject, rendering.objects, (all) => new Map(all.map((each) => [each.object, each])));
  const found = built?.get(object);
  return found === undefined ? 'yes' : keepsWrittenName(found, site, catalogue);
}

const byObject = new WeakMap<Rendering['objects'], ReadonlyMap<ManifestObject, EffectiveObject>>();

/** Returns the references to the applied name of a target in the objects that its scope builds, also if no file contains the name. */
export function referencesInScope(
  target: AppliedTarget,
  catalogue: Catalogue,
  rendering: Pick<Rendering, 'objects'>,
): readonly ReferenceInFile[] {
  const written = getOrAdd(byName, rendering.objects, (all) => indexed(all, ({ object }) => object.references ?? []));
  return naming(target, catalogue, written).flatMap((each): readonly ReferenceInFile[] => {
    const kept = keptIn(target, catalogue, each.object, each.site);
    return kept === 'no' ? [] : [kept === 'maybe' ? { ...each, answer: kept } : each];
  });
}

/** Returns the references to the applied name of a target that patches write into the objects that its scope builds, in the files of these objects. */
export function patchedInScope(
  target: AppliedTarget,
  catalogue: Catalogue,
  rendering: Pick<Rendering, 'objects'>,
): readonly ReferenceInFile[] {
  const patched = getOrAdd(byPatchedName, rendering.objects, (all) =>
    indexed(all, (each) => patchedSites(each, catalogue)),
  );
  return naming(target, catalogue, patched);
}

interface Applied {
  readonly uri: string;
  readonly object: ManifestObject;
  readonly site: ReferenceSite;
}

type ByName = ReadonlyMap<string, readonly Applied[]>;

const byName = new WeakMap<Rendering['objects'], ByName>();
const byPatchedName = new WeakMap<Rendering['objects'], ByName>();

function indexed(objects: Rendering['objects'], sitesOf: (each: EffectiveObject) => readonly ReferenceSite[]): ByName {
  const found = new Map<string, Applied[]>();
  for (const each of objects)
    for (const site of sitesOf(each)) {
      const key = keyOf(site.name.value);
      if (key !== undefined) getOrAdd(found, key, () => []).push({ uri: each.file.uri, object: each.object, site });
    }
  return found;
}

function naming(target: AppliedTarget, catalogue: Catalogue, all: ByName): readonly ReferenceInFile[] {
  const { workspace, object: named } = target;
  const key = keyOf(named.name?.value);
  const found = (key === undefined ? undefined : all.get(key)) ?? [];
  return found.flatMap(({ uri, object, site }): readonly ReferenceInFile[] => {
    const file = workspace.files.get(uri);
    const isMeant =
      targetKinds(site, catalogue).some(({ group = '', kind }) => kind === named.kind && group === named.group) &&
      isInNamespaceOf(target, object, site) &&
      !createsTarget(object, site);
    return isMeant && file !== undefined ? [{ file, object, site, relation: 'here', answer: certaintyOf(object) }] : [];
  });
}

/** Returns a key that only equal names have; unknown names are equal if the same expression writes them. */
function keyOf(value: Value | null | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.unknown && `\0${value.unknown}`;
}

/** Returns a written reference as it is in a version of its object; undefined if the version lacks it. Values decide which references an object in a template has, and at which paths. */
export function siteIn(
  { references = [] }: ManifestObject,
  { name, path }: ReferenceSite,
  { references: written = [] }: ManifestObject,
): ReferenceSite | undefined {
  const found = references.find((each) => each.name.span.start === name.span.start);
  if (found !== undefined) return found;
  const atPath = references.find((each) => each.path === path);
  const isOther = written.some((each) => each.path !== path && each.name.span.start === atPath?.name.span.start);
  return isOther ? undefined : atPath;
}

/** Whether a template writes the name of a rendered reference elsewhere than a written reference with the same path, which is then in a branch that the values do not choose. If the choice is unknown, so is the name. */
export function isOfOtherBranch({ name: rendered }: ReferenceSite, { name }: ReferenceSite): boolean {
  if (typeof rendered.value !== 'string' || rendered.origin !== undefined || name.origin !== undefined) return false;
  return !touches(name.span, rendered.span.start);
}

/** Returns the certainty of a reference in an object, which may not exist. */
function certaintyOf({ conditions }: ManifestObject): ReferenceInFile['answer'] {
  return conditions === undefined ? 'yes' : 'maybe';
}

/** Whether a reference of an object is not certainly to another namespace than the one of a target. */
export function isInNamespaceOf(
  { object: named }: Pick<ObjectInFile, 'object'>,
  object: ManifestObject,
  site: ReferenceSite,
): boolean {
  const [wanted, own] = [named.namespace?.value, (site.namespace ?? object.namespace)?.value];
  return typeof wanted !== 'string' || typeof own !== 'string' || wanted === own;
}
