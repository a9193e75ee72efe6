/** The state of the playground as the fragment of a URL, which browsers never send to a server. */

import { type Example, examples } from './examples.ts';
import {
  filesIn,
  maximumFiles,
  maximumLength,
  normalizedPath,
  type PlaygroundFile,
  type PlaygroundState,
  panels,
} from './model.ts';

/** Returns the state as compressed text for the fragment. */
export async function linkTo(state: PlaygroundState): Promise<string> {
  return `state=${await packed(JSON.stringify(state))}`;
}

/**
 * Returns the state in a fragment: `example=NAME`, `manifests=TEXT` with an optional `selector`, or `state=` with the
 * compressed state. Anything that is not valid is ignored; undefined if nothing is left.
 */
export async function stateIn(fragment: string): Promise<PlaygroundState | undefined> {
  const given = new URLSearchParams(fragment);
  const compressed = given.get('state');
  if (compressed !== null) {
    const text = await unpacked(compressed).catch(() => undefined);
    return text === undefined ? undefined : validState(text);
  }
  const manifests = given.get('manifests');
  if (manifests !== null) {
    const files = filesIn(manifests.slice(0, maximumLength)).slice(0, maximumFiles);
    const selector = given.get('selector');
    if (files.length > 0) return { files, ...(selector !== null && { selector }) };
  }
  return exampleNamed(given.get('example'))?.state;
}

export function exampleNamed(name: string | null): Example | undefined {
  return examples.find((each) => each.name === name);
}

function validState(text: string): PlaygroundState | undefined {
  const given = recordOf(parsed(text));
  const files = listOf(given['files']).flatMap(validFile).slice(0, maximumFiles);
  if (files.length === 0) return undefined;
  const open = files.find(({ path }) => path === given['open'])?.path;
  const panel = panels.find((each) => each === given['panel']);
  const selector = given['selector'];
  return {
    files,
    ...(open !== undefined && { open }),
    ...(typeof selector === 'string' && { selector }),
    ...(panel !== undefined && { panel }),
  };
}

function validFile(given: unknown): readonly PlaygroundFile[] {
  const { path, text, before } = recordOf(given);
  const name = typeof path === 'string' ? normalizedPath(path) : undefined;
  if (name === undefined || typeof text !== 'string') return [];
  const isReviewed = typeof before === 'string' || before === null;
  return [{ path: name, text, ...(isReviewed && { before }) }];
}

function recordOf(given: unknown): Readonly<Record<string, unknown>> {
  return typeof given === 'object' && given !== null ? { ...given } : {};
}

function listOf(given: unknown): readonly unknown[] {
  return Array.isArray(given) ? given : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function packed(text: string): Promise<string> {
  const bytes = new Uint8Array(
    await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer(),
  );
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

async function unpacked(given: string): Promise<string> {
  const bytes = Uint8Array.from(atob(given.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0));
  const reader = new Blob([bytes])
    .stream()
    .pipeThrough(new DecompressionStream('deflate-raw'))
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let text = '';
  // A small link can contain very much text.
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    text += next.value;
    if (text.length > 2 * maximumLength) throw new RangeError('The state is too long.');
  }
  return text;
}
