/** The rule about paths that a kustomization lists and at which nothing is, or something of the other kind. */

import { getOrAdd, once } from '../../engine/memoize.ts';
import { isRemote } from '../../manifests/kustomize/kustomization.ts';
import type { Kustomization, PathReference } from '../../manifests/kustomize/model.ts';
import { misspelling } from '../../text/misspelling.ts';
import type { Workspace } from '../../workspace/model.ts';
import { folderOf, isWithin, nameOf } from '../../workspace/uri.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { isInWorkspace, kustomizationIn, referencesOf } from '../helpers/kustomization-paths.ts';
import { shorten } from '../helpers/sentences.ts';

interface Missing extends Fact {
  readonly reference: PathReference;
  /** What is there instead. */
  readonly there: 'nothing' | 'another folder' | 'a component' | 'no component';
  /** Of nothing: the path that was probably meant. */
  readonly meant?: string;
}

export const kustomizeResourceMissing = rule<Missing>({
  id: 'kustomize-resource-missing',
  severity: 'warning',
  acrossFiles: true,
  needsNoRendering: true,
  summary: 'A resource, component or patch that a kustomization lists and that is not there, or is of the other kind.',
  why: 'Kustomize builds nothing at all when one file is missing. What such a file would hold is unknown to us too, so that findings on the rest of its objects stay silent. It is an error if no script can be the reason: the path leads to something of the other kind, or a file with almost the same name is there.',
  withoutFix:
    'The file may have been renamed, forgotten or be made by a script; which of these it is only its author knows.',
  bad: [
    {
      title: 'A file that was renamed.',
      file: 'kustomization.yaml',
      text: `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
  - basket-service.yaml
`,
    },
  ],
  good: [
    {
      title: 'What lies elsewhere cannot be looked at.',
      file: 'kustomization.yaml',
      text: `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
  - https://github.com/example/basket//deploy?ref=v1.4.2
`,
    },
  ],
  *check(context) {
    const { kustomization } = context.file;
    if (kustomization === undefined) return;
    const seen = new Set<number>();
    const search: Search = {
      listed: once(() => {
        const folder = folderOf(context.uri);
        return new Set(referencesOf(kustomization).map(({ path }) => context.workspace.at(folder, path)));
      }),
      namesLeft: maximumNames,
    };
    for (const reference of referencesOf(kustomization)) {
      if (seen.has(reference.span.start)) continue;
      seen.add(reference.span.start);
      const found = whatIsThere(context, kustomization, reference, search);
      if (found === undefined) continue;
      // What is not there at all may be made by a script before the build.
      const isCertain = found.there !== 'nothing' || found.meant !== undefined;
      yield { span: reference.span, reference, ...found, ...(isCertain && { severity: 'error' as const }) };
    }
  },
  say({ reference, there, meant }) {
    const path = shorten(reference.path);
    switch (there) {
      case 'nothing':
        if (meant === undefined) return `'${path}' does not exist; \`kustomize build\` fails.`;
        return `'${path}' does not exist; \`kustomize build\` fails. Did you mean '${shorten(meant)}'?`;
      case 'another folder':
        return `There is no kustomization in '${path}': kustomize cannot build it.`;
      case 'a component':
        return `'${path}' is a Component: it must be listed in \`components\`.`;
      case 'no component':
        return `'${path}' is no Component: it must be listed in \`resources\`.`;
    }
  },
  mend: () => [],
});

/** The search for what was meant, one for all references of a kustomization. */
interface Search {
  /** Everything that the kustomization lists. */
  readonly listed: () => ReadonlySet<string>;
  /** How many names are still compared. */
  namesLeft: number;
}

/** A few thousand references to nothing, in a folder of thousands of files, are no typing mistakes. */
const maximumNames = 100_000;

/** Undefined if the target of a reference is there and of its kind, or may be. */
function whatIsThere(
  context: RuleContext,
  kustomization: Kustomization,
  reference: PathReference,
  search: Search,
): Pick<Missing, 'there' | 'meant'> | undefined {
  const { workspace, uri } = context;
  const { resources, components } = kustomization;
  const isUnread = (each: string) => context.isUnread(each);
  const { path } = reference;
  const target = workspace.at(folderOf(uri), path);
  if (workspace.files.has(target)) return undefined;
  const found = kustomizationIn(workspace, target);
  if (found?.kustomization?.component) return resources.includes(reference) ? { there: 'a component' } : undefined;
  if (found !== undefined) {
    const { readInPart, unresolved } = found.manifest;
    const isRead = readInPart !== true && unresolved !== true;
    return isRead && components.includes(reference) ? { there: 'no component' } : undefined;
  }
  // A template fills the path, or the plugin is written in the list itself.
  if (isRemote(path) || path.startsWith('/') || /[\n{}$<>*]|: /.test(path)) return undefined;
  if (!isInWorkspace(workspace, target) || isUnread(target) || isUnread(`${target}/kustomization.yaml`))
    return undefined;
  if (namesIn(workspace, target).size > 0) return { there: 'another folder' };
  const meant = meantBy(context, path, search);
  const nothing = { there: 'nothing', ...(meant !== undefined && { meant }) } as const;
  if (/\.(?:ya?ml|json)$/.test(target)) return nothing;
  // Outside of its root kustomize loads only folders.
  const isFolder = components.includes(reference) || path.endsWith('/') || !isWithin(target, folderOf(uri));
  if (isFolder && !/\.[A-Za-z]\w*$/.test(nameOf(target))) return nothing;
  // A file without an extension, which is not read, may be there: only what is evidently misspelled is certain.
  return meant === undefined ? undefined : nothing;
}

/**
 * The path that differs from one that leads nowhere by a misspelled name, or by a missing extension, and leads to a file or
 * a kustomization that the kustomization does not list.
 */
function meantBy({ workspace, uri }: RuleContext, path: string, search: Search): string | undefined {
  const folder = folderOf(uri);
  const listed = search.listed();
  const isThere = (uri: string) =>
    !listed.has(uri) && (workspace.files.has(uri) || kustomizationIn(workspace, uri) !== undefined);
  const extended = ['.yaml', '.yml', '.json'].find((each) => isThere(`${workspace.at(folder, path)}${each}`));
  if (extended !== undefined && !path.endsWith('/')) return `${path}${extended}`;
  const names = path.split('/');
  if (names.length > deepestPath) return undefined;
  const known = names.findLastIndex(
    (_, at) => namesIn(workspace, workspace.at(folder, names.slice(0, at).join('/'))).size > 0,
  );
  const wrong = names[known];
  if (wrong === undefined || wrong === '' || wrong.startsWith('.')) return undefined;
  const parent = workspace.at(folder, names.slice(0, known).join('/'));
  const others = namesIn(workspace, parent);
  search.namesLeft -= others.size;
  if (search.namesLeft < 0) return undefined;
  const likely = [...others].flatMap((name) => {
    const how = misspelling(wrong, name);
    const corrected = names.toSpliced(known, 1, name).join('/');
    return (how === 'evident' || how === 'likely') && isThere(workspace.at(folder, corrected)) ? [corrected] : [];
  });
  return likely.length === 1 ? likely[0] : undefined;
}

/** Deeper paths are not written by a person, and would cost a look at all files for each of their names. */
const deepestPath = 20;

const folders = new WeakMap<Workspace, ReadonlyMap<string, ReadonlySet<string>>>();

/** The names of the files and folders in a folder: none if none of its files is known. */
function namesIn(workspace: Workspace, folder: string): ReadonlySet<string> {
  const names = getOrAdd(folders, workspace, () => foldersOf(workspace.files.keys()));
  return names.get(folder.replace(/\/$/, '')) ?? noNames;
}

const noNames: ReadonlySet<string> = new Set();

/** Every folder with the names of the files and folders in it. */
function foldersOf(uris: Iterable<string>): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  for (const uri of uris) {
    for (let inner = uri; inner.includes('/'); inner = folderOf(inner)) {
      const inFolder = getOrAdd(names, folderOf(inner), () => new Set<string>());
      const name = inner.slice(inner.lastIndexOf('/') + 1);
      if (inFolder.has(name)) break;
      inFolder.add(name);
    }
  }
  return names;
}
