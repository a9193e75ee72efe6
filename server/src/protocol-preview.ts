/** The preview: the request for the objects that a selector matches, or for the selectors that match an object, and its response. */

import type { DocumentPosition, ProtocolRange } from './protocol-positions.ts';

/** Client to server: requests the objects that match a selector (at a position, or given as a string), or the selectors that match the object at a position. */
export const previewRequest = 'selector-lens/preview';
export type PreviewParams = PreviewTarget & {
  /** The kinds of the objects to list and count; if absent, objects of all kinds. */
  readonly kinds?: readonly string[];
};
export type PreviewTarget = DocumentPosition | { readonly selector: string };

/** The response to `previewRequest`; null if there is neither a selector nor an object at the position. */
export interface Preview {
  /** The subject of the preview. If it is an `object`, the groups contain the objects that select it. */
  readonly about: 'selector' | 'object';
  /** The selector in kubectl notation; empty for an object, and for a selector that matches everything or nothing. */
  readonly selector: string;
  /** The selector in plain English. */
  readonly description: string;
  /** The position of the selector or object; absent if the request contains a selector string instead of a position. */
  readonly site?: PreviewSite;
  /** The groups in display order, without empty groups. */
  readonly groups: readonly PreviewGroup[];
  /** The kinds of all matching objects, regardless of the requested kinds, sorted by name. */
  readonly kinds: readonly string[];
  /** The scope in which the groups were evaluated, if there are several; `others` contains the other results. */
  readonly scope?: PreviewScope;
  readonly others?: readonly PreviewCounts[];
  /** Whether objects that are in no group may match, although none is known to match; absent if not. */
  readonly isUnknown?: boolean;
  /** The sentence about a selector that matches nothing in the scope, or whose matches are unknown. */
  readonly verdict?: string;
  /** The reasons why the selector could not be parsed; empty if it was parsed. */
  readonly problems: readonly string[];
  /** Whether the workspace is completely indexed. */
  readonly complete: boolean;
}

/** One of several scopes (kustomizations, charts or folders) that apply the same file. */
export interface PreviewScope {
  /** The folder of the scope, shortened to the part that distinguishes it from others, such as `overlays/prod`. */
  readonly name: string;
  /** The path that identifies the scope in requests to the server. */
  readonly path: string;
}

/** The numbers of matches in one of several scopes. */
interface PreviewCounts extends PreviewScope {
  readonly matches: number;
  readonly maybe: number;
  /** Whether objects that are not counted may match, although none is known to match. */
  readonly isUnknown: boolean;
}

export interface PreviewSite {
  readonly uri: string;
  readonly range: ProtocolRange;
  /** The object that contains the selector, or the selected object, such as `Service/web`. */
  readonly owner: string;
  /**
   * The path of the selector field from the root of the object, such as `spec.selector`. For a selected object, the
   * path of its labels; an empty path means all of its labels.
   */
  readonly path: string;
}

export interface PreviewGroup {
  /** `otherValues` contains the matches that only other values of a chart could cause, `alternatives` those that are not applied together with the file, and `others` the matches that are not pods, if a selector that is not in a file also matches pods. */
  readonly kind:
    | 'matches'
    | 'maybe'
    | 'otherValues'
    | 'others'
    | 'elsewhere'
    | 'mayMatchElsewhere'
    | 'alternatives'
    | 'nearMisses'
    | 'selectedBy'
    | 'sourceOf'
    | 'targetOf'
    | 'maySelect';
  readonly title: string;
  readonly items: readonly PreviewItem[];
  /** The total number of items; it is greater than the length of `items` if the list was truncated. */
  readonly total: number;
  /** The number of objects of each kind, with the most frequent kind first. */
  readonly kinds: readonly { readonly kind: string; readonly count: number }[];
}

export interface PreviewItem {
  /** The API group; empty for the core group. */
  readonly group: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /**
   * The path of the template that contains the matching labels; absent for labels of the object itself. For a selecting
   * object, the path of its selector.
   */
  readonly via?: string;
  /** The URI of the file; empty for objects that exist in every cluster, and for namespaces that no file declares. */
  readonly uri: string;
  /**
   * The range of the matching labels, or of the name if the object has no labels; for a selecting object, the range of
   * its selector.
   */
  readonly range: ProtocolRange;
  readonly labels: Readonly<Record<string, string | null>>;
  /** For a selecting object: its selector in kubectl notation. */
  readonly selector?: string;
  /** The reason why the object may match, or why it does not match. */
  readonly reason?: string;
}
