/** The hover for the DNS name of a Service: the Service, and the objects that it selects. */

import { serviceNameAt } from '../../manifests/service-names.ts';
import { nameSpan } from '../../manifests/sites/object-sites.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { servicesMeant } from '../../workspace/services.ts';
import { keysOf } from '../locations.ts';
import { group, matchGroup, objectLine } from '../presentation/object-lines.ts';
import { paragraph, type RichText } from '../presentation/rich-text.ts';
import { selectedObjects } from '../selected/selected-objects.ts';
import type { FileView } from '../view.ts';

/** Describes the DNS name at an offset; undefined if there is none. */
export function aboutServiceName(
  view: FileView,
  offset: number,
): { readonly span: Span; readonly text: RichText } | undefined {
  const name = serviceNameAt(view.text, offset);
  if (name === undefined || !view.complete) return undefined;
  const { span, service, namespace } = name;
  const services = servicesMeant(view.workspace, view.catalogue, name);
  if (services.length === 0) {
    const code = { kind: 'code', text: service } as const;
    const where = { kind: 'code', text: namespace } as const;
    return {
      span,
      text: [paragraph(localize`No Service `, code, localize` in namespace `, where, localize` in this workspace.`)],
    };
  }
  const [only, ...others] = services;
  const lines = services.map((each) => objectLine(view, each, nameSpan(each.object)));
  const head = group(view, localize`DNS name of`, lines, span.start);
  if (only === undefined || others.length > 0) return { span, text: head };
  return { span, text: [...head, ...aboutSelectedBy(view, only, span.start)] };
}

/** Describes the objects that the given object selects; a truncated list links to the preview at `offset`. */
export function aboutSelectedBy(view: FileView, owner: ObjectInFile, offset: number): RichText {
  const { sites, matches, maybe, inCluster } = selectedObjects(view, owner);
  const keys = new Set(sites.flatMap((site) => [...keysOf(site)]));
  const selects = [
    ...matchGroup(view, 'Selects', matches, keys, offset),
    ...matchGroup(view, localize`May select`, maybe, keys, offset),
    ...matchGroup(view, localize`Selects in other GitOps objects of the cluster`, inCluster.matches, keys, offset),
    ...matchGroup(view, localize`May select in other GitOps objects of the cluster`, inCluster.maybe, keys, offset),
  ];
  if (selects.length > 0 || sites.length === 0 || owner.object.templates.length > 0) return selects;
  return [paragraph({ kind: 'strong', text: localize`Selects nothing` }, localize` in this workspace.`)];
}
