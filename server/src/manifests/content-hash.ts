/** Which hash does kustomize put behind the name of a generated object? That of its content, of which nothing is kept. */

import { sha256, utf8 } from '../text/sha256.ts';
import { itemsOf, writtenAt } from './kustomization-fields.ts';
import { childOf, type Node } from './tree.ts';

/** Keys that kustomize takes; it stops at all others, and where one is there twice. */
const validKey = /^[-._A-Za-z0-9]{1,253}$/;

/** The hash of what a generator writes; undefined where not all of it is known. */
export function contentHash(kind: 'ConfigMap' | 'Secret', generator: Node): string | undefined {
  if (readsFiles(generator)) return undefined;
  const data = literalsOf(childOf(generator, 'literals'));
  const type = typeOf(generator);
  if (data === undefined || type === undefined) return undefined;
  // The name is there, and is always empty.
  if (kind === 'ConfigMap')
    return shortHash(`{"data":${data.size === 0 ? '""' : json(data)},"kind":"ConfigMap","name":""}`);
  const encoded = new Map([...data].map(([key, value]) => [key, base64Lines(utf8(value))]));
  return shortHash(`{"data":${json(encoded)},"kind":"Secret","name":"","type":${text(type)}}`);
}

function readsFiles(generator: Node): boolean {
  return ['files', 'envs', 'env'].some((field) => {
    const found = childOf(generator, field);
    return found !== undefined && !(found.kind === 'list' && found.items.length === 0 && !found.open);
  });
}

function typeOf(generator: Node): string | undefined {
  const type = writtenAt(generator, 'type');
  if (type === undefined) return 'Opaque';
  return typeof type.value === 'string' ? type.value : undefined;
}

/** The data that `key=value` lines stand for. */
function literalsOf(list: Node | undefined): ReadonlyMap<string, string> | undefined {
  const data = new Map<string, string>();
  if (list === undefined || (list.kind === 'scalar' && list.type === 'null')) return data;
  if (list.kind !== 'list' || list.open) return undefined;
  for (const item of itemsOf(list)) {
    if (item.kind !== 'scalar' || item.pattern !== undefined) return undefined;
    const equals = item.text.indexOf('=');
    const key = item.text.slice(0, Math.max(equals, 0));
    const value = withoutQuotes(item.text.slice(equals + 1));
    if (!validKey.test(key) || data.has(key) || isChangedByYaml(value)) return undefined;
    data.set(key, value);
  }
  return data;
}

function withoutQuotes(text: string): string {
  const isQuoted = text.length > 1 && /^["']/.test(text) && text.endsWith(text.charAt(0));
  return isQuoted ? text.slice(1, -1) : text;
}

/** Kustomize writes its data as YAML once before it takes the hash, which does not keep every kind of line end. */
function isChangedByYaml(text: string): boolean {
  return /[\r\u{85}\u{2028}\u{2029}\u{FEFF}\p{Cs}]/u.test(text);
}

/** As Go writes JSON: keys by their bytes, and what HTML would heed escaped. */
function json(data: ReadonlyMap<string, string>): string {
  const entries = [...data].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, value]) => `${text(key)}:${text(value)}`).join(',')}}`;
}

function text(value: string): string {
  return JSON.stringify(value).replace(/[<>&]/g, (found) => `\\u00${found.charCodeAt(0).toString(16)}`);
}

const base64Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const base64Line = 70;

/** In lines where one does not hold it. */
function base64Lines(bytes: Uint8Array): string {
  let encoded = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(at, at + 3);
    const bits = (a << 16) | (b << 8) | c;
    const letters = [18, 12, 6, 0].map((shift) => base64Letters[(bits >> shift) & 63] ?? '').join('');
    encoded += letters.slice(0, Math.min(bytes.length - at, 3) + 1).padEnd(4, '=');
  }
  if (encoded.length < base64Line) return encoded;
  return (encoded.match(/.{1,70}/g) ?? []).map((line) => `${line}\n`).join('');
}

/** Ten letters that spell nothing. */
function shortHash(content: string): string {
  const letters: Readonly<Record<string, string>> = { 0: 'g', 1: 'h', 3: 'k', a: 'm', e: 't' };
  return [...sha256(utf8(content)).slice(0, 10)].map((letter) => letters[letter] ?? letter).join('');
}
