/** Resolves port names in fields: the ports of the pods or Services that the object of the field selects. */

import { podPart } from '../../manifests/label-sets.ts';
import type { ContainerPorts, ReferenceSite } from '../../manifests/model.ts';
import { nameSpan } from '../../manifests/sites/object-sites.ts';
import { childOf, itemsOf, type Node } from '../../manifests/yaml/tree.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import type { Match } from '../../workspace/selection/model.ts';
import type { FileSpan } from '../locations.ts';
import { objectName } from '../presentation/object-names.ts';
import { selectedObjects } from '../selected/selected-objects.ts';
import type { View } from '../view.ts';

/** Returns the names of the ports to which a field may refer, each with the object that declares the port. */
export function portsMeant(
  view: View,
  owner: ObjectInFile,
  site: ReferenceSite,
): readonly (readonly [name: string, of: string])[] {
  return selectedFor(view, owner, site).flatMap((match) => {
    const { object } = match;
    const services = (object.servicePorts ?? []).flatMap(({ name }) => name ?? []);
    return [...services, ...(portsOf(match)?.names ?? [])].map((name) => [name, objectName(object)] as const);
  });
}

/** Returns the positions of the port that a field names, or of its object if the position of the port is unknown. */
export function portLocations(view: View, owner: ObjectInFile, site: ReferenceSite): readonly FileSpan[] {
  return selectedFor(view, owner, site).flatMap((match): readonly FileSpan[] => {
    const { file, object } = match;
    const { names = [], network } = portsOf(match) ?? {};
    const isService = object.servicePorts?.some(({ name }) => name === site.name.text) === true;
    if (!isService && !names.includes(site.name.text)) return [];
    const spans = ['containers', 'initContainers'].flatMap((list) =>
      namedPorts(childOf(network, list), site.name.text),
    );
    return spans.length > 0 ? spans.map((span) => ({ file, span })) : [{ file, span: nameSpan(object) }];
  });
}

/** Returns the matches of the selectors of an object if the field names a port. */
function selectedFor(view: View, owner: ObjectInFile, { fact }: ReferenceSite): readonly Match[] {
  if (fact.part !== 'port') return [];
  const { matches, maybe, elsewhere, inCluster } = selectedObjects(view, owner);
  const [certain, possible] = [
    [...matches, ...inCluster.matches],
    [...maybe, ...inCluster.maybe],
  ];
  if (certain.length > 0) return certain;
  return possible.length > 0 ? possible : elsewhere;
}

function portsOf({ object, labeledObject }: Match): ContainerPorts | undefined {
  return podPart(object, labeledObject)?.ports;
}

function namedPorts(containers: Node | undefined, name: string) {
  return itemsOf(containers)
    .flatMap((container) => itemsOf(childOf(container, 'ports')))
    .flatMap((port) => {
      const found = childOf(port, 'name');
      return found?.kind === 'scalar' && found.text === name && found.origin === undefined ? [found.span] : [];
    });
}
