/** Answers whether one workload can reach another, or which workloads can reach it, in the cluster of the scope through which a file is seen. */

import { policiesIn } from '../../engine/index.ts';
import { nameSpan } from '../../manifests/sites/object-sites.ts';
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
import { objectLine } from '../presentation/object-lines.ts';
import { toPageMarkdown } from '../presentation/page-markdown.ts';
import { type Line, paragraph, type RichText } from '../presentation/rich-text.ts';
import type { FileView } from '../view.ts';
import { proofLines } from './proofs.ts';
import { aboutSources } from './reach-text.ts';

/** Returns the workloads of the cluster and, if `from` and `to` name two of them, a page with the proof; if only `to` names one, a page with all of its sources. Undefined for a file without a scope. */
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
    ...(target && from === undefined && { page: pageOfSources(view, name, cluster, target) }),
  };
}

/** Returns the page: the allowed ports in a sentence, and for the most informative ports the deciding rules. */
function pageOf(
  view: FileView,
  scope: string,
  cluster: Cluster,
  from: WorkloadEnd,
  to: WorkloadEnd,
): NonNullable<ReachResult['page']> {
  const shownPath = (uri: string) => relativePath(folderOf(view.file.uri), uri);
  const { allowed, unknown } = cluster.reachability.connections(from.peer, to.peer);
  const [, ...proofs] = proofLines({ shownPath, cluster, from, to }, undefined);
  const [source, target] = [workloadName(from.workload), workloadName(to.workload)];
  const title = localize`From ${from.workload.name} to ${to.workload.name}`;
  return {
    title: replaceControls(title),
    markdown: toPageMarkdown(
      [
        paragraph({ kind: 'strong', text: `${source} → ${target}` }),
        paragraph(localize`Allowed in ${scope}: ${connectionsText({ allowed, unknown })}.`),
        { kind: 'code', text: proofs.join('\n'), language: 'text' },
        ...policyLinks(view, cluster, from, to),
      ],
      view,
    ),
  };
}

/** Returns the page about all sources of a workload: those that may connect, with the deciding rules, and those that may not. */
function pageOfSources(
  view: FileView,
  scope: string,
  cluster: Cluster,
  to: WorkloadEnd,
): NonNullable<ReachResult['page']> {
  const { reachability } = cluster;
  const others = workloadEnds(cluster).filter(({ workload }) => workload !== to.workload);
  const denied = others.filter(({ peer }) => {
    const { allowed, unknown } = reachability.connections(peer, to.peer);
    return allowed === reachability.ports.none && unknown === reachability.ports.none;
  });
  const names = denied.map(({ workload }) => workloadName(workload)).toSorted();
  return {
    title: replaceControls(localize`Sources of ${to.workload.name}`),
    markdown: toPageMarkdown(
      [
        paragraph({ kind: 'strong', text: localize`Who can reach ${workloadName(to.workload)} in ${scope}` }),
        ...aboutSources(view, cluster, to),
        ...(names.length === 0
          ? []
          : [
              paragraph({ kind: 'strong', text: localize`Cannot connect` }, ` (${names.length})`),
              { kind: 'list' as const, lines: names.map((name): Line => [name]) },
            ]),
        ...policyLinks(view, cluster, undefined, to),
      ],
      view,
    ),
  };
}

/** Links to the policies that concern the egress of a source and the ingress of a target. */
function policyLinks(view: FileView, cluster: Cluster, from: WorkloadEnd | undefined, to: WorkloadEnd): RichText {
  const { reachability, policies } = cluster;
  const profiles = [
    ...(from === undefined ? [] : [reachability.policiesOn(from.peer, 'egress')]),
    reachability.policiesOn(to.peer, 'ingress'),
  ];
  const indexes = new Set(profiles.flatMap((profile) => policiesIn(profile).map(({ index }) => index)));
  const lines = [...indexes].flatMap((index) => {
    const where = policies[index]?.where;
    return where === undefined ? [] : [objectLine(view, where, nameSpan(where.object))];
  });
  return lines.length === 0 ? [] : [paragraph({ kind: 'strong', text: 'Policies' }), { kind: 'list', lines }];
}
