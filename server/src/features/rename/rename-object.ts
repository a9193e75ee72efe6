/** Computes the edits that rename an object in its file, in everything that refers to it, and in the patches that change it. */

import { isUnknown, validateName } from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import type { ManifestObject, ReferenceSite, Written } from '../../manifests/model.ts';
import { targetKinds } from '../../manifests/sites/references.ts';
import { written } from '../../manifests/sites/sites.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import { childOf, type Node } from '../../manifests/yaml/tree.ts';
import type { Edit } from '../../text/edit.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import type { WorkspaceFile } from '../../workspace/model.ts';
import type { ReferenceInFile } from '../../workspace/references/model.ts';
import { allIdentities } from '../../workspace/scopes/scope-facts.ts';
import { folderOf } from '../../workspace/uri.ts';
import { objectName } from '../presentation/object-names.ts';
import { declarationAt, type NamedTarget, referenceNameAt, referencesOf } from '../references/name-at.ts';
import { isNamespace } from '../selected/namespace-contents.ts';
import type { FileView, View } from '../view.ts';
import type { AnnotatedEdit, AnnotatedEdits, Refused } from './annotated-edits.ts';
import { determinedBy } from './template-text.ts';

/** The reason to review an edit of a name: every edit recreates the object, and some names may refer to a different object. */
export type NameLook = 'recreated' | 'otherName';

interface RenamedObject {
  readonly target: NamedTarget;
  /** The name at the cursor, which may include the prefix and suffix that a kustomization adds. */
  readonly text: string;
  readonly span: Span;
}

/** Returns the object whose name is at an offset, or the reason why it, or another text of a template, cannot be renamed; undefined if there is none. */
export function objectToRename(view: FileView, offset: number): RenamedObject | Refused | undefined {
  const found = objectNamedAt(view, offset);
  return found === undefined || 'refused' in found ? (determinedBy(view, offset) ?? found) : found;
}

function objectNamedAt(view: FileView, offset: number): RenamedObject | Refused | undefined {
  const found = referenceNameAt(view, offset) ?? declarationAt(view, offset);
  if (found === undefined || found.key !== undefined) return undefined;
  const { targets, from, span } = found;
  const certain = from === undefined ? targets : targets.filter(({ answer }) => answer === 'yes');
  const [target, ...others] = certain;
  if (target === undefined)
    return targets.length === 0
      ? undefined
      : { refused: localize`it is uncertain which object this name refers to: rename the object in its file` };
  if (others.length > 0)
    return { refused: localize`${certain.length} objects have this name: rename one of them in its file` };
  const refused = refusedFor(view, target);
  return refused ?? { target, span: withoutQuotes(view, span), text: from?.site.name.text ?? target.name };
}

function withoutQuotes({ text }: FileView, span: Span): Span {
  const isQuoted = /^["']$/.test(text.charAt(span.start)) && text.charAt(span.start) === text.charAt(span.end - 1);
  return isQuoted ? { start: span.start + 1, end: span.end - 1 } : span;
}

function refusedFor({ workspace, catalogue }: View, { file, object, is }: NamedTarget): Refused | undefined {
  if (is === 'producer')
    return {
      refused: localize`${object === undefined ? '' : objectName(object)} determines this name: rename it there`,
    };
  if (file.config !== undefined) return { refused: localize`another file defines this object: rename it there` };
  if (workspace.scopes().isGenerated(file.uri))
    return { refused: localize`this file is generated: rename the object in its source` };
  if (object === undefined) return undefined;
  if (object.name === undefined || isUnknown(object.name.value))
    return { refused: localize`a template renders part of this name: rename it manually` };
  if (isNamespace(catalogue, object))
    return {
      refused: localize`the objects of a namespace cannot be renamed with it: create a new namespace, and move the objects to it`,
    };
  return object.defines === undefined
    ? undefined
    : { refused: localize`the name of a CustomResourceDefinition consists of its plural and its group` };
}

/** Returns the edits that rename an object; `typed` replaces the name at the cursor. */
export function renameObject(
  view: View,
  { target, text }: RenamedObject,
  typed: string,
): AnnotatedEdits<NameLook> | Refused {
  const to = withoutAffixes(target.name, text, typed);
  if (to === undefined)
    return {
      refused: localize`this name has a prefix or suffix of a kustomization: rename '${target.name}' in its file`,
    };
  if (to === target.name) return { edits: new Map(), notes: {} };
  const impossible = invalid(view, target, to) ?? taken(view, target, to);
  if (impossible !== undefined) return impossible;
  const edits = new EditList();
  edits.add(target.file.uri, replaceScalar(declared(target), to), 'recreated');
  for (const { uri, name } of namesInKustomizations(view, target)) edits.add(uri, replaceScalar(name, to), 'recreated');
  for (const user of referencesOf(view, target)) {
    const edit = editOfUser(user, target.name, to);
    if (edit === undefined) continue;
    const isSure = user.answer === 'yes' && user.relation === 'here' && user.site.name.text === target.name;
    edits.add(user.site.name.origin?.uri ?? user.file.uri, edit, isSure ? 'recreated' : 'otherName');
  }
  return { edits: edits.sorted(), notes: notesOf(target, to) };
}

/** Returns the new name of an object without the prefix and suffix that the name at the cursor has; undefined if the user changed these. */
function withoutAffixes(name: string, text: string, typed: string): string | undefined {
  const at = text.indexOf(name);
  const [prefix, suffix] = at === -1 ? ['', ''] : [text.slice(0, at), text.slice(at + name.length)];
  if (!typed.startsWith(prefix) || !typed.endsWith(suffix)) return undefined;
  return typed.slice(prefix.length, typed.length - suffix.length);
}

/** Collects edits, at most one for each position. */
class EditList {
  readonly #byFile = new Map<string, Map<number, AnnotatedEdit<NameLook>>>();

  add(uri: string, edit: Edit, look: NameLook): void {
    const inFile = getOrAdd(this.#byFile, uri, () => new Map<number, AnnotatedEdit<NameLook>>());
    if (!inFile.has(edit.span.start)) inFile.set(edit.span.start, { ...edit, look });
  }

  sorted(): AnnotatedEdits<NameLook>['edits'] {
    const files = [...this.#byFile].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return new Map(
      files.map(([uri, inFile]) => [uri, [...inFile.values()].toSorted((a, b) => a.span.start - b.span.start)]),
    );
  }
}

function declared({ file, object, name, span }: NamedTarget): Written {
  const own = object?.name ?? file.kustomization?.generators.find((each) => each.name?.span.start === span.start)?.name;
  return own ?? { text: name, value: name, type: 'string', style: 'plain', span };
}

function invalid({ catalogue }: View, { object }: NamedTarget, to: string): Refused | undefined {
  const fact = object && catalogue.kind(object.group, object.version, object.kind)?.name;
  const [problem] = validateName(fact?.rule ?? 'dns1123Subdomain', to);
  return problem && { refused: problem.message };
}

/** Refuses the rename if an object with the new name is applied together with the renamed object. */
function taken({ workspace }: View, { file, object, kind }: NamedTarget, to: string): Refused | undefined {
  const scopes = workspace.scopes();
  const namespace = object?.namespace?.text ?? '';
  const identity = `${object?.group ?? ''}\n${kind}\n${namespace}\n${to}`;
  for (const uri of scopes.filesAround(file.uri)) {
    const facts = scopes.factsOf(uri);
    if (facts !== undefined && !scopes.isPatch(uri) && allIdentities(facts).includes(identity))
      return { refused: localize`${kind} '${to}' already exists` };
  }
  return undefined;
}

/** The forms of values that contain more than the name. */
const pieces: ReadonlySet<string> = new Set(['list', 'dns', 'namespacedName', 'account', 'meshHost']);

/** Returns the edit of a reference, whose name may include the prefix and suffix that a kustomization adds. */
function editOfUser({ site: { name, fact } }: ReferenceInFile, old: string, to: string): Edit | undefined {
  const at = name.text.indexOf(old);
  if (at === -1 || isUnknown(name.value)) return undefined;
  const text = name.text.slice(0, at) + to + name.text.slice(at + old.length);
  const placed = name.origin === undefined ? name : { ...name, span: name.origin.span };
  const isPiece = fact.form !== undefined && pieces.has(fact.form);
  return isPiece ? { span: placed.span, text } : replaceScalar(placed, text);
}

interface NameInFile {
  readonly uri: string;
  readonly name: Written;
}

/** Returns the names in the kustomizations that build an object: in patches, patch targets, generators and replacements. */
function namesInKustomizations(view: View, target: NamedTarget): readonly NameInFile[] {
  const { workspace } = view;
  const scopes = workspace.scopes();
  const { uri } = target.file;
  const roots = [...scopes.of(uri), ...scopes.building(uri)].filter(({ kind }) => kind === 'kustomization');
  const parts = new Set(roots.flatMap((root) => scopes.partsOf(root)));
  return [...parts].flatMap((each) => {
    const part = workspace.files.get(each);
    return part === undefined ? [] : namesIn(view, part, target);
  });
}

function namesIn(view: View, part: WorkspaceFile, { kind, name }: NamedTarget): readonly NameInFile[] {
  const { workspace } = view;
  const { changes = [], generators = [], replacements = [], patches = [] } = part.kustomization ?? {};
  const named = (uri: string, names: readonly (Written | undefined)[]) =>
    names.flatMap((each) => (each?.text === name && each.origin === undefined ? [{ uri, name: each }] : []));
  const inPatch = (object: ManifestObject) => [
    ...(object.kind === kind ? [object.name] : []),
    ...(object.references ?? []).filter((site) => mayName(view, site, kind)).map((site) => site.name),
  ];
  const own = [
    ...changes.map(({ target }) =>
      target?.kind === undefined || target.kind.text === kind ? target?.name : undefined,
    ),
    ...changes.flatMap(({ inline }) => (inline?.objects ?? []).flatMap(inPatch)),
    ...generators.map((each) => (each.kind === kind ? each.name : undefined)),
    ...replacements.flatMap((each) => ('node' in each ? namesInReplacement(each.node, kind) : [])),
  ];
  const paths = new Set(patches.map(({ path }) => workspace.at(folderOf(part.uri), path)));
  const inFiles = [...paths].flatMap((uri) => {
    const objects = workspace.files.get(uri)?.manifest.objects ?? [];
    return named(uri, objects.flatMap(inPatch));
  });
  return [...named(part.uri, own), ...inFiles];
}

function mayName({ catalogue }: View, site: ReferenceSite, kind: string): boolean {
  return targetKinds(site, catalogue).some((each) => each.kind === kind);
}

function namesInReplacement(node: Node, kind: string): readonly Written[] {
  const targets = childOf(node, 'targets');
  const selects = targets?.kind === 'list' ? targets.items.map((item) => childOf(item, 'select')) : [];
  return [childOf(node, 'source'), ...selects].flatMap((each) => {
    const [ofKind, name] = [childOf(each, 'kind'), childOf(each, 'name')];
    const isOfKind = ofKind === undefined || (ofKind.kind === 'scalar' && ofKind.text === kind);
    return isOfKind && name?.kind === 'scalar' ? [written(name)] : [];
  });
}

function notesOf({ kind, name }: NamedTarget, to: string): AnnotatedEdits<NameLook>['notes'] {
  return {
    recreated: {
      label: localize`Rename ${kind}/${name} to '${to}', which creates a new object`,
      description: localize`Kubernetes cannot rename objects: '${name}' and its data stay in the cluster until they are deleted. Names in other text, such as URLs, do not change.`,
      needsConfirmation: false,
      afterwards: localize`Kubernetes creates ${kind}/${to}: '${name}' and its data stay in the cluster until they are deleted.`,
    },
    otherName: {
      label: localize`Rename ${kind}/${name} in uncertain references`,
      description: localize`It is uncertain whether these names refer to this object.`,
      needsConfirmation: true,
    },
  };
}
