/** Finds the object that was probably renamed: nothing refers to it any more, and a reference next to it has no target. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { ReferenceSite } from '../../manifests/model.ts';
import { targetKinds } from '../../manifests/sites/references.ts';
import type { SimilarNames } from '../../text/similar-names.ts';
import type { ObjectInFile, Workspace } from '../model.ts';
import { placeOf } from '../scopes/scope-facts.ts';
import { folderOf } from '../uri.ts';
import { filesThatName, objectsNamed } from './names.ts';
import { objectsReferringTo } from './objects-by-name.ts';
import { mayCreate } from './producers.ts';
import { isPassive, mayBeUsed } from './usage.ts';

/** Parts of names that distinguish objects of one application, so that a name with a different part is a different object. */
const variants =
  /^(?:v?\d+|[a-z]|blue|green|canary|stable|preview|active|passive|primary|secondary|replica|leader|follower|master|slave|read|write|reader|writer|ro|rw|main|backup|old|new|dev|development|test|staging|stage|stg|prod|production|qa|uat|local|internal|external|public|private|headless|eu|us|ap|east|west|north|south)$/;

/** Parts that repeat the kind of an object. Another part that is added to a name describes another object, such as `cache-exporter`. */
const redundant = /^(?:svc|service|app|deploy|deployment)$/;

/**
 * Returns the only name of the kind that shares all parts but the last with the name in a reference and with the name
 * of the referring object, for example `cart-config` for `cart-settings` in a workload `cart`. The object with that
 * name is in the same folder, and nothing refers to it. Undefined if a controller may create the missing object.
 * `names` are the names of the kind in the scope and namespace of the reference.
 */
export function unusedCounterpart(
  workspace: Workspace,
  catalogue: Catalogue,
  from: ObjectInFile,
  site: ReferenceSite,
  kind: string,
  names: SimilarNames,
): string | undefined {
  const wanted = site.name.text;
  const own = `-${from.object.name?.text ?? ''}-`;
  const alike = names.withSameStart(wanted).filter((name) => {
    const common = commonParts(wanted, name);
    return common !== undefined && own.includes(`-${common}-`);
  });
  // If the object also refers to other missing objects, these are probably created without manifests.
  const isMissing = (each: ReferenceSite) =>
    targetKinds(each, catalogue)[0]?.kind === kind && each.name.text !== wanted && !names.names.has(each.name.text);
  if (alike.length === 0 || from.object.references?.some(isMissing)) return undefined;
  const [name, ...others] = alike.filter((each) => !isReferred(workspace, catalogue, from, kind, each));
  if (name === undefined || others.length > 0) return undefined;
  const around = workspace.scopes().filesAround(placeOf(from));
  const [written, ...more] = objectsNamed(workspace, kind, name).filter(({ uri }) => around.has(uri));
  if (written === undefined || more.length > 0 || folderOf(written.uri) !== folderOf(from.file.uri)) return undefined;
  const file = workspace.files.get(written.uri);
  const object = file?.manifest.objects.find((each) => each.kind === kind && each.name?.text === name);
  if (file === undefined || object === undefined) return undefined;
  if (isPassive(object) && mayBeUsed(workspace, catalogue, { file, object })) return undefined;
  const scopes = workspace.scopes().of(placeOf(from));
  return scopes.some((scope) => mayCreate(workspace, scope, wanted)) ? undefined : name;
}

/** Returns the common first parts of a missing and an existing name that differ in at most their last parts; undefined if the last parts distinguish variants or different objects. */
function commonParts(a: string, b: string): string | undefined {
  const [one, other] = [a.split('-'), b.split('-')];
  const end = one.findIndex((part, index) => part !== other[index]);
  const count = end === -1 ? one.length : end;
  const rests = [one.slice(count), other.slice(count)];
  if (count === one.length && !redundant.test(other.at(-1) ?? '')) return undefined;
  if (count === 0 || rests.some(({ length }) => length > 1)) return undefined;
  if (rests.flat().some((part) => variants.test(part))) return undefined;
  return one.slice(0, count).join('-');
}

/** Whether an object in the scope of a reference refers to an object of the kind by a name. */
export function isReferred(
  workspace: Workspace,
  catalogue: Catalogue,
  from: ObjectInFile,
  kind: string | undefined,
  name: string,
): boolean {
  const around = workspace.scopes().filesAround(placeOf(from));
  return filesThatName(workspace, name).some(
    (uri) =>
      around.has(uri) &&
      objectsReferringTo(workspace.files.get(uri), name).some(({ references }) =>
        references?.some((each) => each.name.text === name && targetKinds(each, catalogue)[0]?.kind === kind),
      ),
  );
}
