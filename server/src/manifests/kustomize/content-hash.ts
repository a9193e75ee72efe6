/** Computes the hash that kustomize appends to the name of a generated object. The content itself is not stored. */

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { childOf, itemsOf, type Node } from '../yaml/tree.ts';
import { writtenAt } from './kustomization-fields.ts';

/** Matches the keys that kustomize accepts. For all other keys, and for duplicate keys, `kustomize build` fails. */
const validKey = /^[-._A-Za-z0-9]{1,253}$/;

/** The content of a generated object, from which the hash is computed. The content itself is not stored. */
export interface Content {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly type: string;
  /** The text values by key; in a Secret, they are encoded in base64. */
  readonly data: ReadonlyMap<string, string>;
  /** The values that are not valid text, encoded in base64, by key. */
  readonly binary: ReadonlyMap<string, string>;
}

export interface Input {
  readonly path: string;
  /**
   * The key under which the whole file is stored; absent for an env file, in which each line contains a key and a
   * value.
   */
  readonly key?: string;
}

/** The bytes of a file, and their text if they are valid UTF-8. */
export interface FileContent {
  readonly bytes: Uint8Array;
  readonly text?: string;
}

/** Returns the hash of the content of a generator that reads no files; undefined if part of the content is unknown. */
export function contentHash(kind: Content['kind'], generator: Node): string | undefined {
  const content = contentOf(kind, generator, () => undefined);
  return content && hashOf(content);
}

/** Returns the files that a generator reads; undefined if some of them are unknown. */
export function inputsOf(generator: Node): readonly Input[] | undefined {
  const inputs: Input[] = [];
  for (const field of ['files', 'envs', 'env']) {
    const found = childOf(generator, field);
    if (found === undefined || (found.kind === 'scalar' && found.type === 'null')) continue;
    if (found.kind === 'map' || (found.kind === 'list' && found.open)) return undefined;
    for (const item of found.kind === 'list' ? found.items : [found]) {
      if (item.kind !== 'scalar' || item.pattern !== undefined || item.text === '') return undefined;
      const [key = '', path, ...more] = field === 'files' ? item.text.split('=') : ['', item.text];
      if (more.length > 0) return undefined;
      const name = path === undefined ? key.replace(/^.*\//s, '') : key;
      inputs.push({ path: path ?? key, ...(field === 'files' && { key: name }) });
    }
  }
  return inputs;
}

/** Returns the content of a generator, including the files that it reads; undefined if part of the content is unknown. */
export function contentOf(
  kind: Content['kind'],
  generator: Node,
  read: (path: string) => FileContent | undefined,
): Content | undefined {
  const inputs = inputsOf(generator);
  const literals = literalsOf(childOf(generator, 'literals'));
  const type = typeOf(generator);
  if (inputs === undefined || literals === undefined || type === undefined) return undefined;
  const entries: (readonly [key: string, content: FileContent])[] = literals.map(([key, text]) => [key, asBytes(text)]);
  for (const { path, key } of inputs) {
    const content = read(path);
    // The content is encrypted by SOPS. A GitOps controller decrypts it before kustomize computes the hash, so the hash
    // is unknown.
    if (content?.text?.includes('ENC[AES256_GCM,')) return undefined;
    const found = content && (key === undefined ? linesOf(content) : [[key, content] as const]);
    if (found === undefined) return undefined;
    for (const each of found) entries.push(each);
  }
  const data = new Map<string, string>();
  const binary = new Map<string, string>();
  for (const [key, { bytes, text }] of entries) {
    if (!validKey.test(key) || data.has(key) || binary.has(key)) return undefined;
    if (kind === 'Secret') data.set(key, base64Lines(bytes));
    else if (text === undefined) binary.set(key, base64Lines(bytes));
    else if (isChangedByYaml(text)) return undefined;
    else data.set(key, text);
  }
  return { kind, type, data, binary };
}

/** Returns the result of merging the content `above` of a generator into the earlier content `below`. */
export function mergedContent(below: Content, above: Content): Content {
  return {
    ...above,
    data: new Map([...below.data, ...above.data]),
    binary: new Map([...below.binary, ...above.binary]),
  };
}

/** Returns the hash of the content, which consists of the ten characters that kustomize appends to the name. */
export function hashOf({ kind, type, data, binary }: Content): string {
  // The JSON that kustomize hashes has an empty `name`, and an empty string instead of empty `data` of a ConfigMap.
  const written = data.size === 0 && kind === 'ConfigMap' ? '""' : json(data);
  const more = binary.size === 0 ? '' : `"binaryData":${json(binary)},`;
  const typed = kind === 'Secret' ? `,"type":${text(type)}` : '';
  return shortHash(`{${more}"data":${written},"kind":"${kind}","name":""${typed}}`);
}

function asBytes(text: string): FileContent {
  return { bytes: utf8ToBytes(text), text };
}

/** Returns the variables in an env file; undefined if a line contains only a name, because its value comes from the environment of kustomize. */
function linesOf({ text }: FileContent): readonly (readonly [string, FileContent])[] | undefined {
  const found: (readonly [string, FileContent])[] = [];
  for (const line of text?.replace(/^\u{FEFF}/u, '').split(/\r?\n/) ?? []) {
    const written = line.replace(/^\s+/, '');
    if (written === '' || written.startsWith('#')) continue;
    const equals = written.indexOf('=');
    if (equals === -1) return undefined;
    found.push([written.slice(0, equals), asBytes(written.slice(equals + 1))]);
  }
  return text === undefined ? undefined : found;
}

function typeOf(generator: Node): string | undefined {
  const type = writtenAt(generator, 'type');
  if (type === undefined) return 'Opaque';
  return typeof type.value === 'string' ? type.value : undefined;
}

/** Returns the keys and values of `key=value` items. */
function literalsOf(list: Node | undefined): readonly (readonly [key: string, text: string])[] | undefined {
  const data: (readonly [string, string])[] = [];
  if (list === undefined || (list.kind === 'scalar' && list.type === 'null')) return data;
  if (list.kind !== 'list' || list.open) return undefined;
  for (const item of itemsOf(list)) {
    if (item.kind !== 'scalar' || item.pattern !== undefined) return undefined;
    const equals = item.text.indexOf('=');
    const key = item.text.slice(0, Math.max(equals, 0));
    const value = withoutQuotes(item.text.slice(equals + 1));
    data.push([key, value]);
  }
  return data;
}

/** Returns the value of a literal without the quotes around it. */
export function withoutQuotes(text: string): string {
  const isQuoted = text.length > 1 && /^["']/.test(text) && text.endsWith(text.charAt(0));
  return isQuoted ? text.slice(1, -1) : text;
}

/** Whether a string changes when it is written as YAML and parsed again. kustomize does this before it computes the hash. */
function isChangedByYaml(text: string): boolean {
  return /[^\P{Cc}\t\n]|[\u{85}\u{2028}\u{2029}\u{FEFF}\p{Cs}]/u.test(text);
}

/** Returns JSON in the form that Go writes it: keys are in byte order, and characters with a special meaning in HTML are escaped. */
function json(data: ReadonlyMap<string, string>): string {
  const entries = [...data].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, value]) => `${text(key)}:${text(value)}`).join(',')}}`;
}

function text(value: string): string {
  return JSON.stringify(value).replace(/[<>&]/g, (found) => `\\u00${found.charCodeAt(0).toString(16)}`);
}

const base64Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const base64Line = 70;

/** Returns the base64 encoding of bytes, in lines of 70 characters if it is longer than one line. */
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

/** Returns the first ten hexadecimal digits of a SHA-256 hash. Some digits are replaced by letters as in kustomize, so that the result cannot form words. */
function shortHash(content: string): string {
  const letters: Readonly<Record<string, string>> = { 0: 'g', 1: 'h', 3: 'k', a: 'm', e: 't' };
  return [...bytesToHex(sha256(utf8ToBytes(content))).slice(0, 10)].map((letter) => letters[letter] ?? letter).join('');
}
