/** The input of every feature: the snapshot of the workspace at one moment, and the file to which a request refers. */

import type { Catalogue } from '../engine/catalogue/types.ts';
import type { ValueSite } from '../manifests/helm/value-site.ts';
import type { Host } from '../manifests/inline/host-language.ts';
import type { Settings } from '../settings/settings.ts';
import { localize } from '../text/localize.ts';
import type { Base, Side } from '../workspace/base.ts';
import type { Workspace, WorkspaceFile } from '../workspace/model.ts';
import type { Perspective } from '../workspace/scopes/perspective.ts';

export interface View {
  readonly workspace: Workspace;
  readonly catalogue: Catalogue;
  /** Whether all files are loaded; if not, some objects may not be known yet. */
  readonly complete: boolean;
  /** The perspective in which objects that belong to several scopes are evaluated. */
  readonly perspective: Perspective;
  /** Set if the workspace consists of a single Markdown page or script that contains manifests. */
  readonly isPage?: true;
  /** The base with which the workspace is compared, and the current state; absent if no base is set. */
  readonly since?: { readonly base: Base; readonly now: Side };
}

/** A view, and the open file to which a request refers. */
export interface FileView extends View {
  readonly file: WorkspaceFile;
  readonly text: string;
  /** Returns the files in which commands are searched: open files, and closed files that were loaded for the request. */
  readonly commandFiles?: () => readonly WorkspaceFile[];
  /** The text of the other files of the chart, by URI; set only if a request needs them. */
  readonly chartTexts?: ReadonlyMap<string, string>;
  /** The language of the file in which commands are recognized; absent if commands are not supported in the file. */
  readonly host?: Host;
  /** The placeholders that the configuration declares, in addition to the built-in placeholders. */
  readonly placeholders: readonly string[];
  /** The object fields that the templates of the chart fill with values from the file. */
  readonly valueSites: readonly ValueSite[];
  /** The user's settings for the folder of the file. */
  readonly settings: Settings;
}

/** Returns a localized phrase for the files of a view: "on this page" or "in the indexed files", because other files of the workspace are not known. */
export function whereIn({ isPage }: View): string {
  return isPage ? localize`on this page` : localize`in the indexed files`;
}
