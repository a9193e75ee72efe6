/** How do the files stand to each other? Scopes and configurations, kept as long as no file says something else of them. */

import { type Configs, findConfigs } from './configs.ts';
import type { Listing } from './listing.ts';
import { type ScopeFacts, sameScopeFacts } from './scope-facts.ts';
import { findScopes, type Scopes } from './scopes.ts';
import type { WorkspaceFile } from './workspace.ts';

export interface Layout {
  /** The workspace folders. */
  readonly folders: readonly string[];
  readonly listing: Listing;
  /** Of objects that name none. */
  readonly namespace: string | undefined;
  configs(): Configs;
  scopes(): Scopes;
}

/** The layout of files, found when it is first asked for. */
export function layoutOf(
  files: ReadonlyMap<string, WorkspaceFile>,
  folders: readonly string[],
  listing: Listing,
  namespace?: string,
): Layout {
  let configs: Configs | undefined;
  let scopes: Scopes | undefined;
  // The files are let go with the last question: a layout lives longer than the picture it was made for.
  let read: ReadonlyMap<string, WorkspaceFile> | undefined = files;
  const layout: Layout = {
    folders,
    listing,
    namespace,
    configs: () => {
      configs ??= findConfigs(read?.values() ?? []);
      return configs;
    },
    scopes: () => {
      if (scopes === undefined) {
        const facts = new Map<string, ScopeFacts>();
        read?.forEach((file, uri) => {
          facts.set(uri, file.scope);
        });
        scopes = findScopes(facts, { folders, listing, configs: layout.configs(), ...(namespace && { namespace }) });
        read = undefined;
      }
      return scopes;
    },
  };
  return layout;
}

/** Whether a file that is read anew leaves every layout as it is. */
export function isSameToLayout(a: WorkspaceFile | undefined, b: WorkspaceFile | undefined): boolean {
  if (a?.config !== undefined || b?.config !== undefined) return a === b;
  return sameScopeFacts(a?.scope, b?.scope);
}
