/** Finds the workloads that an object selects, such as the workloads behind a Service, or the policy rules that allow traffic to a workload. */

import { policiesIn } from '../../engine/index.ts';
import { cursorAt, objectAt } from '../../manifests/cursor/cursor-target.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { nameSpan } from '../../manifests/sites/object-sites.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { ruleAt } from '../../workspace/reach/policy-parts.ts';
import { type FileSpan, isWritten, objectKey } from '../locations.ts';
import { clusterAround, workloadsAt } from '../reach/cluster-around.ts';
import { principalSite } from '../selected/principal-site.ts';
import type { FileView } from '../view.ts';
import { bestMatches } from './definition.ts';

/** Returns the objects that the selector at an offset, or the principal selector of the object there, matches; for a workload, the policy rules that allow traffic to it. */
export function implementation(view: FileView, offset: number): readonly FileSpan[] {
  const cursor = cursorAt(view.file.manifest, view.text, offset);
  const object = cursor?.object ?? undefined;
  if (cursor === undefined || object === undefined) return [];
  const rules = cursor.kind === 'object' ? allowingRules(view, object) : [];
  if (rules.length > 0) return rules;
  const site = cursor.kind === 'selector' ? cursor.site : principalSite(objectAt(view.file.manifest, offset) ?? object);
  if (site === undefined) return [];
  const found = bestMatches(view, { file: view.file, object }, site);
  const objects = new Map(found.filter(isWritten).map((match) => [objectKey(match), match]));
  return [...objects.values()].map(({ file, object }) => ({ file, span: nameSpan(object), around: object.span }));
}

/** Returns the policy rules that allow traffic to the pods of a workload; empty if no policy isolates them. */
function allowingRules(view: FileView, object: ManifestObject): readonly FileSpan[] {
  if (object.templates.length === 0 && object.ports === undefined) return [];
  const cluster = clusterAround(view, object);
  if (cluster === undefined) return [];
  return workloadsAt(view, cluster, object).flatMap(({ peer }) => {
    return policiesIn(cluster.reachability.policiesOn(peer, 'ingress')).flatMap(({ policy, index }) => {
      const where = cluster.policies[index]?.where;
      const allowing = policy.ingress.rules.filter(({ action }) => action === 'Accept');
      return where === undefined
        ? []
        : allowing.flatMap((rule) => positionOfRule(view, where, rule.index, policy.inSpecs));
    });
  });
}

function positionOfRule(
  view: FileView,
  where: ObjectInFile,
  index: number,
  inSpecs: number | undefined,
): readonly FileSpan[] {
  const part = ruleAt(where.object, 'ingress', index, { inSpecs });
  if (part === undefined) return [];
  const { origin } = part;
  const file = origin === undefined ? where.file : view.workspace.files.get(origin.uri);
  if (file === undefined) return [];
  const span = origin?.span ?? { start: part.at, end: part.at + 1 };
  return [{ file, span }];
}
