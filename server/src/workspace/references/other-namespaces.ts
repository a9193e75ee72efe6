/** Finds the namespace that was probably intended in a reference of Flux: the only one in which an object has the name. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { ReferenceSite } from '../../manifests/model.ts';
import { targetKinds } from '../../manifests/sites/references.ts';
import { renderingsBeside } from '../kustomize/built-elsewhere.ts';
import { nameTerm } from '../kustomize/rendering-terms.ts';
import type { ObjectInFile, Rendering, Workspace } from '../model.ts';
import { areInCluster } from '../scopes/cluster.ts';
import { isEdited } from '../scopes/model.ts';
import { placeOf } from '../scopes/scope-facts.ts';
import { filesThatName, namesByKind } from './names.ts';
import { isFlux, mayBeUnknown, type NearName } from './near-names.ts';
import { targetsOf } from './targets.ts';

/**
 * Returns the object with the name in a reference, if it is certainly applied to the same cluster, but to another namespace,
 * and no object with this name may be in the namespace of the reference. Returns undefined if several namespaces contain such
 * an object, or if another object refers to the name in the same namespace.
 */
export function nameInOtherNamespace(
  workspace: Workspace,
  catalogue: Catalogue,
  from: ObjectInFile,
  site: ReferenceSite,
): NearName | undefined {
  if (!isFlux(from.object)) return undefined;
  const [wanted, ...others] = targetKinds(site, catalogue);
  const name = site.name.text;
  const home = (site.namespace ?? from.object.namespace)?.value;
  const isOfFlux = wanted?.group?.endsWith('.toolkit.fluxcd.io') === true;
  if (wanted === undefined || others.length > 0 || !isOfFlux || typeof home !== 'string') return undefined;
  const { kind } = wanted;
  const [first, ...more] = namesByKind(workspace).get(kind)?.get(name) ?? [];
  const namespace = first?.namespace ?? '';
  if (namespace === '' || namespace === home || more.some((each) => each.namespace !== namespace)) return undefined;
  workspace.questions?.note({ about: 'anything' });
  if (targetsOf(workspace, catalogue, from, site).length > 0 || isNamedBeside(workspace, from, site, home))
    return undefined;
  if (mayBeUnknown(workspace, from, site)) return undefined;
  const there = { ...site, namespace: { ...(site.namespace ?? site.name), text: namespace, value: namespace } };
  const place = placeOf(from);
  const target = targetsOf(workspace, catalogue, from, there).find(
    ({ file, object, answer }) =>
      object !== undefined &&
      answer === 'yes' &&
      areInCluster(workspace.scopes(), place, placeOf({ file, object }), { object }),
  );
  if (target === undefined || mayBeElsewhere(workspace, catalogue, from, { kind, name, namespace })) return undefined;
  return { kind, name, namespace, target };
}

/** Whether another object refers to the name in the same namespace. */
function isNamedBeside(workspace: Workspace, { file, object }: ObjectInFile, site: ReferenceSite, home: string) {
  const isSame = ({ name, namespace, fact }: ReferenceSite, own: string | undefined) =>
    name.text === site.name.text &&
    fact.targets[0]?.kind === site.fact.targets[0]?.kind &&
    (namespace?.text ?? own) === home;
  return filesThatName(workspace, site.name.text).some((uri) =>
    workspace.files.get(uri)?.manifest.objects.some((other) => {
      if (uri === file.uri && other.span.start === object.span.start) return false;
      return other.references?.some((each) => isSame(each, other.namespace?.text));
    }),
  );
}

/** Whether a scope that may share the cluster may build an object with the name in another namespace. */
function mayBeElsewhere(
  workspace: Workspace,
  catalogue: Catalogue,
  from: ObjectInFile,
  wanted: { readonly kind: string; readonly name: string; readonly namespace: string },
): boolean {
  const own = workspace.scopes().of(placeOf(from)).filter(isEdited);
  const term = nameTerm(wanted.name);
  const isOther = ({ object }: Rendering['objects'][number]) =>
    object.kind === wanted.kind && object.name?.text === wanted.name && object.namespace?.value !== wanted.namespace;
  const mayBuild = (rendering: Rendering | undefined) => rendering === undefined || rendering.objects.some(isOther);
  if (own.some(({ path }) => mayBuild(workspace.rendering(path, catalogue)))) return true;
  for (const rendering of renderingsBeside(workspace, catalogue, from, { isWanted: (terms) => terms.has(term) }))
    if (mayBuild(rendering)) return true;
  return false;
}
