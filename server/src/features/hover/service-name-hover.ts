/** The hover for the DNS name of a Service: the Service, and the objects that it selects. */

import { nameSpan } from '../../manifests/sites/object-sites.ts';
import { nearTo } from '../../rules/helpers/near-services.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { keysOf } from '../locations.ts';
import { group, matchGroup, objectLine, selectedInCluster } from '../presentation/object-lines.ts';
import { type Block, inlineCode, type Line, paragraph, type RichText } from '../presentation/rich-text.ts';
import { type ServiceAt, serviceAt } from '../references/service-at.ts';
import { selectedObjects } from '../selected/selected-objects.ts';
import type { FileView } from '../view.ts';
import { noneSelected } from './object-hover.ts';

/** Describes the DNS name at an offset; undefined if there is none. */
export function aboutServiceName(
  view: FileView,
  offset: number,
): { readonly span: Span; readonly text: RichText } | undefined {
  const found = view.complete ? serviceAt(view, offset) : undefined;
  if (found === undefined) return undefined;
  const { span, services, elsewhere } = found;
  if (services.length === 0) {
    const missing = found.isQualified || elsewhere.length > 0 ? [aboutMissing(view, found)] : [];
    const lines = elsewhere.map((each) => objectLine(view, each, nameSpan(each.object)));
    const others = lines.length === 0 ? [] : group(view, localize`In other namespaces`, lines, span.start);
    return missing.length === 0 ? undefined : { span, text: [...missing, ...others] };
  }
  const [only, ...others] = services;
  const lines = services.map((each) => objectLine(view, each, nameSpan(each.object)));
  const head = group(view, localize`DNS name of`, lines, span.start);
  if (only === undefined || others.length > 0) return { span, text: head };
  return { span, text: [...head, ...aboutSelectedBy(view, only, span.start)] };
}

/** States that a Service does not exist in the namespace of a name, and how a name refers to another namespace, or which Service was probably meant. */
function aboutMissing(view: FileView, found: ServiceAt): Block {
  const { service, namespace = '', elsewhere } = found;
  const [code, where] = [inlineCode(service), inlineCode(namespace)];
  const [other, ...others] = new Set(elsewhere.map((each) => each.namespace));
  const advice =
    other === undefined || others.length > 0
      ? []
      : [localize` A name alone refers to its own namespace: write `, inlineCode(`${service}.${other}`), '.'];
  return paragraph(
    localize`No Service `,
    code,
    localize` in namespace `,
    where,
    localize` in the indexed files.`,
    ...advice,
    ...(advice.length === 0 ? meantBy(view, found) : []),
  );
}

/** Names the Service with a similar name that was probably meant. */
function meantBy(view: FileView, { service, namespace = '', span, isQualified }: ServiceAt): Line {
  const near = nearTo(view, { service, namespace, serviceSpan: span, namespaceSpan: span, isQualified });
  if (near === undefined) return [];
  const { object, namespace: home = namespace } = near.closest;
  return [localize` Did you mean `, inlineCode(`${object.name?.text ?? ''}.${home}`), '?'];
}

/** Describes the objects that the given object selects; a truncated list links to the preview at `offset`. */
export function aboutSelectedBy(view: FileView, owner: ObjectInFile, offset: number): RichText {
  const { sites, matches, maybe, inCluster, lead } = selectedObjects(view, owner);
  const suffix = lead === undefined ? '' : localize` in ${lead.name}`;
  const keys = new Set(sites.flatMap((site) => [...keysOf(site)]));
  const selects = [
    ...matchGroup(view, `Selects${suffix}`, matches, keys, offset),
    ...matchGroup(view, localize`May select${suffix}`, maybe, keys, offset),
    ...selectedInCluster(view, inCluster, suffix, keys, offset),
  ];
  if (selects.length > 0 || sites.length === 0 || owner.object.templates.length > 0) return selects;
  return noneSelected(view, owner, sites);
}
