/** Does a kustomization write a name that is renamed? What it puts into objects stands in other files than theirs. */

import { carriersOf } from '../manifests/carriers.ts';
import type { SelectorSite } from '../manifests/manifest.ts';
import { effectiveSelector } from '../workspace/effective-selector.ts';
import { type Applied, appliedVersions, versionsOf } from '../workspace/kustomize/view.ts';
import { kindKey } from '../workspace/outline.ts';
import { identityOf, placeOf } from '../workspace/scope-facts.ts';
import type { ObjectInFile } from '../workspace/workspace.ts';
import { hasName, type LabelName, mentions, renameInEntries, renameInSelector } from './label-name.ts';
import type { Joined, Reach } from './rename-reach.ts';
import type { View } from './view.ts';

/** An object, and the other file that writes the name into it. */
export interface WrittenElsewhere {
  readonly object: ObjectInFile;
  readonly uri: string;
}

/**
 * Something that is joined, or that it selects or is selected by once a kustomization has applied it, to which another
 * file gives the name: that file would have to change too.
 */
export function writtenByKustomization(view: View, reach: Reach, name: LabelName): WrittenElsewhere | undefined {
  for (const joined of reach.objects.values()) {
    const found = inVersions(view, joined, (version, applied) => ofObject(version, applied, name));
    if (found !== undefined) return found;
  }
  for (const joined of reach.selectors.values()) {
    const found = inVersions(view, joined, (version, applied) => {
      const site = applied.object.selectorSites.find(({ path }) => path === joined.site.path);
      return site && ofSelector(version, applied, site, name);
    });
    if (found !== undefined) return found;
  }
  return undefined;
}

function inVersions(
  { workspace, catalogue }: View,
  joined: Joined,
  look: (version: Applied, applied: ObjectInFile) => WrittenElsewhere | undefined,
): WrittenElsewhere | undefined {
  for (const version of appliedVersions(workspace, catalogue, joined.file.uri)) {
    for (const applied of versionsOf(version, joined.object)) {
      const found = look(version, applied);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Its own labels, and the selectors that take it by them. */
function ofObject(version: Applied, applied: ObjectInFile, name: LabelName): WrittenElsewhere | undefined {
  const { workspace } = version;
  const own = applied.object.labelSites.flatMap(({ entries }) => renameInEntries(entries, name, ''));
  const uri = own.find(({ writtenIn }) => writtenIn !== undefined)?.writtenIn;
  if (uri !== undefined) return { object: applied, uri };
  for (const carrier of carriersOf(applied.object)) {
    if (!hasName(carrier, name)) continue;
    for (const taker of workspace.selecting(kindKey(carrier.target), carrier)) {
      if (workspace.scopes().relation(placeOf(taker), placeOf(applied), identityOf(applied.object)) !== 'here')
        continue;
      const other = originOf(taker.site, name);
      if (other !== undefined) return { object: taker, uri: other };
    }
  }
  return undefined;
}

/** The selector itself, and the labels of what it takes. */
function ofSelector(
  { workspace }: Applied,
  applied: ObjectInFile,
  site: SelectorSite,
  name: LabelName,
): WrittenElsewhere | undefined {
  const own = originOf(site, name);
  if (own !== undefined) return { object: applied, uri: own };
  const targets = new Set(site.fact.targets.map(kindKey));
  for (const id of workspace.carrying(name.key, name.value)) {
    const file = workspace.files.get(id.uri);
    const object = file?.manifest.objects[id.object];
    const carrier = object && carriersOf(object)[id.carrier];
    if (file === undefined || object === undefined || carrier === undefined || !targets.has(kindKey(carrier.target)))
      continue;
    if (workspace.scopes().relation(placeOf(applied), placeOf({ file, object }), identityOf(object)) !== 'here')
      continue;
    const other = renameInEntries(carrier.site?.entries ?? [], name, '').find(
      ({ writtenIn }) => writtenIn !== undefined,
    );
    if (other?.writtenIn !== undefined) return { object: { file, object }, uri: other.writtenIn };
  }
  return undefined;
}

function originOf(site: SelectorSite, name: LabelName): string | undefined {
  const written = renameInSelector(site, name, '').find(({ writtenIn }) => writtenIn !== undefined)?.writtenIn;
  if (written !== undefined) return written;
  const selector = effectiveSelector(site);
  const isAsked = selector?.kind === 'all' && selector.requirements.some((each) => mentions(each, name));
  return isAsked ? site.text?.origin?.uri : undefined;
}
