/**
 * The layout of a workspace: its scopes and configurations. It is reused until a file changes a fact that they depend
 * on.
 */

import { contain, type Log } from '../../log.ts';
import { localize } from '../../text/localize.ts';
import { compareText, inOrder } from '../../text/order.ts';
import { type Configs, findConfigs, noConfigs } from '../configs.ts';
import type { Questions } from '../dependencies/questions.ts';
import type { Listing } from '../live/folder-listing.ts';
import { failingFiles } from '../live/isolate-failures.ts';
import type { WorkspaceFile } from '../model.ts';
import type { ChartValues, Scopes, Surroundings } from './model.ts';
import { type ScopeFacts, sameScopeFacts, unreadFacts } from './scope-facts.ts';
import { findScopes } from './scopes.ts';

export interface Layout {
  /** The workspace folders, without a trailing slash. */
  readonly folders: readonly string[];
  readonly listing: Listing;
  /** The namespace of objects that set none. */
  readonly namespace: string | undefined;
  readonly chartValues: ChartValues | undefined;
  readonly namedKustomizations: readonly string[] | undefined;
  /** Logs failures; without a log, failures are thrown. */
  readonly log: Log | undefined;
  readonly questions: Questions | undefined;
  configs(): Configs;
  scopes(): Scopes;
  /** Returns the scopes if they were computed. */
  readonly computed: () => Scopes | undefined;
}

/** Returns the lazily computed layout of files. */
export function layoutOf(
  files: ReadonlyMap<string, WorkspaceFile>,
  around: Omit<Layout, 'configs' | 'scopes' | 'computed'>,
): Layout {
  const { folders, listing, namespace, chartValues, namedKustomizations, log } = around;
  let configs: Configs | undefined;
  let scopes: Scopes | undefined;
  // The files are released after the last computation, because a layout outlives the snapshot that created it.
  let read: ReadonlyMap<string, WorkspaceFile> | undefined = files;
  const layout: Layout = {
    ...around,
    configs: () => {
      configs ??= contain(
        log,
        'configurations',
        () => findConfigs(read?.values() ?? []),
        () => noConfigs,
      );
      return configs;
    },
    scopes: () => {
      if (scopes === undefined) {
        // The URIs are sorted, because the numbers of scopes, and everything that depends on them, must not depend on
        // the order of edits.
        const uris = inOrder([...(read?.keys() ?? [])], compareText);
        const facts = new Map<string, ScopeFacts>();
        for (const uri of uris) {
          const file = read?.get(uri);
          if (file !== undefined) facts.set(uri, file.scope);
        }
        scopes = soundScopes(
          facts,
          {
            folders,
            listing,
            configs: layout.configs(),
            ...(namespace && { namespace }),
            ...(chartValues && { chartValues }),
            ...(namedKustomizations && { namedKustomizations }),
          },
          log,
        );
        read = undefined;
      }
      return scopes;
    },
    computed: () => scopes,
  };
  return layout;
}

/** Returns the layout of files after some of them changed; `before` are their earlier versions. */
export function layoutAfter(
  layout: Layout,
  before: ReadonlyMap<string, WorkspaceFile | undefined>,
  files: ReadonlyMap<string, WorkspaceFile>,
): Layout {
  const changed = [...before].filter(([uri, file]) => !isSameToLayout(file, files.get(uri)));
  if (changed.length === 0) return layout;
  const isConfig = changed.some(([uri, file]) => file?.config !== undefined || files.get(uri)?.config !== undefined);
  const scopes = isConfig
    ? undefined
    : layout.computed()?.withObjects(new Map(changed.map(([uri]) => [uri, files.get(uri)?.scope])));
  return scopes === undefined ? layoutOf(files, layout) : { ...layout, scopes: () => scopes, computed: () => scopes };
}

/** Returns the scopes of all files. Files that make the computation fail are treated as not loaded, so their scopes are open. */
function soundScopes(facts: ReadonlyMap<string, ScopeFacts>, around: Surroundings, log: Log | undefined): Scopes {
  return contain(
    log,
    'scopes',
    () => findScopes(facts, around),
    () => {
      const unread = unreadFacts(localize`could not be evaluated`);
      const onlyWith = (uris: ReadonlySet<string>) =>
        new Map([...facts].map(([uri, each]) => [uri, uris.has(uri) ? each : unread]));
      const failing = failingFiles([...facts.keys()], (uris) => findScopes(onlyWith(uris), around));
      for (const [uri, error] of failing) log?.bug(`scopes of ${uri}`, error);
      const sound = onlyWith(new Set([...facts.keys()].filter((uri) => !failing.has(uri))));
      return failing.size < facts.size
        ? findScopes(sound, around)
        : findScopes(sound, { ...around, configs: noConfigs });
    },
  );
}

/** Whether replacing one version of a file with the other leaves the layout unchanged. */
export function isSameToLayout(a: WorkspaceFile | undefined, b: WorkspaceFile | undefined): boolean {
  if (a?.config !== undefined || b?.config !== undefined) return a === b;
  return sameScopeFacts(a?.scope, b?.scope);
}
