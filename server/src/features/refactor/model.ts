/** The model of refactorings. */

import type { Manifest, ManifestObject, SelectorSite } from '../../manifests/model.ts';
import type { Edit } from '../../text/edit.ts';
import type { FileView } from '../view.ts';

export interface Refactoring {
  /** The same for the same thing at the same place. */
  readonly id: string;
  /** An imperative sentence. */
  readonly title: string;
  readonly kind: 'refactor.rewrite' | 'refactor.extract';
  /** In the file itself; asked for when the action is chosen. Undefined where it turns out that there is no sure way. */
  edits(): readonly Edit[] | undefined;
}

export interface AskedSelector {
  readonly object: ManifestObject;
  readonly site: SelectorSite;
}

/** What a refactoring may look at: that of a rule, too. */
export interface RefactorContext extends FileView {
  readonly uri: string;
  readonly manifest: Manifest;
}
