/** Recognizes files that differ only in comments, in their notation, or in fields of GitOps objects that do not decide what these apply. */

import { isRecord } from '../../engine/structured.ts';
import { typedData } from '../../manifests/yaml/typed-data.ts';
import { documentTrees } from '../../workspace/object-trees.ts';
import type { Tree } from '../trees/tree.ts';

/** Comments that are read by tools. */
const meaningfulComments = /#@|\+argocd:|#!|\{\{/;

/** Fields of GitOps objects that decide when and how they apply their objects, but not what these are. */
const whenApplied: ReadonlySet<string> = new Set(
  'automated dependsOn driftDetection healthChecks healthCheckExprs ignoreDifferences info install interval project prune retry retryInterval revisionHistoryLimit rollback syncOptions timeout uninstall upgrade wait'.split(
    ' ',
  ),
);

const ofGitops = /^(?:[\w-]+\.toolkit\.fluxcd\.io|argoproj\.io)\//;

/** Whether a file that is in both trees contains the same data in both. */
export function hasSameData([before, after]: readonly [Tree, Tree], uri: string): boolean {
  const [was, is] = [dataIn(before, uri), dataIn(after, uri)];
  return was !== undefined && was === is;
}

/** Returns the data of a file as a text; undefined for templates. */
function dataIn({ side, session }: Tree, uri: string): string | undefined {
  const workspace = session.snapshot();
  const file = workspace.files.get(uri);
  const text = side.textOf(uri);
  if (file === undefined || text === undefined || meaningfulComments.test(text)) return undefined;
  if (file.template !== undefined || file.helm !== undefined || file.config !== undefined) return undefined;
  const documents = documentTrees({ text, workspace, uri }).map(typedData);
  return JSON.stringify(documents.map(withoutTimes));
}

/** Returns the data of an object without the fields that do not decide what a GitOps object applies. */
function withoutTimes(data: unknown): unknown {
  if (!isRecord(data) || typeof data['apiVersion'] !== 'string' || !ofGitops.test(data['apiVersion'])) return data;
  const spec = data['spec'];
  if (!isRecord(spec)) return data;
  const kept = Object.entries(spec).filter(([key]) => !whenApplied.has(key));
  const policy = spec['syncPolicy'];
  const rest = isRecord(policy)
    ? Object.fromEntries(Object.entries(policy).filter(([key]) => !whenApplied.has(key)))
    : {};
  return { ...data, spec: { ...Object.fromEntries(kept), syncPolicy: rest } };
}
