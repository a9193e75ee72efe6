/** Runs the calls of agents in a thread, so that each call ends in time: a thread that does not respond is replaced. */

import type { MessagePort, Worker } from 'node:worker_threads';
import { errorText } from '../agents/answer.ts';
import type { ToolAnswer } from '../agents/call-tool.ts';
import type { AgentServices } from '../agents/services.ts';

type Calls = Pick<AgentServices, 'call' | 'open'>;

type Request =
  | { readonly id: number; readonly name: string; readonly input: unknown }
  | { readonly roots: readonly string[] }
  | 'ping';

type Response = { readonly id: number; readonly answer: ToolAnswer } | 'pong';

/** Answers the requests that arrive at the port of a thread. */
export function answerIn(port: Pick<MessagePort, 'on' | 'postMessage'>, calls: Calls): void {
  const send = (response: Response) => port.postMessage(response);
  port.on('message', (request: Request) => {
    if (request === 'ping') send('pong');
    else if ('roots' in request) calls.open(request.roots);
    else void calls.call(request.name, request.input).then((answer) => send({ id: request.id, answer }));
  });
}

/** The maximum time in milliseconds of a call, and of the response of a thread that does not compute. */
export interface ThreadLimits {
  readonly call: number;
  readonly response: number;
}

const threadLimits: ThreadLimits = { call: 60_000, response: 5_000 };

interface Waiting {
  readonly request: Request;
  readonly ended: Promise<ToolAnswer>;
  end(answer: ToolAnswer): void;
}

export class CallThread implements Calls {
  /** Starts a thread that calls `answerIn`. */
  readonly #start: () => Worker;
  readonly #limits: ThreadLimits;
  readonly #waiting = new Map<number, Waiting>();
  #roots: readonly string[] | undefined;
  #worker: Worker | undefined;
  #replacing: NodeJS.Timeout | undefined;
  #last = 0;

  constructor(start: () => Worker, limits = threadLimits) {
    this.#start = start;
    this.#limits = limits;
    this.#worker = this.#started();
  }

  open(roots: readonly string[]): void {
    this.#roots = roots;
    this.#send({ roots });
  }

  call(name: string, input: unknown): Promise<ToolAnswer> {
    const id = ++this.#last;
    const request: Request = { id, name, input };
    let resolve: (answer: ToolAnswer) => void = () => {};
    const ended = new Promise<ToolAnswer>((resolved) => {
      resolve = resolved;
    });
    const late = setTimeout(() => {
      this.#waiting.get(id)?.end(tooLate);
      this.#replaceIfStuck();
    }, this.#limits.call);
    const end = (answer: ToolAnswer) => {
      clearTimeout(late);
      this.#waiting.delete(id);
      resolve(answer);
    };
    this.#waiting.set(id, { request, ended, end });
    this.#worker ??= this.#started();
    this.#send(request);
    return ended;
  }

  /** Ends the thread after the answers to all calls. */
  async close(): Promise<void> {
    await Promise.all([...this.#waiting.values()].map(({ ended }) => ended));
    clearTimeout(this.#replacing);
    await this.#stop();
  }

  async #stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #send(request: Request): void {
    this.#worker?.postMessage(request);
  }

  #started(): Worker {
    const worker = this.#start();
    worker.on('message', (response: Response) => {
      if (response !== 'pong') return this.#waiting.get(response.id)?.end(response.answer);
      clearTimeout(this.#replacing);
      this.#replacing = undefined;
    });
    let reason = 'it ended';
    worker.on('error', (error) => {
      reason = String(error);
    });
    worker.on('exit', () => {
      if (worker !== this.#worker) return;
      this.#worker = undefined;
      const message = `The call was stopped: ${reason}. Name fewer paths.`;
      for (const { end } of this.#waiting.values()) end({ text: errorText(message), isError: true });
    });
    if (this.#roots !== undefined) worker.postMessage({ roots: this.#roots } satisfies Request);
    return worker;
  }

  /** Replaces the thread unless it responds: work that pauses, such as indexing, continues for the next call. */
  #replaceIfStuck(): void {
    if (this.#replacing !== undefined) return;
    this.#send('ping');
    this.#replacing = setTimeout(() => {
      this.#replacing = undefined;
      void this.#stop();
      if (this.#waiting.size === 0) return;
      this.#worker = this.#started();
      for (const { request } of this.#waiting.values()) this.#send(request);
    }, this.#limits.response);
  }
}

const tooLate: ToolAnswer = {
  text: errorText('This takes too long: name fewer paths, or repeat the call.'),
  isError: true,
};
