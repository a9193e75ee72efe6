/** The page about the labels of a workspace, for the command that shows it in an editor. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { Settings } from '../../settings/settings.ts';
import { localize } from '../../text/localize.ts';
import { isExternalFile } from '../../workspace/configs.ts';
import type { Workspace } from '../../workspace/model.ts';
import { appliedObjectsOf } from '../../workspace/reach/applied-clusters.ts';
import { everyCluster } from '../../workspace/scopes/model.ts';
import { isWithin, relativePath } from '../../workspace/uri.ts';
import { LabelCollector } from '../labels/collect-labels.ts';
import type { Place } from '../labels/label-table.ts';
import { labelsPage } from '../labels/labels-page.ts';
import { code, escapeMarkdown, linkToLine } from '../presentation/markdown.ts';

interface LabelsPage {
  readonly title: string;
  readonly markdown: string;
}

interface LabelsView {
  readonly workspace: Workspace;
  readonly settings: Settings;
  catalogueOf(uri: string): Catalogue;
  /** Yields to other requests if it is time to do so. */
  pause(): Promise<void> | undefined;
  isCancelled(): boolean;
}

/** Returns the page about the labels of all objects as they are applied; undefined if the request was cancelled. */
export async function labelsOfWorkspace(view: LabelsView): Promise<LabelsPage | undefined> {
  const { workspace, settings, catalogueOf } = view;
  const [folder] = workspace.folders;
  const isLinked = (uri: string) => folder !== undefined && isWithin(uri, folder);
  const nameOf = (uri: string) => (folder !== undefined && isLinked(uri) ? relativePath(folder, uri) : uri);
  const collector = new LabelCollector({ workspace, catalogueOf, settings, nameOf });
  for (const where of appliedObjectsOf(workspace, catalogueOf)) {
    if (where.file.uri !== everyCluster && !isExternalFile(workspace.configs(), where.file.uri)) collector.add(where);
    await view.pause();
    if (view.isCancelled()) return undefined;
  }
  return { title: localize`Labels`, markdown: labelsPage(collector.table(), linkTo) };
}

/** VS Code's Markdown preview cannot open file URIs, only paths relative to the first workspace folder. */
function linkTo({ file, line }: Place, text: string): string {
  return /^[a-z-]+:/.test(file)
    ? `${escapeMarkdown(text)} (${code(`${file}:${line}`)})`
    : linkToLine(text, `/${file}`, line);
}
