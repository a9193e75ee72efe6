/** Completion of paths in kustomizations and GitOps objects: files and folders of the workspace, the nearest first. */

import type { PathPurpose } from '../../manifests/cursor/kustomization-target.ts';
import { typedValue } from '../../manifests/write/write-completion.ts';
import { compareText } from '../../text/order.ts';
import { isInTemplates } from '../../workspace/charts/chart-files.ts';
import { foldersIncluding, kustomizationsListing } from '../../workspace/kustomize/named-files.ts';
import type { Workspace } from '../../workspace/model.ts';
import type { ScopeFacts } from '../../workspace/scopes/scope-facts.ts';
import { distanceFrom, folderOf, isWithin, relativeFolder, relativePath, resolveUri } from '../../workspace/uri.ts';
import { type Completing, item, scalarItem, type TargetOf } from './completion-item.ts';
import type { Completion } from './model.ts';
import { isAbbreviation, mostItems } from './most-frequent.ts';

/** A file or folder that a path can refer to. */
interface PathChoice {
  readonly uri: string;
  readonly is: 'file' | 'folder';
  /** A short description, such as the number of objects. */
  readonly about: string;
}

/** Returns the paths that are valid in a field, except paths that the list already contains. */
export function pathItems(completing: Completing<TargetOf<'path'>>): readonly Completion[] {
  const { view, place } = completing;
  if (place.base !== undefined) return sourcePathItems(completing, place.base);
  const folder = folderOf(view.file.uri);
  const listed = new Set(place.others.map((path) => view.workspace.at(folder, path)));
  const choices = choicesFor(view.workspace, view.file.uri, place.to).filter(({ uri }) => !listed.has(uri));
  return pathChoices(completing, folder, choices);
}

/** Returns the paths that fit a field of a GitOps object. */
function sourcePathItems(completing: Completing<TargetOf<'path'>>, base: string): readonly Completion[] {
  const { view, place, typed } = completing;
  const { workspace } = view;
  const root = rootAround(workspace, view.file.uri);
  // A GitOps object can name a Helm values file by its path from the root of the repository, such as `/envs/prod.yaml`.
  const prefix = place.to === 'values' && typed.startsWith('/') ? '/' : '';
  const folder = prefix === '' && base !== '' ? resolveUri(root, base) : root;
  const listed = new Set(place.others.map((path) => resolveUri(folder, path)));
  const choices = choicesBelow(workspace, root, place.to).filter(({ uri }) => !listed.has(uri));
  return prefix === '' ? pathChoices(completing, folder, choices) : pathChoices(completing, folder, choices, prefix);
}

/** Returns the files and folders below the root of a repository that a GitOps object can name in a field. */
function choicesBelow(workspace: Workspace, root: string, to: PathPurpose): readonly PathChoice[] {
  if (to === 'source') return foldersToBuild(workspace, root);
  const facts = [...workspace.scopes().facts()].filter(([uri]) => isWithin(uri, root) && !isInTemplates(uri));
  return facts.flatMap(([uri, known]): readonly PathChoice[] => {
    const { objects, kustomization, chart } = known;
    if (to === 'chart') return chart === undefined ? [] : [{ uri: folderOf(uri), is: 'folder', about: 'Chart' }];
    if (to === 'sourceComponent') return kustomization?.component ? [asFolder(uri, known)] : [];
    const isData = objects === 0 && kustomization === undefined && chart === undefined;
    return isData && /\/[^./][^/]*\.ya?ml$/.test(uri) ? [{ uri, is: 'file', about: 'Values' }] : [];
  });
}

/** Returns an item for each choice, with its path relative to `folder`, the nearest first. A long list is limited to paths that fit the typed text. */
function pathChoices(
  completing: Completing<TargetOf<'path'>>,
  folder: string,
  choices: readonly PathChoice[],
  prefix = completing.typed.startsWith('./') ? './' : '',
): readonly Completion[] {
  const distance = distanceFrom(`${folder}/`);
  const paths = choices.map((choice) => {
    const isFolder = choice.is === 'folder';
    const path = isFolder ? relativeFolder(folder, choice.uri) : relativePath(folder, choice.uri);
    return {
      ...choice,
      path: path.startsWith('.') ? path : `${prefix}${path}`,
      far: distance(`${choice.uri}${isFolder ? '/' : ''}`),
    };
  });
  const fitting =
    paths.length <= mostItems ? paths : paths.filter(({ path }) => isAbbreviation(completing.typed, path));
  return fitting
    .toSorted((a, b) => a.far - b.far || compareText(a.path, b.path))
    .slice(0, mostItems + 1)
    .map(({ path, is, about }) => {
      const shown = { label: path, kind: is, description: about };
      const { view, cursorTarget, place } = completing;
      if (!place.whole) return scalarItem(completing, shown);
      return item(completing, shown, typedValue(view.text, cursorTarget, { list: [path] }));
    });
}

/** Returns the root of the repository that contains a file: the known root of its GitOps sources, or else the outermost enclosing workspace folder. */
function rootAround(workspace: Workspace, uri: string): string {
  const defined = workspace
    .scopes()
    .building(uri)
    .flatMap(({ gitops }) => gitops?.located ?? []);
  const [located] = defined.flatMap((each) => each?.root ?? []);
  const around = workspace.folders.filter((folder) => isWithin(uri, folder));
  return located ?? around.toSorted((a, b) => a.length - b.length)[0] ?? folderOf(uri);
}

/** Returns the folders below a root that a GitOps object can build: folders with a kustomization, a chart or manifests. */
function foldersToBuild(workspace: Workspace, root: string): readonly PathChoice[] {
  const found = new Map<string, PathChoice>();
  for (const [uri, facts] of workspace.scopes().facts()) {
    const folder = folderOf(uri);
    const { kustomization, chart, objects } = facts;
    if (!isWithin(folder, root) || folder === root || isInTemplates(uri) || kustomization?.component) continue;
    const about = kustomization ? 'Kustomization' : chart ? 'Chart' : objects > 0 ? countOf(facts) : undefined;
    if (about === undefined || (found.has(folder) && kustomization === undefined)) continue;
    found.set(folder, { uri: folder, is: 'folder', about });
  }
  return [...found.values()];
}

/** Returns the files and folders that are valid in a field of a kustomization. */
function choicesFor(workspace: Workspace, uri: string, to: PathPurpose): readonly PathChoice[] {
  const folder = folderOf(uri);
  const scopes = workspace.scopes();
  const around = foldersIncluding(scopes, folder);
  return [...scopes.facts()].flatMap(([target, known]): readonly PathChoice[] => {
    const { kustomization } = known;
    if (kustomization !== undefined) {
      const isMeant = to === (kustomization.component ? 'component' : 'resource');
      return isMeant && !around.has(folderOf(target)) ? [asFolder(target, known)] : [];
    }
    // Kustomize loads files only from the folder of the kustomization and the folders below it.
    if (to === 'component' || !isWithin(target, folder)) return [];
    if (to === 'resource' && (known.objects === 0 || known.builtin || kustomizationsListing(scopes, target).length > 0))
      return [];
    if (to === 'patch' && kustomizationsListing(scopes, target).includes(uri)) return [];
    return [{ uri: target, is: 'file', about: countOf(known) }];
  });
}

function asFolder(uri: string, { kustomization }: ScopeFacts): PathChoice {
  return { uri: folderOf(uri), is: 'folder', about: kustomization?.component ? 'Component' : 'Kustomization' };
}

function countOf({ objects }: ScopeFacts): string {
  return objects === 1 ? '1 object' : `${objects} objects`;
}
