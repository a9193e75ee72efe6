/** Compares which selectors match which objects in two trees of manifests. */

import { format, isUnknown, type Selector } from '../engine/index.ts';
import { objectName } from '../features/names.ts';
import type { SelectorSite } from '../manifests/manifest.ts';
import type { Service } from '../service.ts';
import { effectiveSelector } from '../workspace/effective-selector.ts';
import { effectiveNamespace } from '../workspace/namespaces.ts';
import { relativeFolder, relativePath } from '../workspace/uri.ts';
import type { ObjectInFile } from '../workspace/workspace.ts';
import { type AppliedObject, aroundSelected, scopesOf } from './applied-objects.ts';
import { edgesFrom } from './edges.ts';
import type { PathSelection } from './path-selection.ts';

export interface Tree {
  readonly service: Service;
  /** What of it is compared. */
  readonly selection: PathSelection;
  /** The folder that is named, or the one file. */
  readonly root: string;
  /** What of it was not read, as seen from the root. */
  readonly skipped: readonly string[];
  /** Whether a configuration that governs it is broken. */
  readonly isFaulty: boolean;
}

export interface Change {
  /** `lost`: it matched before. `gained`: it matches now. `immutable`: the API server will refuse the update. */
  readonly kind: 'immutable' | 'lost' | 'gained';
  readonly message: string;
  readonly owner: Named;
  /** Of the selector, without the numbers of list items. */
  readonly path: string;
  readonly target?: Named & { readonly via?: string };
}

interface Named {
  readonly group: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** If the object is defined several times: which scope is meant, or which file if one scope contains several. */
  readonly scope?: string;
}

/** Refused updates first, then what is lost, then what is new; each in the order of the words. */
export function compare(before: Tree, after: Tree): readonly Change[] {
  const several = new Map<string, TellApart>();
  for (const [key, by] of [...namesakes(before), ...namesakes(after)]) {
    if (by === 'file' || !several.has(key)) several.set(key, by);
  }
  const [old, fresh] = [pictureOf(before, several), pictureOf(after, several)];
  return [
    ...sorted(immutableChanges(old, fresh)),
    ...sorted(certain(lostLinks(old, fresh), fresh, after, before).map((link) => changeOf('lost', link, fresh))),
    ...sorted(certain(newLinks(old, fresh), old, before, after).map((link) => changeOf('gained', link, old))),
  ];
}

/** What is missed in a tree may be in what was skipped there, and only there. */
function certain(links: readonly Link[], picture: Picture, tree: Tree, other: Tree): readonly Link[] {
  if (tree.skipped.every((each) => other.skipped.includes(each))) return links;
  return links.filter(({ owner, target }) => [owner, target].every((each) => picture.objects.has(keyOf(each))));
}

/** A tree with everything named so that it can be found in the other one. */
interface Picture {
  /** By name: what holds a selector that must not change. */
  readonly objects: ReadonlyMap<string, Item>;
  readonly links: ReadonlyMap<string, Link>;
}

interface Item {
  readonly named: Named;
  /** It is compared; others stand around it. */
  readonly isSelected: boolean;
  readonly sites: readonly SelectorSite[];
}

interface Link {
  readonly owner: Named;
  readonly target: Named;
  readonly path: string;
  readonly via: string | undefined;
  readonly certain: boolean;
}

function lostLinks(old: Picture, fresh: Picture): readonly Link[] {
  return [...old.links].flatMap(([key, link]) => {
    // What went away together with what it selected is no loss.
    const isMissed = fresh.objects.has(keyOf(link.owner)) || fresh.objects.has(keyOf(link.target));
    return link.certain && !fresh.links.has(key) && isMissed ? [link] : [];
  });
}

function newLinks(old: Picture, fresh: Picture): readonly Link[] {
  return [...fresh.links].flatMap(([key, link]) => (link.certain && !old.links.has(key) ? [link] : []));
}

function changeOf(kind: 'lost' | 'gained', link: Link, other: Picture): Change {
  const { owner, target, path, via } = link;
  const message = `${messageOf(kind, link, other)}.`;
  return { kind, message, owner, path, target: via === undefined ? target : { ...target, via } };
}

function messageOf(kind: 'lost' | 'gained', { owner, target, path }: Link, other: Picture): string {
  const verb = verbs[`${owner.group}/${owner.kind} ${path}`] ?? 'selects';
  const alone = other.objects.has(keyOf(owner));
  const whom = other.objects.has(keyOf(target));
  const from = shownName(owner, owner.namespace === target.namespace && owner.scope === target.scope);
  const to = keyOf(owner) === keyOf(target) ? 'its own pods' : shownName(target, false);
  if (kind === 'lost') {
    if (!alone) return `${from} is gone: it no longer ${verb} ${to}`;
    return `${from} no longer ${verb} ${to}${whom ? '' : ', which is gone'}`;
  }
  if (!alone) return `${from} is new: it ${verb} ${to}`;
  return `${from} now ${verb} ${to}${whom ? '' : ', which is new'}`;
}

/** What a selector does to what it takes, where that is more than to select it. */
const verbs: Readonly<Record<string, string>> = {
  'networking.k8s.io/NetworkPolicy spec.podSelector': 'isolates',
  'policy/PodDisruptionBudget spec.selector': 'protects',
};

function immutableChanges(old: Picture, fresh: Picture): readonly Change[] {
  return [...old.objects].flatMap(([key, { named, sites, isSelected }]) => {
    const other = fresh.objects.get(key);
    const after = isSelected || other?.isSelected ? (other?.sites ?? []) : [];
    return sites.flatMap((site): readonly Change[] => {
      const path = site.fact.path;
      const now = site.fact.immutable ? after.find((each) => each.fact.path === path) : undefined;
      const [was, is] = [knownSelector(site), now && knownSelector(now)];
      if (was === undefined || is === undefined || was === is) return [];
      const message = `The selector of ${shownName(named, false)} changed from '${was}' to '${is}': it is immutable, the update will be refused.`;
      return [{ kind: 'immutable', message, owner: named, path }];
    });
  });
}

/** As text; undefined where not all of it is known. */
function knownSelector(site: SelectorSite): string | undefined {
  const selector = site.open ? undefined : effectiveSelector(site);
  return selector === undefined || hasUnknowns(selector) ? undefined : format(selector, 'canonical');
}

function hasUnknowns(selector: Selector): boolean {
  return (
    selector.kind === 'all' && selector.requirements.some(({ values }) => values.some((value) => isUnknown(value)))
  );
}

function pictureOf(tree: Tree, several: ReadonlyMap<string, TellApart>): Picture {
  const { service, root } = tree;
  const objects = new Map<string, Item>();
  const links = new Map<string, Link>();
  const { objects: around, isSelected } = aroundSelected(tree);
  for (const applied of around) {
    const { builtBy } = applied;
    const nameOf = ({ file, object }: ObjectInFile) => named(service, root, { file, object, builtBy }, several);
    const owner = nameOf(applied);
    const isOwn = isSelected(applied, applied);
    objects.set(keyOf(owner), { named: owner, sites: applied.object.selectorSites, isSelected: isOwn });
    for (const { site, match, certain } of edgesFrom(service, applied)) {
      if (!isOwn && !isSelected(applied, match)) continue;
      const path = site.fact.path;
      const link = { owner, target: nameOf(match), path, via: match.carrier.via, certain };
      const key = [keyOf(owner), path, keyOf(link.target), link.via ?? ''].join('\n');
      if (links.get(key)?.certain !== true) links.set(key, link);
    }
  }
  return { objects, links };
}

/** An object and the kustomization that builds it, where one does. */
type Placed = ObjectInFile & { readonly builtBy: AppliedObject['builtBy'] };

/** What tells objects of one identity apart: overlays and charts by their scope, copies in one scope by their file. */
type TellApart = 'scope' | 'file';

/** The keys of objects that are defined more than once, and what tells them apart. */
function namesakes(tree: Tree): readonly (readonly [key: string, by: TellApart])[] {
  const { service, root } = tree;
  const files = new Map<string, Map<string, Set<string>>>();
  for (const { file, object, builtBy } of aroundSelected(tree).objects) {
    const key = keyOf(identity(service, { file, object }));
    const scopes = files.get(key) ?? new Map<string, Set<string>>();
    files.set(key, scopes);
    const scope = scopeOf(service, root, { file, object, builtBy });
    scopes.set(scope, (scopes.get(scope) ?? new Set()).add(file.uri));
  }
  return [...files].flatMap(([key, scopes]): readonly (readonly [string, TellApart])[] => {
    if ([...scopes.values()].some((uris) => uris.size > 1)) return [[key, 'file']];
    return scopes.size > 1 ? [[key, 'scope']] : [];
  });
}

function named(service: Service, root: string, where: Placed, several: ReadonlyMap<string, TellApart>): Named {
  const plain = identity(service, where);
  const by = several.get(keyOf(plain));
  if (by === undefined) return plain;
  const isBuilt = where.builtBy !== undefined;
  const scope = by === 'file' && !isBuilt ? relativePath(root, where.file.uri) : scopeOf(service, root, where);
  return { ...plain, scope };
}

function identity(service: Service, where: ObjectInFile): Named {
  const { group, kind } = where.object;
  const namespace = effectiveNamespace(service.workspace(), service.catalogueOf(where.file.uri), where)?.text;
  const name = objectName(where.object).slice(kind.length + 1);
  return { group, kind, ...(namespace !== undefined && { namespace }), name };
}

/** The folder of the kustomization that builds it, or those of its scopes, as seen from the root of its tree. */
function scopeOf(service: Service, root: string, where: Placed): string {
  const paths = scopesOf(service, where).map(({ path }) => relativeFolder(root, path));
  return [...new Set(paths)].toSorted().join(', ');
}

function keyOf({ group, kind, namespace, name, scope }: Named): string {
  return [group, kind, namespace ?? '', name, scope ?? ''].join('\n');
}

/** `Service/web in shop (overlays/prod)`; `brief` where the reader learns the rest from what comes after it. */
function shownName({ kind, name, namespace, scope }: Named, brief: boolean): string {
  const place = brief || namespace === undefined ? '' : ` in ${namespace}`;
  return `${kind}/${name}${place}${brief || scope === undefined ? '' : ` (${scope})`}`;
}

function sorted(changes: readonly Change[]): readonly Change[] {
  return changes.toSorted((a, b) => (a.message < b.message ? -1 : 1));
}
