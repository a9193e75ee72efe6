/** What do all files together say? An immutable picture; a change makes a new one that shares what did not change. */

import type { Catalogue } from '../engine/catalogue/types.ts';
import { carriersOf } from '../manifests/carriers.ts';
import { isKustomizationName, type Kustomization, readKustomization } from '../manifests/kustomization.ts';
import type { Carrier, Manifest, ManifestObject } from '../manifests/manifest.ts';
import { readManifest } from '../manifests/read.ts';
import { type LineTable, lineTable } from '../text/lines.ts';
import { findScopes, type Scopes } from './scopes.ts';
import { nameOf } from './uri.ts';

/** What the workspace keeps of a file: facts and where its lines begin, not its text. */
export interface WorkspaceFile {
  /** Canonical. */
  readonly uri: string;
  readonly manifest: Manifest;
  readonly lines: LineTable;
  readonly kustomization?: Kustomization;
  /** It is a `Chart.yaml`. */
  readonly chart: boolean;
}

/** An object and the file it is written in. */
export interface ObjectInFile {
  readonly file: WorkspaceFile;
  readonly object: ManifestObject;
}

export interface CarrierInFile extends ObjectInFile {
  readonly carrier: Carrier;
}

export interface Workspace {
  readonly files: ReadonlyMap<string, WorkspaceFile>;
  /** Which files are applied together. */
  scopes(): Scopes;
  /** Everything that selectors over a kind can match; the key is `kindKey`'s. */
  carriers(target: string): readonly CarrierInFile[];
  /** The keys of all kinds that `carriers` knows. */
  targets(): Iterable<string>;
}

/** Reads the text of one file (without a byte order mark). */
export function readFile(uri: string, text: string, catalogue: Catalogue): WorkspaceFile {
  const name = nameOf(uri);
  const isKustomization = isKustomizationName(name);
  return {
    uri,
    manifest: readManifest(text, catalogue),
    lines: lineTable(text),
    ...(isKustomization && { kustomization: readKustomization(text) }),
    chart: name === 'Chart.yaml',
  };
}

export const emptyWorkspace: Workspace = pictureOf(new Map());

/** The picture with some files read anew, and those that are `undefined` gone. */
export function withFiles(
  workspace: Workspace,
  changes: Iterable<readonly [uri: string, file: WorkspaceFile | undefined]>,
): Workspace {
  const files = new Map(workspace.files);
  for (const [uri, file] of changes) {
    if (file === undefined) files.delete(uri);
    else files.set(uri, file);
  }
  return pictureOf(files);
}

/** `apps/Deployment`, `/Pod`. */
export function kindKey(type: { readonly group: string; readonly kind: string }): string {
  return `${type.group}/${type.kind}`;
}

function pictureOf(files: ReadonlyMap<string, WorkspaceFile>): Workspace {
  let scopes: Scopes | undefined;
  let carriers: ReadonlyMap<string, readonly CarrierInFile[]> | undefined;
  const index = () => {
    carriers ??= allCarriers(workspace);
    return carriers;
  };
  const workspace: Workspace = {
    files,
    scopes: () => {
      scopes ??= findScopes(files);
      return scopes;
    },
    carriers: (target) => index().get(target) ?? [],
    targets: () => index().keys(),
  };
  return workspace;
}

function allCarriers(workspace: Workspace): ReadonlyMap<string, readonly CarrierInFile[]> {
  const byTarget = new Map<string, CarrierInFile[]>();
  for (const file of workspace.files.values()) {
    for (const object of objectsOf(workspace, file)) {
      for (const carrier of carriersOf(object)) {
        const key = kindKey(carrier.target);
        const known = byTarget.get(key);
        if (known === undefined) byTarget.set(key, [{ file, object, carrier }]);
        else known.push({ file, object, carrier });
      }
    }
  }
  return byTarget;
}

/** The objects of a file that reach the cluster: none of a patch, none of a tool's configuration. */
export function objectsOf(workspace: Workspace, file: WorkspaceFile): readonly ManifestObject[] {
  if (file.manifest.objects.length === 0 || workspace.scopes().isPatch(file.uri)) return [];
  return file.manifest.objects.filter((object) => object.forCluster);
}
