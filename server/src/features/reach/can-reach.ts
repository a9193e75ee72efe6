/** Answers whether one workload can reach another, in the cluster of the scope through which a file is seen. */

import type { ReachResult } from '../../protocol.ts';
import { replaceControls } from '../../text/control-characters.ts';
import { localize } from '../../text/localize.ts';
import { clusterOfScope } from '../../workspace/reach/applied-clusters.ts';
import type { Cluster } from '../../workspace/reach/cluster.ts';
import { type WorkloadEnd, workloadEnds, workloadName } from '../../workspace/reach/endpoints.ts';
import { connectionsText } from '../../workspace/reach/sentences.ts';
import { isSameObject } from '../../workspace/same-object.ts';
import { leadFirst } from '../../workspace/scopes/perspective.ts';
import { scopeName } from '../../workspace/scopes/scope-names.ts';
import { folderOf, relativePath } from '../../workspace/uri.ts';
import { paragraph, toMarkdown } from '../presentation/rich-text.ts';
import type { FileView } from '../view.ts';
import { proofLines } from './proofs.ts';

/** Returns the workloads of the cluster and, if `from` and `to` name two of them, a page with the proof. Undefined for a file without a scope. */
export function canReach(
  view: FileView,
  offset: number,
  { from, to }: { readonly from?: string; readonly to?: string },
): ReachResult | undefined {
  const { workspace, file } = view;
  const scopes = workspace.scopes().ofFile(file.uri);
  const [lead] = leadFirst(
    scopes.map((scope) => ({ scope })),
    view.perspective,
  );
  if (lead === undefined) return undefined;
  const cluster = clusterOfScope(workspace, view.catalogue, lead.scope);
  const ends = workloadEnds(cluster);
  const here = ends.find(({ workload: { where } }) => {
    const { span } = where.object;
    return isSameObject(where, { file, object: where.object }) && span.start <= offset && offset <= span.end;
  });
  const [source, target] = [from, to].map((name) => ends.find(({ workload }) => workloadName(workload) === name));
  const name = scopeName(lead.scope, scopes.length > 1 ? scopes : workspace.scopes().all());
  return {
    scope: name,
    workloads: ends.map(({ workload }) => workloadName(workload)).toSorted(),
    ...(here && { here: workloadName(here.workload) }),
    ...(source && target && source !== target && { page: pageOf(view, name, cluster, source, target) }),
  };
}

/** Returns the page: the allowed ports in a sentence, and for the most informative ports the deciding rules. */
function pageOf(
  { file }: FileView,
  scope: string,
  cluster: Cluster,
  from: WorkloadEnd,
  to: WorkloadEnd,
): NonNullable<ReachResult['page']> {
  const shownPath = (uri: string) => relativePath(folderOf(file.uri), uri);
  const { allowed, unknown } = cluster.reachability.connections(from.peer, to.peer);
  const [, ...proofs] = proofLines({ shownPath, cluster, from, to }, undefined);
  const [source, target] = [workloadName(from.workload), workloadName(to.workload)];
  const title = localize`From ${from.workload.name} to ${to.workload.name}`;
  return {
    title: replaceControls(title),
    markdown: toMarkdown([
      paragraph({ kind: 'strong', text: `${source} → ${target}` }),
      paragraph(localize`Allowed in ${scope}: ${connectionsText({ allowed, unknown })}.`),
      { kind: 'code', text: proofs.join('\n'), language: 'text' },
      paragraph(localize`Paths are relative to the folder of the open file.`),
    ]),
  };
}
