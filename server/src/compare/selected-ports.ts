/** Finds names of ports that the selected pods or Services declare in one state of a workspace but not in the other. */

import type { SelectorSite } from '../manifests/model.ts';
import { targetPorts } from '../manifests/sites/ports.ts';
import { seenBy } from '../workspace/kustomize/view.ts';
import type { ObjectInFile } from '../workspace/model.ts';
import { mayGetContainers } from '../workspace/references/changed-later.ts';
import type { Scope } from '../workspace/scopes/model.ts';
import { selectionOf } from '../workspace/selection/selection.ts';
import {
  appliedVersions,
  type BrokenPart,
  isService,
  partsOf,
  podPortsIn,
  portsOfService,
  type SidedPair,
} from './object-parts.ts';
import { isWrittenAsBefore, type Sided } from './update-data.ts';

/** A port that an object names, and a selected object. */
interface AskedPort {
  readonly path: string;
  readonly port: string;
  readonly selected: ObjectInFile;
  readonly via: string | undefined;
  /** Whether the selected object declares the port. */
  readonly isDeclared: boolean;
}

/** Names of the ports of containers that service meshes add to pods. */
const ofInjected = /^(?:http-envoy-prom$|linkerd-)/;

/** Returns the names of ports in a Service or monitor that selected objects no longer declare, or that a changed name newly demands. */
export function brokenSelectedPorts(
  pair: SidedPair,
  isChanged: boolean,
  arePortsChanged: boolean,
): readonly BrokenPart[] {
  const { before, after } = pair;
  if (!mayNamePorts(after)) return [];
  if (!isChanged && !(arePortsChanged && areSelectedChanged(pair))) return [];
  const [old, fresh] = [askedPorts(before), askedPorts(after)];
  if (old === undefined || fresh === undefined) return [];
  const byKey = new Map(old.map((each) => [keyOf(each), each]));
  const declared = new Set(fresh.flatMap(({ isDeclared, path, port }) => (isDeclared ? `${path}\n${port}` : [])));
  const seen = new Set<string>();
  return fresh.flatMap((each): readonly BrokenPart[] => {
    const { path, port, selected } = each;
    if (each.isDeclared || ofInjected.test(port)) return [];
    const earlier = byKey.get(keyOf(each));
    if (earlier !== undefined && !earlier.isDeclared) return [];
    // Of several selected objects, some may not be meant for a newly named port.
    if (earlier === undefined && declared.has(`${path}\n${port}`)) return [];
    const { kind, name } = selected.object;
    const key = `${path}\n${port}\n${kind}\n${name?.text}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ path, is: 'pod port', part: port, kind, name: name?.text ?? '', existed: earlier !== undefined }];
  });
}

function keyOf({ path, port, selected: { object }, via }: AskedPort): string {
  return JSON.stringify([path, port, object.kind, object.namespace?.text, object.name?.text, via]);
}

/** Whether the kind of an object has fields with names of ports of selected objects. */
function mayNamePorts({ side, applied }: Sided): boolean {
  const { group, version, kind, selectorSites } = applied.object;
  if (selectorSites.length === 0) return false;
  const facts = side.catalogueOf(applied.file.uri).kind(group, version, kind);
  return facts?.references.some(({ part }) => part === 'port') === true;
}

function selectedBy({ side, applied }: Sided, site: SelectorSite) {
  const { builtBy } = applied;
  const catalogue = side.catalogueOf(builtBy?.path ?? applied.file.uri);
  const view = builtBy === undefined ? side.workspace : (seenBy(side.workspace, catalogue, builtBy) ?? side.workspace);
  return selectionOf(view, side.catalogueOf(applied.file.uri), applied, site);
}

/** Whether the ports of selected objects may differ between two states. */
function areSelectedChanged({ before, after }: SidedPair): boolean {
  const matchesIn = (sided: Sided) =>
    sided.applied.object.selectorSites.flatMap((site) => selectedBy(sided, site).matches);
  const fresh = matchesIn(after);
  if (fresh.length === 0) return false;
  const old = new Map(matchesIn(before).map((each) => [nameIn(each), each]));
  return fresh.some((match) => {
    const earlier = old.get(nameIn(match));
    if (earlier === undefined) return true;
    const [was] = appliedVersions(before.side, before.applied.builtBy, earlier);
    const [is] = appliedVersions(after.side, after.applied.builtBy, match);
    if (was === undefined || is === undefined) return true;
    return !isWrittenAsBefore({ side: before.side, applied: was }, { side: after.side, applied: is });
  });
}

/** Whether the names of the ports of an object may differ between two states, so that other objects may no longer find them. */
export function mayDeclareOthers({ before, after }: SidedPair): boolean {
  const declares = ({ applied: { object } }: Sided) =>
    object.ports !== undefined || object.servicePorts !== undefined || object.templates.length > 0;
  return (declares(before) || declares(after)) && !isWrittenAsBefore(before, after);
}

function nameIn({ object }: ObjectInFile): string {
  return JSON.stringify([object.kind, object.namespace?.text, object.name?.text]);
}

/** Returns the ports that an object names, for each selected object; undefined if they are unknown. */
function askedPorts(sided: Sided): readonly AskedPort[] | undefined {
  const { side, applied } = sided;
  const parts = partsOf(sided);
  if (parts === undefined) return undefined;
  const names = isService(applied)
    ? targetPorts(parts.tree).map((name) => ({ path: 'spec.ports[].targetPort', name }))
    : parts.sites.flatMap(({ fact, name }) =>
        fact.part === 'port' && fact.local === undefined ? [{ path: fact.path, name }] : [],
      );
  const asked = names.filter(({ name }) => typeof name.value === 'string');
  if (asked.length === 0) return [];
  const found: AskedPort[] = [];
  for (const site of applied.object.selectorSites) {
    const { matches, maybe } = selectedBy(sided, site);
    if (maybe.length > 0) return undefined;
    for (const match of matches) {
      const { via } = match.labeledObject;
      const declared = declaredIn(side, applied.builtBy, match, via);
      if (declared === undefined) return undefined;
      for (const { path, name } of asked)
        found.push({ path, port: name.text, selected: match, via, isDeclared: declared.has(name.text) });
    }
  }
  return found;
}

/** Returns the names of the ports of a selected Service or pod; undefined if they are unknown. */
function declaredIn(
  side: Sided['side'],
  scope: Scope | undefined,
  where: ObjectInFile,
  via: string | undefined,
): ReadonlySet<string> | undefined {
  const [applied] = appliedVersions(side, scope, where);
  if (applied === undefined) return undefined;
  if (isService(applied)) {
    const service = portsOfService({ side, applied });
    return service === undefined || service.open ? undefined : new Set(service.ports.flatMap(({ name }) => name ?? []));
  }
  const ports = podPortsIn({ side, applied }, via);
  return ports === undefined || ports.open || mayGetContainers(applied.object) ? undefined : new Set(ports.names);
}
