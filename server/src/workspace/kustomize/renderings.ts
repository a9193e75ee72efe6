/**
 * What does each kustomization build, and when is that known anew? Rendered when first asked for, and kept from picture to
 * picture as long as no file that it was made of changes.
 */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { ManifestObject } from '../../manifests/manifest.ts';
import { WorkspaceIndex } from '../index.ts';
import { resolveUri } from '../uri.ts';
import type { Workspace, WorkspaceFile } from '../workspace.ts';
import { AppliedFile } from './applied-file.ts';
import { type Built, build, type IdlePatch, type Surroundings } from './build.ts';
import { effectiveObject } from './effective.ts';
import type { Resource } from './resource.ts';
import type { Writer } from './writers.ts';

/** An object as a kustomization builds it. */
export interface EffectiveObject {
  /** Where it is written; of a generated one, the kustomization. */
  readonly file: WorkspaceFile;
  readonly object: ManifestObject;
  /** Its own file says it; false for one that is generated. */
  readonly written: boolean;
  /** What wrote into it. */
  readonly writers: readonly Writer[];
}

export interface Rendering {
  /** The folder of the kustomization. */
  readonly folder: string;
  readonly objects: readonly EffectiveObject[];
  /** The files that hold objects of it, each with its objects as they are applied. */
  readonly files: ReadonlyMap<string, WorkspaceFile>;
  /** Patches that meet nothing. */
  readonly idle: readonly IdlePatch[];
  /** Everything that it takes was there and could be read. */
  readonly isWhole: boolean;
  /** The labels and selectors of all of it. */
  index(): WorkspaceIndex;
  /** The workspace as the kustomization sees it, once somebody asked; of the picture that asked last. */
  view?: { readonly of: Workspace; readonly view: Workspace } | undefined;
}

/** The files of a picture. */
export interface Files {
  readonly files: { get(uri: string): WorkspaceFile | undefined };
  nameOf(uri: string): string;
}

interface Entry {
  readonly rendering: Rendering;
  readonly catalogue: Catalogue;
  /** Every file that was looked for, and what was found. */
  readonly inputs: ReadonlyMap<string, WorkspaceFile | undefined>;
  /** The picture for which the inputs were last compared. */
  checked: Files['files'];
}

/** When as many objects were rendered, or asked for again, it is time to forget what was not asked for meanwhile. */
const keptObjects = 1_500;

/** As many where every file is asked about once, and each by all that build it: what is forgotten is built again. */
export const keptForOneCommand = 20_000;

/** Shared by the pictures of a workspace that follow each other. */
export class Renderings {
  /** What was asked for lately, and before that: a map from which entries are taken one by one is slow to let them go. */
  #lately = new Map<string, Entry>();
  #before = new Map<string, Entry>();
  /** How many objects there are in what was asked for lately. */
  #objects = 0;
  /** The picture that asked last. */
  #newest: Files['files'] | undefined;
  readonly #maximumObjects: number;
  /** How many times something was rendered: what edits cost. */
  count = 0;

  constructor(maximumObjects: number = keptObjects) {
    this.#maximumObjects = maximumObjects;
  }

  /** What the kustomization in a folder builds; undefined where there is none. */
  of(folder: string, { files, nameOf }: Files, catalogue: Catalogue): Rendering | undefined {
    if (files !== this.#newest) this.#forgetViews();
    this.#newest = files;
    const lately = this.#lately.get(folder);
    const known = lately ?? this.#before.get(folder);
    if (known !== undefined && known.catalogue === catalogue && isCurrent(known, files)) {
      if (lately === undefined) this.#keep(folder, known);
      return known.rendering;
    }
    const inputs = new Map<string, WorkspaceFile | undefined>();
    const around = lookingAt(files, nameOf, catalogue, inputs);
    const root = around.kustomizationIn(folder);
    if (root === undefined) return undefined;
    this.count++;
    const [built, resources] = build(root, around);
    const rendering = renderingOf(folder, resources, built, { files, catalogue });
    this.#keep(folder, { rendering, catalogue, inputs, checked: files });
    return rendering;
  }

  #keep(folder: string, entry: Entry): void {
    this.#lately.set(folder, entry);
    this.#objects += entry.rendering.objects.length;
    if (this.#objects > this.#maximumObjects) this.forgetUnused();
  }

  /** Forgets what nobody asked for since the last time. */
  forgetUnused(): void {
    this.#before = this.#lately;
    this.#lately = new Map();
    this.#objects = 0;
  }

  /** They hold the picture that they are of. */
  #forgetViews(): void {
    for (const entries of [this.#before, this.#lately]) {
      for (const { rendering } of entries.values()) rendering.view = undefined;
    }
  }
}

function isCurrent(entry: Entry, files: Files['files']): boolean {
  if (entry.checked === files) return true;
  for (const [uri, file] of entry.inputs) if (files.get(uri) !== file) return false;
  entry.checked = files;
  return true;
}

function lookingAt(
  files: Files['files'],
  nameOf: Files['nameOf'],
  catalogue: Catalogue,
  inputs: Map<string, WorkspaceFile | undefined>,
): Surroundings {
  const file = (uri: string) => {
    const found = files.get(uri);
    inputs.set(uri, found);
    return found;
  };
  return {
    catalogue,
    file,
    at: (folder, path) => nameOf(resolveUri(folder, path)),
    kustomizationIn: (folder) => {
      for (const name of ['kustomization.yaml', 'kustomization.yml', 'Kustomization']) {
        const found = file(`${folder}/${name}`);
        if (found?.kustomization !== undefined) return found;
      }
      return undefined;
    },
  };
}

function renderingOf(
  folder: string,
  resources: readonly Resource[],
  { idle, isWhole }: Built,
  { files, catalogue }: { readonly files: Files['files']; readonly catalogue: Catalogue },
): Rendering {
  const byFile = new Map<string, ManifestObject[]>();
  const objects = resources.flatMap((resource) => {
    const file = files.get(resource.uri);
    if (file === undefined) return [];
    const object = effectiveObject(resource, catalogue);
    const beside = byFile.get(resource.uri);
    if (beside === undefined) byFile.set(resource.uri, [object]);
    else beside.push(object);
    return [{ file, object, written: !resource.generated, writers: resource.writers }];
  });
  const applied = [...byFile].flatMap(([uri, each]) => {
    const file = files.get(uri);
    return file === undefined ? [] : [[uri, new AppliedFile(file, each)] as const];
  });
  const effective = new Map(applied);
  let index: WorkspaceIndex | undefined;
  return {
    folder,
    objects: objects.map(({ file, ...rest }) => ({ ...rest, file: effective.get(file.uri) ?? file })),
    files: effective,
    idle,
    isWhole,
    index: () => {
      if (index === undefined) {
        index = new WorkspaceIndex(undefined, true);
        for (const file of effective.values()) index.update(file.uri, undefined, file);
      }
      return index;
    },
  };
}
