/** The messages between the page of the playground and its worker. */

export interface PlaygroundRequest {
  readonly id: number;
  /** The manifests; a line `==> PATH <==` starts a new file. */
  readonly manifests: string;
  /** A label selector in the syntax of `kubectl get -l`; empty for none. */
  readonly selector: string;
}

export interface PlaygroundResult {
  readonly id: number;
  readonly objects: number;
  readonly findings: readonly PlaygroundFinding[];
  /** The groups of matches; empty without a selector. */
  readonly groups: readonly PlaygroundGroup[];
  /** The selector in plain English. */
  readonly description: string;
  /** The errors in the selector, or the reasons why nothing was evaluated. */
  readonly problems: readonly string[];
}

/** A range of the text in the page, in UTF-16 units. */
export interface PlaygroundRange {
  readonly start: number;
  readonly end: number;
  /** The number of the line, from 1. */
  readonly line: number;
}

export interface PlaygroundFinding extends PlaygroundRange {
  readonly severity: 'error' | 'warning' | 'information' | 'hint';
  readonly rule: string;
  readonly message: string;
  readonly url: string;
}

export interface PlaygroundGroup {
  readonly title: string;
  readonly total: number;
  readonly items: readonly (PlaygroundRange & { readonly name: string; readonly reason?: string })[];
}

/** The maximum length of the manifests in UTF-16 units; longer text is not evaluated. */
export const maximumLength = 1_000_000;
