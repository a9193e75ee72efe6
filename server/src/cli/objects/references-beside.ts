/** Finds the references to an applied object in the objects that other GitOps objects apply to its cluster. */

import { targetKinds } from '../../manifests/sites/references.ts';
import type { Session } from '../../session.ts';
import { appliedBeside } from '../../workspace/kustomize/view.ts';
import type { ReferenceInFile } from '../../workspace/references/model.ts';
import { createsTarget } from '../../workspace/references/producers.ts';
import { storedNamespace } from '../../workspace/selection/namespaces.ts';
import type { AppliedObject } from './applied-objects.ts';

/** Returns the references of other GitOps objects to the applied name of an object, which may differ from its written name. */
export function referencesBeside(
  session: Session,
  { builtBy, file, object: named }: AppliedObject,
): readonly ReferenceInFile[] {
  const snapshot = session.snapshot();
  const catalogue = session.workspace.catalogueOf(file.uri);
  const [wanted, home] = [named.name?.value, storedNamespace(catalogue, { object: named })];
  if (builtBy === undefined || typeof wanted !== 'string') return [];
  const found: ReferenceInFile[] = [];
  for (const { workspace, rendering } of appliedBeside(snapshot, catalogue, [builtBy])) {
    for (const { file: place, object } of rendering.objects) {
      const from = workspace.files.get(place.uri);
      for (const site of from === undefined ? [] : (object.references ?? [])) {
        if (site.name.value !== wanted || createsTarget(object, site)) continue;
        const namespace = site.namespace?.value ?? storedNamespace(catalogue, { object });
        if (home !== undefined && namespace !== undefined && namespace !== home) continue;
        const isMeant = targetKinds(site, catalogue).some(
          ({ group = named.group, kind }) => kind === named.kind && group === named.group,
        );
        if (!isMeant || from === undefined) continue;
        const isCertain = object.conditions === undefined && namespace === home;
        found.push({ file: from, object, site, relation: 'elsewhere', answer: isCertain ? 'yes' : 'maybe' });
      }
    }
  }
  return found;
}

/** Returns references, and those of others that are at none of their positions. */
export function withOthers(
  references: readonly ReferenceInFile[],
  others: readonly ReferenceInFile[],
): readonly ReferenceInFile[] {
  const keyOf = ({ file, site }: ReferenceInFile) => `${file.uri} ${site.name.span.start}`;
  const known = new Set(references.map(keyOf));
  return [...references, ...others.filter((each) => !known.has(keyOf(each)))];
}
