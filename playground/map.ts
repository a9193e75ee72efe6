/** The Selector Map beside the editor: a frame with the page of the extension. */

import type { LSPClient } from '@codemirror/lsp-client';
import { type GraphMessage, type MapQuestion, pageMessage } from '../client/src/webview/messages.ts';
import { type GraphParams, type GraphResult, graphRequest } from '../server/src/protocol.ts';
import { make } from './elements.ts';
import type { Place } from './model.ts';

type Position = Pick<GraphParams, 'textDocument' | 'position'>;

interface MapParts {
  readonly client: LSPClient;
  readonly element: HTMLElement;
  position(): Position | undefined;
  reveal(place: Place): void;
  choose(path: string): void;
}

export class SelectorMap {
  readonly #parts: MapParts;
  #frame: HTMLIFrameElement | undefined;
  #question: MapQuestion = { around: 'scope', connections: true, references: true };
  #graph: GraphResult | null = null;
  #serial = 0;

  constructor(parts: MapParts) {
    this.#parts = parts;
    window.addEventListener('message', ({ data, source, origin }) => {
      if (origin === location.origin && source === this.#frame?.contentWindow) void this.#handle(data);
    });
  }

  /** Draws the map; the frame is created when the map is shown for the first time. */
  async show(): Promise<void> {
    if (this.#frame === undefined) {
      this.#frame = make('iframe', { src: 'map.html', title: 'Selector Map' });
      // The page asks for the graph when it is loaded.
      this.#parts.element.replaceChildren(this.#frame);
    } else await this.#draw();
  }

  async #handle(data: unknown): Promise<void> {
    const message = pageMessage(data);
    switch (message?.kind) {
      case 'ask':
        this.#question = message;
        return this.#draw();
      case 'open': {
        const { uri, range } = this.#graph?.[message.what][message.index] ?? {};
        if (message.serial === this.#serial && uri && range) this.#parts.reveal({ uri, range });
        return;
      }
      case 'perspective':
        return this.#parts.choose(message.path);
      case 'save':
        return save(message.content, message.format);
    }
  }

  async #draw(): Promise<void> {
    const { client, position } = this.#parts;
    const at = position();
    const { around, connections, references } = this.#question;
    client.sync();
    this.#graph =
      at === undefined
        ? null
        : await client.request<GraphParams, GraphResult | null>(graphRequest, {
            ...at,
            around,
            connections,
            references,
          });
    const message: GraphMessage = { kind: 'graph', serial: ++this.#serial, graph: this.#graph };
    this.#frame?.contentWindow?.postMessage(message, location.origin);
  }
}

/** Saves an image as base64, or a text, as a file. */
function save(content: string, format: string): void {
  const isImage = format === 'png';
  const bytes = isImage ? Uint8Array.from(atob(content), (each) => each.charCodeAt(0)) : content;
  const link = make('a', { download: `selector-map.${format}`, href: URL.createObjectURL(new Blob([bytes])) });
  link.click();
  URL.revokeObjectURL(link.href);
}
