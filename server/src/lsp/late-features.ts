/** Loads the features that no diagnostics need when the first request for one of them arrives. Until they are loaded, that request and all later messages wait, in their order. */

import { CodeActionKind, Message, type MessageStrategy } from 'vscode-languageserver';
import type { Log } from '../log.ts';
import { perspectiveRequest, previewRequest, reviewRequest } from '../protocol.ts';
import type { ProvideFeatures } from './core.ts';

/** The requests that are handled without these features. */
const early: ReadonlySet<string> = new Set([
  'initialize',
  'shutdown',
  perspectiveRequest,
  previewRequest,
  reviewRequest,
]);

/** Whether a message is not a request for one of these features. Quick fixes belong to findings. */
function isEarly(message: Message): boolean {
  if (!Message.isRequest(message) || early.has(message.method)) return true;
  const { method, params } = message;
  if (method !== 'textDocument/codeAction' || typeof params !== 'object' || !('context' in params)) return false;
  const { context } = params;
  const only = typeof context === 'object' && context !== null && 'only' in context ? context.only : undefined;
  return Array.isArray(only) && only.every((kind) => kind === CodeActionKind.QuickFix);
}

interface LateFeatures {
  /** Remembers what the features need. */
  readonly provide: ProvideFeatures;
  /** Lets a message wait for the features that it needs, and then passes it to `next`. */
  readonly messageStrategy: MessageStrategy;
}

/** Returns the strategy for messages that calls `load` at most once at a time, and again if it failed. */
export function lateFeatures(load: () => Promise<ProvideFeatures>, log: Pick<Log, 'warn'>): LateFeatures {
  let provideNow: ((provide: ProvideFeatures) => void) | undefined;
  let waiting: (() => void)[] | undefined;
  const loaded = (provide: ProvideFeatures) => {
    provideNow?.(provide);
    provideNow = undefined;
  };
  return {
    provide(...parts) {
      provideNow = (provide) => provide(...parts);
    },
    messageStrategy: {
      handleMessage(message, next) {
        if (waiting !== undefined) {
          waiting.push(() => next(message));
          return;
        }
        if (provideNow === undefined || isEarly(message)) {
          next(message);
          return;
        }
        const inOrder = [() => next(message)];
        waiting = inOrder;
        load()
          .then(loaded)
          .catch((error: unknown) => log.warn(`The features could not be loaded: ${error}`))
          .finally(() => {
            waiting = undefined;
            for (const handle of inOrder) handle();
          });
      },
    },
  };
}
