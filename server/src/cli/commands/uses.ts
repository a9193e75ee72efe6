/** `selector-lens uses`: lists the objects that reference an object by name, and the objects that select it. */

import { getOrAdd } from '../../engine/memoize.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { ReferenceSite } from '../../manifests/model.ts';
import type { Session } from '../../session.ts';
import { compareText } from '../../text/order.ts';
import type { Span } from '../../text/span.ts';
import { appliedVersions, versionsOf } from '../../workspace/kustomize/view.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { asApplied, isInNamespaceOf, referencesInScope } from '../../workspace/references/applied-references.ts';
import type { Named, ReferenceInFile } from '../../workspace/references/model.ts';
import { generatorsIn, mayMake } from '../../workspace/references/names.ts';
import { isNameCopied, patchedReferences } from '../../workspace/references/patched-references.ts';
import { namedObject, productsNamed, referencesTo } from '../../workspace/references/referring.ts';
import { rootsAt } from '../../workspace/references/targets.ts';
import { isRendered } from '../../workspace/scopes/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { storedNamespace } from '../../workspace/selection/namespaces.ts';
import {
  nearestFirst,
  type SelectingInCluster,
  type SelectingObject,
  selectingObjectsAround,
  selectingObjectsInCluster,
} from '../../workspace/selection/selecting-objects.ts';
import { ofUnknownClusters } from '../../workspace/selection/uncompared.ts';
import type { World } from '../environment.ts';
import { exitCodeOf, type Indexed, indexPaths } from '../indexed-workspace.ts';
import type { AppliedObject } from '../objects/applied-objects.ts';
import { kindAndName, objectsNamed, writtenAs } from '../objects/named-objects.ts';
import { reportPartialScopes } from '../objects/partial-scopes.ts';
import { referencesBeside, withOthers } from '../objects/references-beside.ts';
import {
  combinedUses,
  namespacesJson,
  namespacesText,
  namingUse,
  position,
  selectingUse,
  type Use,
  useLines,
} from '../objects/uses.ts';
import { choice, UsageError } from '../options/arguments.ts';
import { color, formats, namespace, paths, whereToLook } from '../options/shared-options.ts';
import { writeJson } from '../output/json.ts';
import { shownObject } from '../output/names.ts';
import { type Colorize, colorizer, tame, tamePath } from '../output/terminal-escape.ts';
import { displayPath } from '../paths/display-path.ts';
import type { Arguments, Command } from './command.ts';

export const uses: Command = {
  name: 'uses',
  summary: 'Lists the objects that refer to an object, and the objects whose selectors match it.',
  details: [
    'Specify the object by the name in its file or by the name that a kustomization or chart gives it. The object may also be created by a generator of a kustomization or by a controller, for example the Secret of an ExternalSecret. If several scopes build the object, the uses in all of them are listed, each once, with its scopes if not all have it. If the object has the name only in some scopes, only the uses in these scopes are listed. Objects in other scopes that may be applied to the same cluster are listed if their reference or selector has no target in their own scope. If a GitOps object applies the object, the selectors that other GitOps objects certainly apply to the same cluster are listed as well.',
    'The exit code is 0 even if nothing uses the object, and 2 if the object does not exist.',
  ],
  operand: {
    ...paths,
    shown: 'KIND/NAME [PATH...]',
    description: `The object, for example \`Secret/db\`. ${paths.description}`,
  },
  options: [
    { ...namespace, description: 'The namespace of the object.', input: '' },
    formats('text', 'json'),
    color,
    ...whereToLook.filter((option) => option !== namespace),
  ],
  examples: [
    {
      line: 'selector-lens uses Secret/db',
      description: 'List the references to a Secret before it is renamed or deleted.',
    },
    {
      line: 'selector-lens uses sa/web deploy --format json',
      description: 'Write the uses of a ServiceAccount as JSON.',
    },
  ],
  tool: {
    use: 'Call it before you rename or delete an object, such as a ConfigMap, a Secret or a Service.',
    operands: {
      object: 'The object as KIND/NAME, for example Secret/db.',
    },
    options: ['namespace', 'scope'],
    lists: ['objects'],
  },
  run: runUses,
};

interface Used {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  /** The namespaces of the object, if its scopes apply it to several; `namespace` is then absent. */
  readonly namespaces?: readonly string[];
  /** The paths of the kustomizations and GitOps objects that build the object; absent if none does. */
  readonly scopes?: readonly string[];
  readonly file: string;
  readonly line: number;
  /** The object that creates the used object, or `generator`; absent if the used object itself is in the file. */
  readonly madeBy?: string;
  readonly namedBy: readonly Use[];
  readonly selectedBy: readonly Use[];
}

async function runUses(world: World, given: Arguments): Promise<number> {
  const [word, ...others] = given.paths;
  if (word === undefined) throw new UsageError("'uses' requires an object: KIND/NAME.");
  const indexed = await indexPaths(world, { ...given, paths: others });
  const objects = usedObjects(world, indexed, word, given.values.get('namespace'));
  if (choice(given, 'format', ['text', 'json']) === 'json') writeJson(world, { object: word, objects });
  else
    for (const line of objects.flatMap((each) => textLines(each, colorizer(world.colours === true)))) world.out(line);
  reportPartialScopes(world, indexed);
  return exitCodeOf(world, indexed);
}

/** Returns the objects with the given name, each with the objects that use it. Throws a UsageError if no object has the name. */
function usedObjects(world: World, indexed: Indexed, word: string, wanted: string | undefined): readonly Used[] {
  const { session } = indexed;
  const made = madeObjects(indexed, word, wanted);
  let found: readonly AppliedObject[] = [];
  try {
    found = objectsNamed(world, indexed, word, wanted);
  } catch (error) {
    if (!(error instanceof UsageError) || made.length === 0) throw error;
  }
  const byObject = new Map<string, AppliedObject[]>();
  for (const each of found) getOrAdd(byObject, `${each.file.uri} ${each.object.kindSpan.start}`, () => []).push(each);
  return [
    ...[...byObject.values()].flatMap((results) => usesOfResults(world, session, results)),
    ...made.map((each) => {
      const { namespace: _, ...used } = usedBy(world, session, each, { madeBy: each.object?.kind ?? 'generator' });
      return { ...used, ...namespacesJson(new Set(appliedNamespaces(session, each))) };
    }),
  ];
}

function usesOfResults(world: World, session: Session, results: readonly AppliedObject[]): readonly Used[] {
  const [first] = results;
  if (first === undefined) return [];
  const written = writtenAs(session, first);
  const catalogue = session.workspace.catalogueOf(first.file.uri);
  const all = appliedVersions(session.snapshot(), catalogue, first.file.uri).flatMap((version) =>
    versionsOf(version, first.object),
  );
  if (all.length === 0) return written.map((each) => usedBy(world, session, namedObject(each), { object: each }));
  // The values of a chart decide which references exist, and an object from a helper is in no file.
  if (all.length <= results.length && written.length > 0 && first.builtBy?.kind !== 'chart')
    return written.map((each) => {
      const naming = referencesTo(session.snapshot(), catalogue, namedObject(each));
      const others = withOthers(naming, appliedReferences(session, results));
      return {
        ...usedObject(world, session, namedObject(each)),
        ...placesOf(world, session, results),
        namedBy: [
          ...naming.map((reference) =>
            namingUse(
              world,
              session,
              reference,
              results.flatMap((result) => asApplied(result, catalogue, reference)),
            ),
          ),
          ...withoutRepeats(others.slice(naming.length).map((reference) => namingUse(world, session, reference))),
        ],
        selectedBy: selectedInScopes(world, session, results),
      };
    });
  const byName = new Map<string, AppliedObject[]>();
  for (const each of results)
    getOrAdd(byName, `${each.object.name?.text}\n${each.object.namespace?.text}`, () => []).push(each);
  return [...byName.values()].flatMap((named) => usesInScopes(world, session, written, named));
}

/** Returns the uses of an object in the scopes of some of its results, which have one name and namespace. */
function usesInScopes(
  world: World,
  session: Session,
  written: readonly ObjectInFile[],
  results: readonly AppliedObject[],
): readonly Used[] {
  const [applied] = results;
  if (applied === undefined) return [];
  const snapshot = session.snapshot();
  const catalogue = session.workspace.catalogueOf(applied.file.uri);
  const naming = written.flatMap((each) =>
    referencesTo(snapshot, catalogue, namedObject(each)).flatMap((reference) => {
      if (reference.relation === 'elsewhere') return [reference];
      return results.flatMap((result) => asApplied(result, catalogue, reference));
    }),
  );
  return [
    {
      ...usedObject(world, session, namedObject(applied)),
      ...placesOf(world, session, results),
      namedBy: withoutRepeats(
        withOthers(naming, appliedReferences(session, results)).map((each) => namingUse(world, session, each)),
      ),
      selectedBy: selectedInScopes(world, session, results),
    },
  ];
}

/** Returns the references to results in objects as they are applied, in the scopes of the results and beside them. */
function appliedReferences(session: Session, results: readonly AppliedObject[]): readonly ReferenceInFile[] {
  const beside = results.flatMap((result) => referencesBeside(session, result));
  return [...renamedReferences(session, results), ...beside];
}

function placesOf(
  world: World,
  session: Session,
  results: readonly AppliedObject[],
): Pick<Used, 'namespace' | 'namespaces' | 'scopes'> {
  const namespaces = results.flatMap(({ file, object }) => {
    return storedNamespace(session.workspace.catalogueOf(file.uri), { object }) ?? [];
  });
  const scopes = results.flatMap(({ builtBy }) => (builtBy === undefined ? [] : displayPath(world, builtBy.path)));
  return { ...namespacesJson(new Set(namespaces)), ...(scopes.length > 0 && { scopes: [...new Set(scopes)] }) };
}

/** Returns the selectors that match the results of an object, in the scopes that build them. A selector that may share the cluster of one result is omitted if it is in the scope of another result. */
function selectedInScopes(world: World, session: Session, results: readonly AppliedObject[]): readonly Use[] {
  const all = results.map((result) => ({ result, selecting: selectingResult(session, result) }));
  const here = new Set(all.flatMap(({ selecting }) => selecting.filter(isHere).map(selectorKey)));
  return combinedUses(
    all.map(({ result: { builtBy, file }, selecting }) => ({
      scope: displayPath(world, builtBy?.path ?? file.uri),
      uses: selecting
        .filter((each) => isHere(each) || each.builtBy !== undefined || !here.has(selectorKey(each)))
        .map((each) => selectingUse(world, session, each)),
    })),
  );
}

/** A selector that matches a result; `builtBy` is another GitOps object that certainly applies it to the cluster of the result. */
type Selecting = SelectingObject & Partial<SelectingInCluster>;

/** Returns the selectors that match a result: those that certainly share its cluster as they are applied, and others as they are written. */
function selectingResult(session: Session, { workspace, builtBy, file, object }: AppliedObject): readonly Selecting[] {
  const snapshot = session.snapshot();
  const catalogue = session.workspace.catalogueOf(file.uri);
  const own = builtBy === undefined ? [] : [builtBy];
  return labeledObjectsOf(object).flatMap((labeledObject) => {
    const candidate = { file, object, labeledObject };
    const around = selectingObjectsAround(workspace, catalogue, candidate);
    const elsewhere = around.filter((each) => !isHere(each));
    return [
      ...around.filter(isHere),
      ...own.flatMap((scope): readonly Selecting[] => selectingObjectsInCluster(snapshot, catalogue, scope, candidate)),
      ...ofUnknownClusters(snapshot, catalogue, own, elsewhere),
    ].toSorted(nearestFirst(file.uri));
  });
}

function isHere({ relation }: SelectingObject): boolean {
  return relation === 'here';
}

/** Returns the references to results by their applied names, which may differ from the written names, such as `${APP}`, and references in patches and replacements. */
function renamedReferences(session: Session, results: readonly AppliedObject[]): readonly ReferenceInFile[] {
  return results.flatMap((result) => {
    const { workspace, builtBy, file, object: named } = result;
    const [wanted, catalogue] = [named.name?.value, session.workspace.catalogueOf(file.uri)];
    const rendering = builtBy && workspace.rendering(builtBy.path, catalogue);
    if (rendering === undefined || typeof wanted !== 'string') return [];
    const written = session.snapshot().files.get(file.uri)?.manifest.objects ?? [];
    const old = written.find(({ kindSpan }) => kindSpan.start === named.kindSpan.start)?.name?.text;
    const built = rendering.objects.filter(({ file: { uri }, object }) => {
      return uri === file.uri && object.kindSpan.start === named.kindSpan.start;
    });
    const patched = patchedReferences(session.snapshot(), catalogue, rendering, {
      group: named.group,
      kind: named.kind,
      names: new Set([wanted, ...(old === undefined ? [] : [old])]),
      isCopied: built.some(isNameCopied),
    });
    const inObjects = referencesInScope(result, catalogue, rendering);
    const inPatches = patched.filter(
      ({ file: { uri }, object, site }) =>
        isInNamespaceOf(result, object, site) &&
        // The references in the files of patches are found by their text.
        !(site.name.text === old && isMerged(session, uri, site)),
    );
    return [...inObjects, ...inPatches];
  });
}

/** Whether a reference is in an object in a file, and not in a JSON patch. */
function isMerged(session: Session, uri: string, site: ReferenceSite): boolean {
  const objects = session.snapshot().files.get(uri)?.manifest.objects ?? [];
  return objects.some(({ references = [] }) => references.some(({ name }) => name.span.start === site.name.span.start));
}

function withoutRepeats(uses: readonly Use[]): readonly Use[] {
  return [...new Map(uses.map((each) => [JSON.stringify(each), each])).values()];
}

/** Returns the objects that generators and controllers create with the given name. */
function madeObjects({ session, selection }: Indexed, word: string, wanted: string | undefined): readonly Named[] {
  const { kind, name } = kindAndName(word);
  const { limits } = selection;
  const workspace = session.snapshot();
  const named = session.workspace.catalogueOf('').named(kind);
  const isKind = (each: string) =>
    each.toLowerCase() === kind.toLowerCase() || named.some((known) => known.kind === each);
  const generated = [...generatorsIn(workspace)].flatMap(([key, uris]) => {
    const [generatedKind = '', generatedName] = key.split('\n');
    if (generatedName !== name || !isKind(generatedKind)) return [];
    return uris.flatMap((uri): readonly Named[] => {
      const file = workspace.files.get(uri);
      return file === undefined ? [] : [{ file, group: '', kind: generatedKind, name }];
    });
  });
  const facts = [...workspace.scopes().facts()].toSorted(([a], [b]) => compareText(a, b));
  const produced = facts.flatMap(([uri, scope]) => {
    const catalogue = session.workspace.catalogueOf(uri);
    const file = mayMake({ uri, scope }, catalogue, isKind) ? workspace.files.get(uri) : undefined;
    if (file === undefined) return [];
    return file.manifest.objects.flatMap((object) =>
      productsNamed({ file, object }, catalogue, name).filter((each) => isKind(each.kind)),
    );
  });
  const isWanted = (each: Named) => {
    const namespaces = appliedNamespaces(session, each);
    return wanted === undefined || namespaces.length === 0 || namespaces.includes(wanted);
  };
  const scopesOf = ({ file, object }: Named) => {
    const scopes = workspace.scopes();
    return object === undefined ? scopes.building(file.uri) : scopes.of(placeOf({ file, object }));
  };
  return [...generated, ...produced].filter(
    (each) => isWanted(each) && (limits === undefined || scopesOf(each).some((scope) => limits.has(scope))),
  );
}

/** Returns the namespaces of the objects that create an object, as they are applied, or else as they are written. */
function appliedNamespaces(session: Session, { file, object }: Named): readonly string[] {
  if (object === undefined) return [];
  const catalogue = session.workspace.catalogueOf(file.uri);
  const applied = appliedVersions(session.snapshot(), catalogue, file.uri).flatMap((version) =>
    versionsOf(version, object),
  );
  return (applied.length > 0 ? applied : [{ object }]).flatMap((each) => storedNamespace(catalogue, each) ?? []);
}

function usedBy(
  world: World,
  session: Session,
  named: Named,
  { object, madeBy }: { readonly object?: ObjectInFile; readonly madeBy?: string },
): Used {
  const workspace = session.snapshot();
  const catalogue = session.workspace.catalogueOf(named.file.uri);
  const selecting =
    object === undefined
      ? []
      : labeledObjectsOf(object.object).flatMap((labeledObject) =>
          selectingObjectsAround(workspace, catalogue, { ...object, labeledObject }),
        );
  return {
    ...usedObject(world, session, named, madeBy),
    namedBy: withoutRepeats(
      [
        ...referencesTo(workspace, catalogue, named),
        ...(object === undefined ? patchesNaming(session, named) : []),
      ].map((each) => namingUse(world, session, each)),
    ),
    selectedBy: selecting.map((each) => selectingUse(world, session, each)),
  };
}

/** Returns the references in patches to an object that a generator or a controller creates. */
function patchesNaming(session: Session, { file, object, group, kind, name }: Named): readonly ReferenceInFile[] {
  const workspace = session.snapshot();
  const catalogue = session.workspace.catalogueOf(file.uri);
  const place = object === undefined ? file.uri : placeOf({ file, object });
  return rootsAt(workspace, place).flatMap((scope) => {
    const rendering = isRendered(scope) ? workspace.rendering(scope.path, catalogue) : undefined;
    if (rendering === undefined) return [];
    const patched = { group, kind, names: new Set([name]), isCopied: false };
    return patchedReferences(workspace, catalogue, rendering, patched).filter(
      (each) => !isMerged(session, each.file.uri, each.site),
    );
  });
}

function usedObject(
  world: World,
  session: Session,
  named: Named,
  madeBy?: string,
): Omit<Used, 'namedBy' | 'selectedBy'> {
  const { file, object: place } = named;
  const namespaceText = place && storedNamespace(session.workspace.catalogueOf(file.uri), { object: place });
  const isOwnName = place?.name !== undefined && place.name.origin === undefined;
  const span = (isOwnName ? place.name?.span : place?.kindSpan) ?? generatorSpan(named);
  return {
    kind: named.kind,
    name: named.name,
    ...(namespaceText !== undefined && { namespace: namespaceText }),
    ...position(world, file, span),
    ...(madeBy !== undefined && { madeBy: place === undefined ? madeBy : `${madeBy}/${place.name?.text ?? ''}` }),
  };
}

function selectorKey({ file, object, site }: SelectingObject): string {
  return `${file.uri}\n${object.kindSpan.start}\n${site.path}`;
}

function generatorSpan({ file, kind, name }: Named): Span {
  const entry = file.kustomization?.generators.find((each) => each.kind === kind && each.name?.text === name);
  return entry?.span ?? { start: 0, end: 0 };
}

function textLines(used: Used, colorize: Colorize): readonly string[] {
  const { kind, name, file, line, madeBy, namedBy, selectedBy } = used;
  const place = namespacesText(used);
  const maker = madeBy === undefined ? '' : ` (created by ${madeBy})`;
  const head = `${colorize(tamePath(`${file}:${line}:`), 'bold')} ${tame(`${shownObject(kind, name)}${place}${maker}`)}`;
  if (namedBy.length + selectedBy.length === 0) return [head, '  No known field names or selects it.'];
  return [head, ...useLines('Named by', namedBy, colorize), ...useLines('Selected by', selectedBy, colorize)];
}
