/** Finds the objects that have a label key or value, and the selectors that refer to it, in a set of files. Searches only files that contain the key or value. */

import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import type { LabeledObjectInFile, ObjectInFile, Workspace } from '../../workspace/model.ts';
import { objectsOf } from '../../workspace/snapshot.ts';
import { hasName, type LabelName, selectorRefersTo, valuesOf } from '../rename/label-name.ts';

export interface SiteInFile extends ObjectInFile {
  readonly site: SelectorSite;
}

/** The labeled objects and the selectors, in a set of files, that contain a label key or value. */
export interface NamedSpans {
  readonly labeledObjects: readonly LabeledObjectInFile[];
  readonly selectors: readonly SiteInFile[];
}

/** Up to this number of files, examining all of them is faster than a search in the index. */
const fewFiles = 100;

/** Finds a label key or value in sets of files of one workspace; caches the result for each set. */
export class NameFinder {
  readonly #workspace: Workspace;
  readonly #name: LabelName;
  readonly #known = new Map<ReadonlySet<string>, NamedSpans>();
  #uris: ReadonlySet<string> | undefined;

  constructor(workspace: Workspace, name: LabelName) {
    this.#workspace = workspace;
    this.#name = name;
  }

  within(files: ReadonlySet<string>): NamedSpans {
    const known = this.#known.get(files);
    if (known !== undefined) return known;
    const found = this.#inFiles(files.size <= fewFiles ? files : this.#filesAmong(files));
    this.#known.set(files, found);
    return found;
  }

  #filesAmong(files: ReadonlySet<string>): readonly string[] {
    this.#uris ??= filesWith(this.#workspace, this.#name);
    const uris = this.#uris;
    const [fewer, others] = uris.size < files.size ? [uris, files] : [files, uris];
    return [...fewer].filter((uri) => others.has(uri));
  }

  #inFiles(uris: Iterable<string>): NamedSpans {
    const labeledObjects: LabeledObjectInFile[] = [];
    const selectors: SiteInFile[] = [];
    for (const uri of uris) {
      const file = this.#workspace.files.get(uri);
      for (const object of file === undefined ? [] : objectsOf(this.#workspace, file)) {
        if (file === undefined) continue;
        for (const labeledObject of labeledObjectsOf(object)) {
          if (hasName(labeledObject, this.#name)) labeledObjects.push({ file, object, labeledObject });
        }
        for (const site of object.selectorSites) {
          if (selectorRefersTo(site, this.#name)) selectors.push({ file, object, site });
        }
      }
    }
    return { labeledObjects, selectors };
  }
}

function filesWith(workspace: Workspace, name: LabelName): ReadonlySet<string> {
  const carrying = workspace.carrying(name.key, name.value).flatMap(({ files }) => files);
  const speaking = workspace.speaking(name.key, valuesOf(name));
  return new Set([...carrying, ...speaking].map(({ uri }) => uri));
}
