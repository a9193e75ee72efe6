/** Collects the manifests of a Markdown page or a script in a separate workspace, because the objects of a page belong together. */

import type { Catalogue } from '../engine/catalogue/types.ts';
import { createdObjects } from '../manifests/inline/created-objects.ts';
import type { Host } from '../manifests/inline/host-language.ts';
import { manifestsIn, pagePlaceholders } from '../manifests/inline/pages.ts';
import type { Manifest } from '../manifests/model.ts';
import { readManifest } from '../manifests/parse-manifest.ts';
import type { Span } from '../text/span.ts';
import type { Workspace, WorkspaceFile } from './model.ts';
import { scopeFactsOf } from './scopes/scope-facts.ts';
import { everyClusterFile } from './selection/external-objects.ts';
import { workspaceIn } from './snapshot.ts';

export interface Page {
  /** The page as a file of manifests; it also contains the commands of the page. */
  readonly file: WorkspaceFile;
  /** The text of the page in which everything except the manifests is blank. */
  readonly text: string;
  readonly host: Host;
  readonly spans: readonly Span[];
  readonly workspace: Workspace;
}

const pages = new WeakMap<WorkspaceFile, { readonly page: Page | undefined }>();

/** Returns the manifests of a page, and the objects that its commands create; undefined if there are none. `text` is the text of the file. */
export function pageOf(
  file: WorkspaceFile,
  text: string,
  host: Host | undefined,
  catalogue: Catalogue,
  placeholders: readonly string[] = [],
): Page | undefined {
  const known = pages.get(file);
  if (known !== undefined) return known.page;
  const page = host === undefined ? undefined : readPage(file, text, host, catalogue, placeholders);
  pages.set(file, { page });
  return page;
}

function readPage(
  file: WorkspaceFile,
  text: string,
  host: Host,
  catalogue: Catalogue,
  placeholders: readonly string[],
): Page | undefined {
  if (host !== 'markdown' && host !== 'shell') return undefined;
  const { inline = [], words = [] } = file.manifest;
  const created = words.flatMap((word) => createdObjects(word, catalogue));
  const manifests = manifestsIn(text, host);
  if (manifests === undefined && created.length === 0) return undefined;
  const shown = manifests?.text ?? text.replace(/[^\r\n]/g, ' ');
  const read = readManifest(shown, catalogue, { placeholders: [...placeholders, ...pagePlaceholders] });
  const manifest: Manifest = { ...read, objects: [...read.objects, ...created], inline, words };
  const objects = manifest.objects.filter(({ forCluster }) => forCluster).length;
  const { uri, lines } = file;
  const asFile: WorkspaceFile = { uri, lines, manifest, scope: scopeFactsOf({ manifest }, catalogue), objects };
  const cluster = everyClusterFile(catalogue);
  const workspace = workspaceIn(
    [],
    [
      [uri, asFile],
      [cluster.uri, cluster],
    ],
  );
  return { file: asFile, text: shown, host, spans: manifests?.spans ?? [], workspace };
}
