/** Finds DNS names of Services in a text: `web.shop.svc`, `web.shop.svc.cluster.local`. */

import type { Span } from '../text/span.ts';

export interface ServiceName {
  readonly service: string;
  readonly namespace: string;
  /** The span of the whole DNS name; the other two spans are those of the Service name and of the namespace. */
  readonly span: Span;
  readonly serviceSpan: Span;
  readonly namespaceSpan: Span;
}

/** Matches the DNS name of a Service. The two labels before `.svc` are the names of the Service and of its namespace; the name of a pod may precede them. */
const pattern =
  /([a-z](?:[a-z0-9-]{0,61}[a-z0-9])?)\.([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)\.svc(?:\.cluster\.local)?(?![\w-])/g;

/** Whether a text may contain DNS names of Services. */
export function mayHoldServiceNames(text: string): boolean {
  return text.includes('.svc');
}

/** Returns the DNS names of Services in a part of a text, except names that a placeholder may extend. */
export function serviceNamesIn(
  text: string,
  { start, end }: Span = { start: 0, end: text.length },
): readonly ServiceName[] {
  const found: ServiceName[] = [];
  for (const { 0: whole, 1: service = '', 2: namespace = '', index } of text.slice(start, end).matchAll(pattern)) {
    const from = start + index;
    // If one of these characters precedes the match, the match is part of a longer name or of a placeholder.
    if (/[\w}>)\]%$@-]/.test(text[from - 1] ?? '')) continue;
    const serviceSpan = { start: from, end: from + service.length };
    const namespaceSpan = { start: serviceSpan.end + 1, end: serviceSpan.end + 1 + namespace.length };
    found.push({ service, namespace, serviceSpan, namespaceSpan, span: { start: from, end: from + whole.length } });
  }
  return found;
}

/** The maximum length of a DNS name. */
const longestName = 253;

/** Returns the DNS name of a Service at an offset; undefined if there is none. */
export function serviceNameAt(text: string, offset: number): ServiceName | undefined {
  const around = { start: Math.max(0, offset - longestName), end: Math.min(text.length, offset + longestName) };
  if (!mayHoldServiceNames(text.slice(around.start, around.end))) return undefined;
  return serviceNamesIn(text, around).find(({ span }) => span.start <= offset && offset <= span.end);
}
