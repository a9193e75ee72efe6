/** The Service to which the host name under the cursor refers: `web.shop.svc`, or `web` and `web.shop` in a URL. */

import { objectAt } from '../../manifests/cursor/cursor-target.ts';
import { hostAt, serviceNameAt } from '../../manifests/service-names.ts';
import type { Span } from '../../text/span.ts';
import { isResolvedByPod } from '../../workspace/resolved-hosts.ts';
import { effectiveNamespace } from '../../workspace/selection/namespaces.ts';
import { type FoundService, servicesMeant, servicesNamed } from '../../workspace/services.ts';
import type { FileView } from '../view.ts';

export interface ServiceAt {
  readonly span: Span;
  readonly service: string;
  /** The namespace in the name or, for a name alone, that of its object; undefined if it is unknown. */
  readonly namespace: string | undefined;
  /** Whether the text is certainly the name of a Service, because it contains `.svc`. */
  readonly isQualified: boolean;
  readonly services: readonly FoundService[];
  /** The Services with this name in other namespaces, if the name alone does not refer to any. */
  readonly elsewhere: readonly FoundService[];
}

/** Returns the Services to which the host name at an offset may refer; undefined if there is no host name. */
export function serviceAt(view: FileView, offset: number): ServiceAt | undefined {
  const { workspace, catalogue, text, file } = view;
  const qualified = serviceNameAt(text, offset);
  const object = objectAt(file.manifest, offset);
  const isOther = (span: Span) => object !== undefined && isResolvedByPod({ ...view, uri: file.uri }, object, span);
  if (qualified !== undefined) {
    if (isOther(qualified.span)) return undefined;
    const services = servicesMeant(workspace, catalogue, qualified);
    return { ...qualified, isQualified: true, services, elsewhere: [] };
  }
  const host = hostAt(text, offset);
  if (host === undefined || isOther(host.span) || (host.namespace === undefined && object?.forCluster !== true))
    return undefined;
  const own = object && effectiveNamespace(workspace, catalogue, { file, object })?.value;
  const namespace = host.namespace ?? (typeof own === 'string' ? own : undefined);
  const named = servicesNamed(workspace, catalogue, host.service);
  const services =
    namespace === undefined
      ? named.filter((each) => each.namespace === undefined)
      : servicesMeant(workspace, catalogue, { service: host.service, namespace });
  const isElsewhere = services.length === 0 && host.namespace === undefined && namespace !== undefined;
  return { ...host, namespace, isQualified: false, services, elsewhere: isElsewhere ? named : [] };
}
