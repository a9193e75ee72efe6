/** Provides the page of the Selector Map with what VS Code provides: the page is a frame of the playground. */

/** The choices of the user; at first, the whole scope with the allowed connections. */
let state: unknown = { around: 'scope', connections: true };

Object.assign(window, {
  acquireVsCodeApi: () => ({
    postMessage: (message: unknown) => window.parent.postMessage(message, location.origin),
    getState: () => state,
    setState(next: unknown) {
      state = next;
    },
  }),
});
