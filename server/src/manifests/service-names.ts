/** Finds DNS names of Services in a text: `web.shop.svc`, `web.shop.svc.cluster.local`. */

import { misspelling } from '../text/misspelling.ts';
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

/** The host of a URL, or a host with a port, that may be a Service; spans are relative to the text. */
export interface Host {
  readonly service: Span;
  readonly namespace?: Span;
}

/** Matches the host of a URL with at most two labels, or a host with a port that is the whole text or the value of an option. */
const hostPattern =
  /(?::\/\/(?:[^\s/@'"]{1,100}@)?|^|=)([a-z](?:[a-z0-9-]{0,61}[a-z0-9])?)(?:\.([a-z](?:[a-z0-9-]{0,61}[a-z0-9])?))?(?=(:\d{2,5})?(?:[/?#\s'",;)\]}]|$))/g;

/** Returns the hosts in a text that may be Services: `http://backend`, `backend.shop:80`, `backend.shop.svc`. */
export function hostsIn(text: string): readonly Host[] {
  const qualified = serviceNamesIn(text).map(({ serviceSpan, namespaceSpan }) => ({
    service: serviceSpan,
    namespace: namespaceSpan,
  }));
  const found: Host[] = [...qualified];
  for (const { 0: whole, 1: service = '', 2: namespace, 3: port, index } of text.matchAll(hostPattern)) {
    const isUrl = whole.startsWith('://');
    if (service === 'localhost' || (!isUrl && port === undefined) || /^(?:com|org|net|io)$/.test(namespace ?? ''))
      continue;
    const end = index + whole.length - (namespace === undefined ? 0 : namespace.length + 1);
    const at = { start: end - service.length, end };
    found.push({
      service: at,
      ...(namespace !== undefined && { namespace: { start: end + 1, end: end + 1 + namespace.length } }),
    });
  }
  return found;
}

/** Returns the host that the value of a variable such as `SHOP_HOST` is. */
export function hostValue(variable: string, value: string): Host | undefined {
  if (!/[A-Za-z0-9](?:[_.-][Hh]ost(?:name)?|_HOST(?:NAME)?|Host(?:[Nn]ame)?)$/.test(variable)) return undefined;
  const [whole, service = '', namespace] = hostNamePattern.exec(value) ?? [];
  if (whole === undefined || service === 'localhost') return undefined;
  const end = service.length;
  return {
    service: { start: 0, end },
    ...(namespace !== undefined && { namespace: { start: end + 1, end: end + 1 + namespace.length } }),
  };
}

const hostNamePattern = /^([a-z](?:[a-z0-9-]{0,61}[a-z0-9])?)(?:\.([a-z](?:[a-z0-9-]{0,61}[a-z0-9])?))?$/;

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

/** The domain of Services in a cluster, unless the administrator chose another one. */
export const clusterDomain = 'cluster.local';

/** Returns the misspelled domains of Services in a text: `web.shop.svc.cluster.locl`. */
export function misspelledDomainsIn(text: string): readonly { readonly domain: string; readonly part: Span }[] {
  return [...text.matchAll(/\.svc\.([a-z]{5,9}\.?[a-z]{4,7})(?![\w.-])/g)].flatMap(({ 1: domain = '', index }) => {
    const likeness = domain === clusterDomain ? undefined : misspelling(clusterDomain, domain);
    const start = index + '.svc.'.length;
    return likeness === undefined ? [] : [{ domain, part: { start, end: start + domain.length } }];
  });
}

/** The maximum length of a DNS name. */
const longestName = 253;

export function serviceNameAt(text: string, offset: number): ServiceName | undefined {
  const around = { start: Math.max(0, offset - longestName), end: Math.min(text.length, offset + longestName) };
  if (!mayHoldServiceNames(text.slice(around.start, around.end))) return undefined;
  return serviceNamesIn(text, around).find(({ span }) => span.start <= offset && offset <= span.end);
}

/** Returns the host at an offset, if it is the host of a URL, or the whole value of a field with a port; undefined if there is none. */
export function hostAt(
  text: string,
  offset: number,
): { readonly service: string; readonly namespace?: string; readonly span: Span } | undefined {
  const around = text.slice(Math.max(0, offset - longestName), Math.min(text.length, offset + longestName));
  const at = Math.min(offset, longestName);
  // A line break or a quote ends the text around a host, and a blank ends a host.
  const start = Math.max(...['\n', '"', "'", ' '].map((end) => around.lastIndexOf(end, at - 1))) + 1;
  const length = around.slice(start).search(/[\s"']|$/);
  const line = around.slice(start, start + length);
  const host = hostsIn(line).find(({ service, namespace = service }) => {
    return start + service.start <= at && at <= start + namespace.end;
  });
  if (host === undefined) return undefined;
  const { service, namespace } = host;
  const from = offset - at + start;
  return {
    service: line.slice(service.start, service.end),
    ...(namespace && { namespace: line.slice(namespace.start, namespace.end) }),
    span: { start: from + service.start, end: from + (namespace ?? service).end },
  };
}
