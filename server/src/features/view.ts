/** What does every feature look at? The picture of the workspace at one moment, and what was asked about. */

import type { Catalogue } from '../engine/catalogue/types.ts';
import type { Host } from '../manifests/inline/host-language.ts';
import type { ValueSite } from '../manifests/model.ts';
import type { Settings } from '../settings/settings.ts';
import type { Base, Side } from '../workspace/base.ts';
import type { Workspace, WorkspaceFile } from '../workspace/model.ts';

export interface View {
  readonly workspace: Workspace;
  readonly catalogue: Catalogue;
  /** False while files are still being read: what is not found may yet come. */
  readonly complete: boolean;
  /** The path of the scope that the reader looks at, where an object belongs to several. */
  readonly activeScope?: string;
  /** The state to which the workspace is compared, and the state of now; absent if there is none. */
  readonly since?: { readonly base: Base; readonly now: Side };
}

/** A view, and the open file that a request is about. */
export interface FileView extends View {
  readonly file: WorkspaceFile;
  readonly text: string;
  /** The files in whose commands labels are known: those that are open, and closed ones where a request looked for them. */
  readonly commandFiles?: readonly WorkspaceFile[];
  /** The language in which commands are looked for; absent where none are. */
  readonly host?: Host;
  /** What stands for a value in the files of its team, beside what everybody uses. */
  readonly placeholders: readonly string[];
  /** What the templates of its chart fill with it. */
  readonly valueSites: readonly ValueSite[];
  /** What the user chose for its folder. */
  readonly settings: Settings;
}
