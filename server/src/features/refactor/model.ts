/** The model of refactorings. */

import type { Manifest, ManifestObject, SelectorSite } from '../../manifests/model.ts';
import type { Edit } from '../../text/edit.ts';
import type { FileView } from '../view.ts';

export interface Refactoring {
  /** An identifier that is stable for the same refactoring at the same position. */
  readonly id: string;
  /** The title, an imperative sentence. */
  readonly title: string;
  readonly kind: 'refactor.rewrite' | 'refactor.extract';
  /**
   * Returns the edits of this file, computed lazily when the action is chosen; undefined if no edit is certain to be
   * correct.
   */
  edits(): readonly Edit[] | undefined;
}

export interface RequestedSelector {
  readonly object: ManifestObject;
  readonly site: SelectorSite;
}

/** The context in which refactorings are computed, including refactorings that rules provide. */
export interface RefactorContext extends FileView {
  readonly uri: string;
  readonly manifest: Manifest;
}
