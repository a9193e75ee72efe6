/** Lists the policies that govern a workload, by purpose, with what each of them does. */

import { isOfPeer, type Purpose, purposeOf, purposes } from '../../engine/catalogue/purposes.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { admissionPoliciesOf } from '../../workspace/selection/admission-matches.ts';
import type { SelectingObject } from '../../workspace/selection/selecting-objects.ts';
import { group, objectLine } from '../presentation/object-lines.ts';
import { type Block, type Line, paragraph } from '../presentation/rich-text.ts';
import type { FileView } from '../view.ts';

interface Governing extends ObjectInFile {
  readonly purpose: Purpose;
  readonly does: string;
  readonly span: Span;
  readonly certain: boolean;
}

/** Returns the policies of several purposes that govern an object or its pods; none if all have one purpose that other lists show. */
export function governingPolicies(
  view: FileView,
  owner: ObjectInFile,
  selecting: readonly SelectingObject[],
): readonly Block[] {
  const found = [...selectorPolicies(selecting), ...admissionPolicies(view, owner)];
  const byObject = new Map<unknown, Governing>();
  for (const each of found) if (byObject.get(each.object)?.certain !== true) byObject.set(each.object, each);
  const policies = [...byObject.values()];
  const used = purposes.filter((purpose) => policies.some((each) => each.purpose === purpose));
  if (used.length < 2 && !used.includes('admission')) return [];
  const lines = used.flatMap((purpose) =>
    policies.filter((each) => each.purpose === purpose).map((each) => lineOf(view, each)),
  );
  const counts = used.map((purpose) => `${purpose} (${policies.filter((each) => each.purpose === purpose).length})`);
  const [, list] = group(view, '', lines, owner.object.kindSpan.start);
  const head = paragraph({ kind: 'strong', text: localize`Governed by` }, ` ${counts.join(', ')}`);
  return list === undefined ? [] : [head, list];
}

function lineOf(view: FileView, policy: Governing): Line {
  const may = policy.certain ? '' : localize`may apply: `;
  return [...objectLine(view, policy, policy.span), ` ${policy.purpose}: ${may}${policy.does}`];
}

function selectorPolicies(selecting: readonly SelectingObject[]): readonly Governing[] {
  return selecting.flatMap(({ file, object, site, certain, relation }): readonly Governing[] => {
    const found = relation === 'here' && !isOfPeer(site.path) ? purposeOf(object) : undefined;
    // The rules of admission policies are evaluated as a whole.
    if (found === undefined || object.admissionRules !== undefined) return [];
    return [{ file, object, ...found, span: site.keySpan, certain }];
  });
}

function admissionPolicies({ workspace, catalogue }: FileView, { file, object }: ObjectInFile): readonly Governing[] {
  return labeledObjectsOf(object).flatMap((labeledObject) =>
    admissionPoliciesOf(workspace, catalogue, { file, object, labeledObject }).flatMap(
      (policy): readonly Governing[] => {
        const found = purposeOf(policy.object);
        if (found === undefined) return [];
        const { certain, part } = policy;
        const does = part.does ?? found.does;
        return [{ file: policy.file, object: policy.object, ...found, does, span: part.span, certain }];
      },
    ),
  );
}
