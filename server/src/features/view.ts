/** The input of every feature: the snapshot of the workspace at one moment, and the file to which a request refers. */

import type { Catalogue } from '../engine/catalogue/types.ts';
import type { Host } from '../manifests/inline/host-language.ts';
import type { ValueSite } from '../manifests/model.ts';
import type { Settings } from '../settings/settings.ts';
import { localize } from '../text/localize.ts';
import type { Base, Side } from '../workspace/base.ts';
import type { Workspace, WorkspaceFile } from '../workspace/model.ts';

export interface View {
  readonly workspace: Workspace;
  readonly catalogue: Catalogue;
  /** Whether all files are loaded; if not, missing objects may still be found. */
  readonly complete: boolean;
  /** The path of the active scope, for objects that belong to several scopes. */
  readonly activeScope?: string;
  /** Whether the workspace is a single Markdown page or script with manifests. */
  readonly isPage?: true;
  /** The base with which the workspace is compared, and the current state; absent if there is none. */
  readonly since?: { readonly base: Base; readonly now: Side };
}

/** A view, and the open file to which a request refers. */
export interface FileView extends View {
  readonly file: WorkspaceFile;
  readonly text: string;
  /** The files whose commands are parsed: open files, and closed files that a request searched. */
  readonly commandFiles?: readonly WorkspaceFile[];
  /** The text of the other files of the chart, if a request needs it. */
  readonly chartTexts?: ReadonlyMap<string, string>;
  /** The language in which commands are recognized; absent for a language without commands. */
  readonly host?: Host;
  /** The placeholders that the configuration declares, in addition to the common ones. */
  readonly placeholders: readonly string[];
  /** The fields that the templates of the chart fill with its values. */
  readonly valueSites: readonly ValueSite[];
  /** The user's settings for the folder of the file. */
  readonly settings: Settings;
}

/** Describes the files of a view as a part of a sentence: `Matches nothing in this workspace`. */
export function whereIn({ isPage }: View): string {
  return isPage ? localize`on this page` : localize`in this workspace`;
}
