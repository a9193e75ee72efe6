/** The script of the web worker in which the server of VS Code for the Web runs. Such a worker is a classic script that does not know its own address, so the client sends the URL of the server, which is a module. */

export {};

declare const self: DedicatedWorkerGlobalScope;

self.addEventListener(
  'message',
  async ({ data }: MessageEvent<string>) => {
    try {
      await import(data);
      self.postMessage({ isReady: true });
    } catch (error) {
      self.postMessage({ isReady: false, reason: String(error) });
    }
  },
  { once: true },
);
