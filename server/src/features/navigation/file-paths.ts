/** Finds the paths to files and folders of the workspace in commands, kustomizations, charts and GitOps objects. Links, definitions, references and hovers for paths are based on them. */

import { dependencyPaths } from '../../manifests/helm/chart-file.ts';
import { wordSpan } from '../../manifests/inline/command-arguments.ts';
import { isRemote } from '../../manifests/kustomize/kustomization.ts';
import type { PathReference } from '../../manifests/kustomize/model.ts';
import { type Span, touches } from '../../text/span.ts';
import { pathCandidates } from '../../workspace/command-paths.ts';
import { isInWorkspace, kustomizationIn, pathsOf } from '../../workspace/kustomize/kustomization-paths.ts';
import type { Workspace, WorkspaceFile } from '../../workspace/model.ts';
import { folderOf } from '../../workspace/uri.ts';
import { gitopsPaths } from '../selected/gitops-objects.ts';
import type { FileView } from '../view.ts';

export interface FilePath {
  readonly span: Span;
  /** The URIs to which the path may refer, the most likely first; all of them are in the workspace folders. */
  readonly candidates: readonly string[];
}

/** The maximum number of paths in a file. */
const maximumPaths = 1000;

/** Returns the paths in the open file, including paths to files that do not exist. */
export function filePaths(view: FileView): readonly FilePath[] {
  const { workspace, file, text } = view;
  return [
    ...pathsFrom(workspace, folderOf(file.uri), file.kustomization === undefined ? [] : pathsOf(file.kustomization)),
    ...(file.chart === undefined ? [] : pathsFrom(workspace, folderOf(file.uri), dependencyPaths(text))),
    ...gitopsPaths(view),
    ...(file.manifest.words ?? [])
      .filter(({ is }) => is === 'path')
      .slice(0, maximumPaths)
      .map((word) => ({
        span: wordSpan(word),
        candidates: pathCandidates(workspace, file.uri, word.letters.text),
      })),
  ].slice(0, maximumPaths);
}

/** Returns the path at an offset of the open file. */
export function filePathAt(view: FileView, offset: number): FilePath | undefined {
  return filePaths(view).find(({ span }) => touches(span, offset));
}

/** Resolves paths relative to a folder. Remote paths and paths outside of the workspace are left out. */
function pathsFrom(workspace: Workspace, folder: string, references: readonly PathReference[]): readonly FilePath[] {
  return references.slice(0, maximumPaths).flatMap(({ path, span }) => {
    const target = isRemote(path) ? undefined : workspace.at(folder, path);
    return target === undefined || !isInWorkspace(workspace, target) ? [] : [{ span, candidates: [target] }];
  });
}

/** Returns the file at a path or, for a folder, its kustomization or `Chart.yaml`; undefined if it is not indexed. */
export function fileAtPath(workspace: Workspace, { candidates }: FilePath): WorkspaceFile | undefined {
  for (const uri of candidates) {
    const file =
      workspace.files.get(uri) ?? kustomizationIn(workspace, uri) ?? workspace.files.get(`${uri}/Chart.yaml`);
    if (file !== undefined) return file;
  }
  return undefined;
}
