/** Finds the object of a chart whose name was probably intended in a reference, by the names that the execution of the chart with its values writes. */

import { storedGroup } from '../../engine/catalogue/stored-group.ts';
import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { ManifestObject, ReferenceSite } from '../../manifests/model.ts';
import { targetKinds } from '../../manifests/sites/references.ts';
import { misspelling, slightDifference } from '../../text/misspelling.ts';
import { type Applied, appliedVersions, versionsOf } from '../kustomize/view.ts';
import type { ObjectInFile, Rendering, Workspace } from '../model.ts';
import { hasDefaultValues, type Scope } from '../scopes/model.ts';
import { objectsNamed } from './names.ts';
import { inEveryCluster, type NearName } from './near-names.ts';
import { createsTarget, mayBeNamed, mayMake, producedBy } from './producers.ts';

/** A name that may begin with a part that is unknown, such as the name of the release. */
interface PartlyKnown {
  /** The code of the unknown part; empty if there is none. */
  readonly code: string;
  readonly tail: string;
}

/**
 * Returns the only similar name among the objects of the chart that contains a reference, if every release of the chart
 * that is known has the same fault. `workspace` executes the charts, `from` is the object as written. Undefined if the
 * chart is not known completely, if other values may create the missing object, or if the values determine the part of the name that
 * differs.
 */
export function nearInChart(
  workspace: Workspace,
  catalogue: Catalogue,
  from: ObjectInFile,
  site: ReferenceSite,
): NearName | undefined {
  const found = appliedVersions(workspace, catalogue, from.file.uri).flatMap((applied) =>
    versionsOf(applied, from.object).flatMap(({ object }) =>
      (object.references ?? [])
        .filter(({ name, path }) => isWithin(name.span.start, site) && sameField(path, site.path))
        .map((each) => nearIn(applied, workspace, catalogue, { ...from, object }, site, each)),
    ),
  );
  const [first] = found;
  return found.every((each) => each?.name === first?.name) ? first : undefined;
}

function isWithin(offset: number, { name: { span } }: ReferenceSite): boolean {
  return span.start <= offset && offset < span.end;
}

function sameField(a: string, b: string): boolean {
  return a.replace(/\[\d+\]/g, '[]') === b.replace(/\[\d+\]/g, '[]');
}

function nearIn(
  { scope, workspace: view }: Applied,
  workspace: Workspace,
  catalogue: Catalogue,
  from: ObjectInFile,
  written: ReferenceSite,
  site: ReferenceSite,
): NearName | undefined {
  const rendering = view.rendering(scope.path, catalogue);
  const wanted = partlyKnown(site.name.text);
  const [kind] = targetKinds(site, catalogue);
  if (rendering === undefined || !isComplete(scope, rendering) || wanted === undefined || kind === undefined)
    return undefined;
  const isOfKind = ({ object }: ObjectInFile) =>
    object.kind === kind.kind &&
    (kind.group === undefined || storedGroup(object) === storedGroup({ group: kind.group, kind: kind.kind }));
  const own = rendering.objects.filter(isOfKind);
  const mayExist =
    inEveryCluster.test(site.name.text) ||
    missingCharts(workspace, scope).some((name) => wanted.tail.includes(name)) ||
    createsTarget(from.object, site) ||
    objectsNamed(workspace, kind.kind, site.name.text).length > 0 ||
    own.some(({ object }) => mayBe(object.name?.text, wanted)) ||
    rendering.objects.some(({ object }) => mayCreate(object, catalogue, kind.kind, wanted)) ||
    notRendered(workspace, scope, rendering).some((each) => isOfKind(each) && mayBe(each.object.name?.text, wanted));
  if (mayExist) return undefined;
  const namespace = site.namespace ?? from.object.namespace;
  const near = own.filter(
    ({ object }) =>
      object.conditions === undefined &&
      object.name !== undefined &&
      [undefined, namespace?.text].includes(object.namespace?.text) &&
      isSimilar(rendering, from, site, object.name.text),
  );
  const [only, ...others] = near;
  if (only === undefined || others.some(({ object }) => object.name?.text !== only.object.name?.text)) return undefined;
  const { file, object } = only;
  const source = workspace.files.get(file.uri)?.manifest.objects.find((each) => isSameDocument(each, object));
  const name = object.name?.text ?? '';
  if (!isLiteral(written.name.text, site.name.text, name)) return undefined;
  if (hasDefaultValues(scope) && !isLiteral(source?.name?.text ?? '', name, site.name.text)) return undefined;
  const target = { file, span: object.name?.span ?? object.kindSpan };
  return { kind: kind.kind, name: source?.name?.text ?? name, target };
}

/** Whether all objects of a scope are known, except those that operators and missing charts create. */
function isComplete({ closed }: Scope, { isWhole, isCut, failures = [], hasOtherValues }: Rendering): boolean {
  const isClosed = closed === true || closed.areObjects === true || closed.areCharts === true;
  return isClosed && isWhole && !isCut && !hasOtherValues && failures.length === 0;
}

/** Returns the names of the charts that a scope needs, some of which may be missing. The names of their objects contain them. */
function missingCharts(workspace: Workspace, { closed, files }: Scope): readonly string[] {
  if (closed === true || !closed.areCharts) return [];
  const scopes = workspace.scopes();
  const charts = [...files].flatMap((uri) => scopes.factsOf(uri)?.chart ?? []);
  return charts.flatMap(({ dependencies }) => dependencies.map(({ name, alias = name }) => alias));
}

/** Returns the objects in the files of a scope that its values do not create. */
function notRendered(workspace: Workspace, { files }: Scope, rendering: Rendering): readonly ObjectInFile[] {
  return [...files].flatMap((uri) => {
    const file = workspace.files.get(uri);
    const rendered = rendering.files.get(uri)?.manifest.objects ?? [];
    const written = file?.manifest.objects.filter(({ inValues }) => !inValues);
    const left = written?.filter((object) => !rendered.some((each) => isSameDocument(each, object)));
    return file === undefined || left === undefined ? [] : left.map((object) => ({ file, object }));
  });
}

function isSameDocument(a: ManifestObject, b: ManifestObject): boolean {
  return a.kindSpan.start === b.kindSpan.start;
}

/** Whether an object, or its controller, may create an object of a kind with a name. */
function mayCreate(object: ManifestObject, catalogue: Catalogue, kind: string, wanted: PartlyKnown): boolean {
  const made = producedBy(object, catalogue).filter((each) => each.kind === kind);
  if (made.some(({ name }) => mayBe(name, wanted) || mayBeNamed(name, textOf(wanted)))) return true;
  const { group, name } = object;
  return mayMake({ group, kind: object.kind, text: name?.text ?? '' }, textOf(wanted));
}

function textOf({ code, tail }: PartlyKnown): string {
  return `${code}${tail}`;
}

function partlyKnown(text: string): PartlyKnown | undefined {
  const end = text.startsWith('{{') ? text.indexOf('}}') + 2 : 0;
  const tail = text.slice(end);
  return /[{}]/.test(tail) ? undefined : { code: text.slice(0, end), tail };
}

/** Whether an object with a name, which may be unknown, may have the wanted name. */
function mayBe(text: string | undefined, wanted: PartlyKnown): boolean {
  const name = partlyKnown(text ?? '');
  if (name === undefined || text === undefined) return true;
  if (name.code === wanted.code) return name.tail === wanted.tail;
  if (name.code === '') return name.tail.endsWith(wanted.tail);
  if (wanted.code === '') return wanted.tail.endsWith(name.tail);
  return name.tail.endsWith(wanted.tail) || wanted.tail.endsWith(name.tail);
}

/** Whether a name is probably a misspelling of another one. After small differences, no other reference may use one of the names. */
function isSimilar(
  { objects }: Rendering,
  { object: from }: ObjectInFile,
  { name: { text }, fact }: ReferenceSite,
  other: string,
): boolean {
  const [wanted, name] = [partlyKnown(text), partlyKnown(other)];
  if (wanted === undefined || name === undefined || wanted.code !== name.code) return false;
  const compared = [wanted, name].map(({ code, tail }) => (code === '' ? tail : `release${tail}`));
  const [a = '', b = ''] = compared;
  const likeness = misspelling(a, b);
  if (likeness === 'evident') return true;
  const isUsed = (used: string) =>
    objects.some(({ object }) =>
      object.references?.some(
        (each) =>
          each.name.text === used &&
          each.fact.targets[0]?.kind === fact.targets[0]?.kind &&
          !(used === text && isSameDocument(object, from)),
      ),
    );
  if (isUsed(text)) return false;
  if (likeness === 'likely') return true;
  const difference = slightDifference(a, b);
  return difference === 'swap' || ((difference === 'letters' || likeness === 'possible') && !isUsed(other));
}

/** Whether the part of a name in which it differs from another name is written in the template, and not a value. */
function isLiteral(written: string, rendered: string, other: string): boolean {
  const literal = written.slice(written.lastIndexOf('}}') + (written.includes('}}') ? 2 : 0));
  let common = 0;
  while (common < rendered.length && rendered[common] === other[common]) common++;
  return literal !== '' && rendered.endsWith(literal) && common >= rendered.length - literal.length;
}
