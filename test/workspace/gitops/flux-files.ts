/** Manifests of Flux for tests. */

import { catalogue } from '../../../server/src/engine/catalogue/index.ts';
import type { EffectiveObject } from '../../../server/src/workspace/model.ts';
import { root, workspaceOf } from '../kustomizations.ts';

export type Files = Readonly<Record<string, string>>;

/** A Flux Kustomization with further fields of its `spec`, as flow YAML. */
export function flux(name: string, spec: string, source = 'kind: GitRepository, name: flux-system'): string {
  return `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: ${name}, namespace: flux-system}
spec: {interval: 1m, sourceRef: {${source}}, ${spec}}
---
`;
}

/** A ConfigMap with further fields. */
export function configMap(name: string, more = ''): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n${more}---\n`;
}

/** The objects that the GitOps object at a path builds. */
export function builtBy(path: string, files: Files): readonly EffectiveObject[] {
  return workspaceOf(files).rendering(`${root}/${path}`, catalogue)?.objects ?? [];
}

/** The names of the objects that the GitOps object at a path builds. */
export function namesBuiltBy(path: string, files: Files): readonly string[] {
  return builtBy(path, files).map(({ object }) => object.name?.text ?? '');
}
