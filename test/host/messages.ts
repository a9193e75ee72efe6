/** The messages of a suite inside the extension host to its runner: one line of JSON per message. */

export type HostMessage =
  | { readonly kind: 'passed'; readonly title: string }
  | { readonly kind: 'failed'; readonly title: string; readonly text: string }
  | { readonly kind: 'ended' }
  | { readonly kind: 'died'; readonly text: string };
