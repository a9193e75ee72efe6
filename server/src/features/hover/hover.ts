/** The hover for the label, selector or object under the cursor: its meaning, and the objects or selectors that match. */

import {
  type Cursor,
  cursorAt,
  cursorTargetSpan,
  type ObjectPart,
  objectAt,
} from '../../manifests/cursor/cursor-target.ts';
import { wordAt } from '../../manifests/cursor/word-at.ts';
import { wordSpan } from '../../manifests/inline/command-arguments.ts';
import type { CommandWord } from '../../manifests/inline/paths-and-names.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import { selectionOf } from '../../workspace/selection/selection.ts';
import { cursorInHelper, objectsWithKey } from '../helper-view.ts';
import { keysOf } from '../locations.ts';
import { pageView, pageViewAt } from '../page-view.ts';
import { patchViewAt } from '../patch-view.ts';
import { group, matchGroup, objectLine } from '../presentation/object-lines.ts';
import { inlineCode, paragraph, type RichText, withDetails } from '../presentation/rich-text.ts';
import { aboutPolicy, aboutReach } from '../reach/reach-text.ts';
import type { FileView } from '../view.ts';
import { aboutWord } from './command-word-hover.ts';
import { aboutFinalizer } from './finalizer-hover.ts';
import { aboutGitopsAt } from './gitops-hover.ts';
import { aboutKustomizationAt } from './kustomization-hover.ts';
import { aboutLabel, aboutLabelKey } from './label-hover.ts';
import { aboutNamesakes } from './namesake-hover.ts';
import { aboutIdentity, aboutLabels, aboutNamespaceOf, aboutObject, aboutSelected, pageLink } from './object-hover.ts';
import { aboutReference, aboutUsersOf } from './reference-hover.ts';
import { aboutAffinityAt } from './scheduling-hover.ts';
import { aboutSelector } from './selector-hover.ts';
import { aboutServiceName } from './service-name-hover.ts';
import { aboutTaint } from './taint-hover.ts';
import { aboutRendered, renderedEntries } from './template-hover.ts';
import { aboutValueAt } from './value-hover.ts';
import { aboutVariableAt } from './variable-hover.ts';

export interface Hover {
  readonly span: Span;
  readonly text: RichText;
}

/** Returns the hover at an offset (UTF-16) of the file; undefined if there is nothing to show. */
export function hover(view: FileView, offset: number): Hover | undefined {
  const patches = patchViewAt(view, offset);
  if (patches !== undefined) return hover(patches, offset);
  const cursor = cursorAt(view.file.manifest, view.text, offset);
  const inHelper = cursor === undefined ? aboutHelper(view, offset) : undefined;
  if (inHelper !== undefined) return inHelper;
  const built =
    aboutKustomizationAt(view, offset) ??
    aboutGitopsAt(view, offset) ??
    aboutValueAt(view, offset) ??
    aboutVariableAt(view, offset);
  const named = aboutReference(view, offset, cursor !== undefined);
  if (cursor === undefined)
    return (
      built ??
      named ??
      aboutWordAt(view, offset) ??
      aboutPage(view, offset) ??
      aboutServiceName(view, offset) ??
      aboutFinalizer(view, offset) ??
      aboutTaint(view, offset) ??
      aboutPartAt(view, offset)
    );
  // For a namespace, the hover lists its contents instead of its definition.
  const isNamespace = cursor.kind === 'object' && cursor.on === 'namespace';
  const text = [
    ...(built?.text ?? []),
    ...(isNamespace ? [] : (named?.text ?? [])),
    ...(about(view, cursor) ?? []),
    ...matchesOnPage(view, cursor),
  ];
  if (text.length === 0) return undefined;
  return { span: 'span' in cursor ? cursor.span : cursorTargetSpan(cursor), text };
}

/** Returns the hover for a label that a helper of a chart writes, with the objects into which it is written. */
function aboutHelper(view: FileView, offset: number): Hover | undefined {
  const found = cursorInHelper(view, offset);
  if (found === undefined) return undefined;
  const { key } = found.cursor.entry;
  const objects = objectsWithKey(view, key.text).map((each) => objectLine(view, each, each.object.kindSpan));
  const text = [
    ...(aboutLabel(found.view, found.cursor) ?? []),
    ...group(view, localize`Written into`, objects, key.span.start),
  ];
  return text.length === 0 ? undefined : { span: cursorTargetSpan(found.cursor), text };
}

/** Returns the hover for a word in a kubectl command line that is not part of a selector or a label. */
function aboutWordAt(view: FileView, offset: number): Hover | undefined {
  const { manifest } = view.file;
  const word = wordAt(manifest, offset) ?? manifest.words?.find((each) => isOnFlag(each, offset));
  const text = word && [...(aboutWord(view, word) ?? []), ...aboutCreatedOnPage(view, word)];
  return word === undefined || text === undefined || text.length === 0 ? undefined : { span: wordSpan(word), text };
}

/** Whether an offset is in the flag before the value of an option, such as `--cascade=orphan`. */
function isOnFlag(word: CommandWord, offset: number): boolean {
  if (!/^(?:namespaced|api-group|validate|cascade)$/.test(word.is)) return false;
  const { start } = wordSpan(word);
  return offset < start && start - `--${word.is}=`.length <= offset;
}

/** Returns the hover at an offset in a manifest that a Markdown page or script contains. */
function aboutPage(view: FileView, offset: number): Hover | undefined {
  const page = pageViewAt(view, offset);
  return page && hover(page, offset);
}

/** Describes the selectors on the page that match the object that a command creates. */
function aboutCreatedOnPage(view: FileView, word: CommandWord): RichText {
  const page = word.is === 'created' ? pageView(view) : undefined;
  const { start } = wordSpan(word);
  const object = page?.file.manifest.objects.find(({ kindSpan }) => kindSpan.start === start);
  return (page && object && aboutObject(page, object)) ?? [];
}

/** Lists the matches of a command's selector among the manifests and commands on its page. */
function matchesOnPage(view: FileView, cursor: Cursor): RichText {
  const page = cursor.kind === 'selector' && cursor.object.inline ? pageView(view) : undefined;
  if (page === undefined || cursor.kind !== 'selector') return [];
  const owner = { file: page.file, object: cursor.object };
  const { matches, maybe } = selectionOf(page.workspace, page.catalogue, owner, cursor.site);
  const listed = (title: string, all: typeof matches) => {
    const found = all.filter(({ file }) => file.uri === page.file.uri);
    return matchGroup(page, title, found, keysOf(cursor.site), cursor.site.keySpan.start);
  };
  return [...listed(localize`Matches on this page`, matches), ...listed(localize`May match on this page`, maybe)];
}

/** Returns the hover for a direction, rule, peer or port of a network policy, or for a field of an affinity. */
function aboutPartAt(view: FileView, offset: number): Hover | undefined {
  const object = objectAt(view.file.manifest, offset);
  if (object === undefined) return undefined;
  const found = aboutPolicy(view, object, offset);
  return found?.span === undefined
    ? aboutAffinityAt(view, object, offset)
    : { span: found.span, text: [...found.verdict, ...found.details] };
}

/** Describes the whole map or selector at the cursor, because a template action can render several entries of it. */
function aboutSiteOf(view: FileView, cursor: Cursor): RichText | undefined {
  if (cursor.kind === 'label') return aboutLabels(view, cursor.object, cursor.site);
  return cursor.kind === 'selector' ? aboutSelector(view, { ...cursor, part: undefined }) : undefined;
}

function about(view: FileView, cursor: Cursor): RichText | undefined {
  const rendered = renderedEntries(cursor);
  if (rendered.length > 0) return withDetails(aboutSiteOf(view, cursor) ?? [], aboutRendered(view, rendered));
  switch (cursor.kind) {
    case 'selector':
      return aboutSelector(view, cursor);
    case 'label':
      return aboutLabel(view, cursor);
    case 'labels':
      return aboutLabels(view, cursor.object, cursor.site);
    case 'labelKey':
      return aboutLabelKey(view, cursor);
    case 'object':
      if (cursor.on === 'namespace') return aboutNamespaceOf(view, cursor.object);
      return aboutWholeObject(view, cursor.object, cursor.on);
  }
}

/** Describes an object at its kind or name. Its connections are below a rule line if it also selects objects or is selected. */
function aboutWholeObject(view: FileView, object: ManifestObject, on: ObjectPart): RichText {
  const policy = aboutPolicy(view, object);
  const answer = [
    ...(object.forCluster ? [aboutIdentity(view, object)] : []),
    ...(on === 'kind' ? aboutMissingPods(view, object) : []),
    ...(policy?.verdict ?? []),
    ...(aboutAbsent(view, object) ?? aboutSelected(view, object)),
    ...(aboutObject(view, object) ?? []),
    ...(on === 'name' ? aboutUsersOf(view, object) : []),
  ];
  const rest = [
    ...aboutReach(view, object),
    ...(on === 'name' ? aboutNamesakes(view, object) : []),
    ...(object.forCluster ? [pageLink(view, object)] : []),
  ];
  return [...withDetails(answer, policy?.details ?? []), ...rest];
}

/** States that an object lacks its spec, template or containers, if the API server cannot create it without them. */
function aboutMissingPods({ file }: FileView, { kind, kindSpan }: ManifestObject): RichText {
  const missing = (file.manifest.faults ?? []).find(
    (fault) =>
      fault.is === 'missing' && /^(?:spec|template|containers)$/.test(fault.field) && fault.object === kindSpan.start,
  );
  if (missing?.is !== 'missing') return [];
  const path = missing.path === '' ? missing.field : `${missing.path}.${missing.field}`;
  return [paragraph(localize`${kind} has no `, inlineCode(path), localize`; the API server rejects its creation.`)];
}

/** Describes the meaning of an absent selector and the objects that it selects; undefined if no selector is absent. */
function aboutAbsent(view: FileView, object: ManifestObject): RichText | undefined {
  const site = object.selectorSites.find(({ state }) => state === 'absent');
  return site && aboutSelector(view, { kind: 'selector', object, site });
}
