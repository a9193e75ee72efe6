/** Finds the Service that a DNS name without a Service was probably meant to name. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { misspelling, slightDifference } from '../../text/misspelling.ts';
import type { Span } from '../../text/span.ts';
import type { Workspace } from '../../workspace/model.ts';
import { identitiesIn, objectsNamed } from '../../workspace/references/names.ts';
import { type FoundService, servicesNamed, similarServiceNames } from '../../workspace/services.ts';
import { isTopLevelDomain } from './top-level-domains.ts';

interface Around {
  readonly workspace: Workspace;
  readonly catalogue: Catalogue;
}

/** A name of a Service with its namespace, which is in the text or that of the object. */
export interface NameInText {
  readonly service: string;
  readonly namespace: string;
  readonly serviceSpan: Span;
  readonly namespaceSpan: Span | undefined;
  /** Whether the name contains `.svc`, so that it is certainly that of a Service. */
  readonly isQualified: boolean;
}

/** The Service that was probably meant: the text at `part` should be `meant`. */
export interface Near {
  readonly part: Span;
  readonly meant: string;
  readonly closest: FoundService;
}

/** Returns the only Service with a similar name in the namespace, or the only Service with the name in a similar namespace. */
export function nearTo(context: Around, name: NameInText): Near | undefined {
  const { workspace, catalogue } = context;
  const { service, namespace, serviceSpan, namespaceSpan } = name;
  const named = servicesNamed(workspace, catalogue, service);
  if (named.length > 0) {
    // A Service with this name exists, so only its namespace can be misspelled; the namespace may also be set by a
    // different tool.
    const isNear = (each: FoundService) =>
      each.namespace !== undefined && isNearNamespace(context, name, each.namespace);
    const [closest, ...others] = named;
    if (closest === undefined || others.length > 0 || namespaceSpan === undefined || !isNear(closest)) return undefined;
    return { closest, part: namespaceSpan, meant: closest.namespace ?? namespace };
  }
  const near = similarServiceNames(workspace, service)
    .filter((other) => isEvident(service, other) || slightDifference(service, other) === 'swap')
    .flatMap((other) => servicesNamed(workspace, catalogue, other))
    .filter((each) => each.namespace === namespace);
  const [closest, ...others] = near;
  if (closest === undefined || others.length > 0) return undefined;
  return { closest, part: serviceSpan, meant: closest.object.name?.text ?? service };
}

/** Whether a namespace is probably a misspelling of the namespace of the only Service with the name. One letter of a short word is sufficient if nothing in the workspace is in the written namespace. */
function isNearNamespace(context: Around, { namespace, isQualified }: NameInText, actual: string): boolean {
  if (isEvident(namespace, actual)) return true;
  const difference = slightDifference(namespace, actual);
  if (difference === undefined || difference === 'plural' || (!isQualified && isTopLevelDomain(namespace)))
    return false;
  return !hasObjects(context, namespace) && objectsNamed(context.workspace, 'Namespace', namespace).length === 0;
}

function isEvident(wanted: string, actual: string): boolean {
  // The plural may be the name of another Service.
  if (wanted === `${actual}s` || actual === `${wanted}s`) return false;
  const likeness = misspelling(wanted, actual);
  return likeness === 'evident' || likeness === 'likely';
}

/** Whether an object of the workspace is in a namespace; otherwise, the word may be a part of a domain. */
export function hasObjects({ workspace }: Around, namespace: string): boolean {
  for (const [, identity] of identitiesIn(workspace)) if (identity.split('\n', 3)[2] === namespace) return true;
  return false;
}
