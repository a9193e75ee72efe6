/** The messages between the extension and the page of the Selector Map. */

import type { GraphResult } from '../../../server/src/protocol.ts';

/** The part of the workspace to draw. */
export interface MapQuestion {
  readonly around: 'object' | 'scope';
  readonly connections: boolean;
  /** Whether references by name are drawn as edges. */
  readonly references: boolean;
}

export type ExportFormat = 'svg' | 'png' | 'mermaid' | 'dot';

export interface GraphMessage {
  readonly kind: 'graph';
  /** A number that identifies the graph in messages from the page. */
  readonly serial: number;
  /** The graph; null if the cursor is not in a file that belongs to a scope. */
  readonly graph: GraphResult | null;
}

export type PageMessage =
  | ({ readonly kind: 'ask' } & MapQuestion)
  /** Opens the location of a node or an edge of a graph, by its index. */
  | { readonly kind: 'open'; readonly serial: number; readonly what: 'nodes' | 'edges'; readonly index: number }
  /** Chooses the scope through which the file is seen. */
  | { readonly kind: 'perspective'; readonly path: string }
  /** Saves an exported image or a diagram in text form; a PNG is encoded as base64. */
  | { readonly kind: 'save'; readonly format: ExportFormat; readonly content: string };

export const exportFormats: readonly ExportFormat[] = ['svg', 'png', 'mermaid', 'dot'];

/** Validates a message from the page, which is not trusted. Returns undefined if the message is invalid. */
export function pageMessage(value: unknown): PageMessage | undefined {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return undefined;
  const message: { readonly [key: string]: unknown; readonly kind: unknown } = { ...value };
  const { kind, around, connections, references, serial, what, index, content, path } = message;
  const isPart = around === 'object' || around === 'scope';
  if (kind === 'ask' && isPart && typeof connections === 'boolean' && typeof references === 'boolean')
    return { kind, around, connections, references };
  if (kind === 'open' && (what === 'nodes' || what === 'edges') && Number.isInteger(index) && Number.isInteger(serial))
    return { kind, what, index: Number(index), serial: Number(serial) };
  if (kind === 'perspective' && typeof path === 'string') return { kind, path };
  const format = exportFormats.find((each) => each === message['format']);
  if (kind === 'save' && format !== undefined && typeof content === 'string') return { kind, format, content };
  return undefined;
}
