/** Reports manifests next to a kustomization that no kustomization lists. */

import type { ManifestObject } from '../../manifests/model.ts';
import { scalarText } from '../../manifests/write/write-text.ts';
import { localize } from '../../text/localize.ts';
import { kustomizationIn } from '../../workspace/kustomize/kustomization-paths.ts';
import { kustomizationsListing } from '../../workspace/kustomize/named-files.ts';
import type { Workspace, WorkspaceFile } from '../../workspace/model.ts';
import { fileNameOf, folderOf } from '../../workspace/uri.ts';
import { type Fact, type Fix, type RuleContext, rule } from '../framework/rule.ts';
import { shorten } from '../helpers/sentences.ts';

interface Orphan extends Fact {
  readonly name: string;
  readonly beside: WorkspaceFile;
}

export const kustomizeOrphan = rule<Orphan>({
  id: 'kustomize-orphan',
  severity: 'information',
  needs: 'objects',
  acrossFiles: true,
  needsNoRendering: true,
  summary: 'A manifest that is next to a kustomization, but that no kustomization lists.',
  why: 'Kustomize builds only the files that a kustomization lists, so the objects of this file never reach the cluster. This may be intended, for example for a sample file or for objects that are applied once manually.',
  bad: [
    {
      title: 'A file that is not listed.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
`,
      beside: { 'kustomization.yaml': 'namespace: shop\nresources:\n  - basket.yaml\n', 'basket.yaml': '{}\n' },
    },
  ],
  good: [
    {
      title: 'A manifest in a folder without a kustomization.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
`,
    },
  ],
  *check(context) {
    const beside = besideOf(context);
    const first = context.manifest.objects.find((object) => object.forCluster);
    if (beside === undefined || first === undefined) return;
    yield {
      span: first.kindSpan,
      name: fileNameOf(context.uri),
      beside,
      related: [{ file: beside, span: { start: 0, end: 0 }, message: localize`The kustomization next to this file.` }],
    };
  },
  message({ name }) {
    return localize`'${shorten(name)}' is not listed in any kustomization, so none applies it.`;
  },
  fixes: ({ name, beside }): readonly Fix[] => {
    if (beside.kustomization === undefined) return [];
    const { at, before, after } = beside.kustomization.nextResource;
    const edit = { span: { start: at, end: at }, text: `${before}${scalarText(name, 'plain')}${after}` };
    const title = localize`Add '${shorten(name)}' to the resources of ${fileNameOf(beside.uri)}`;
    return [{ title, edits: [], elsewhere: new Map([[beside.uri, [edit]]]), preferred: true }];
  },
});

/** Returns the kustomization that should list the file; undefined if a kustomization already lists it, or if the file has a different purpose. */
function besideOf({ workspace, uri, file, catalogue }: RuleContext): WorkspaceFile | undefined {
  if (file.kustomization !== undefined || file.config !== undefined || file.manifest.unresolved) return undefined;
  const scopes = workspace.scopes();
  if (scopes.isPatch(uri) || scopes.isGenerated(uri)) return undefined;
  const kinds = scopes.ofFile(uri).map(({ kind }) => kind);
  if (kinds.some((kind) => kind !== 'folder' && kind !== 'file')) return undefined;
  // Objects that define where a tool finds its manifests, such as an Argo CD Application, are applied before these
  // manifests and need no kustomization.
  const applies = ({ group, version, kind }: ManifestObject) =>
    catalogue.kind(group, version, kind)?.installs === 'manifests';
  if (file.manifest.objects.every(applies)) return undefined;
  // A file with such a name is probably a patch that is not used yet.
  if (/patch/i.test(fileNameOf(uri))) return undefined;
  // Kubebuilder creates roles for the users of each kind, which a project need not apply.
  if (/_(?:admin|editor|viewer)_role\.yaml$/.test(fileNameOf(uri))) return undefined;
  const beside = kustomizationIn(workspace, folderOf(uri));
  if (beside === undefined || isBuilt(workspace, beside, file) || runsPrograms(workspace, beside)) return undefined;
  if (rendersOnlyCharts(beside) || beside.manifest.syntaxErrors > 0) return undefined;
  const uses = beside.kustomization?.inputs ?? [];
  const isUsed = uses.some(({ path }) => workspace.at(folderOf(uri), path) === uri);
  return isUsed || kustomizationsListing(workspace.scopes(), uri).length > 0 ? undefined : beside;
}

/** Whether the kustomization runs external programs, which may read neighboring files; KSOPS, for example, decrypts files. */
function runsPrograms(workspace: Workspace, { uri, kustomization }: WorkspaceFile): boolean {
  const { programs = [], plugins = [] } = kustomization ?? {};
  const isForeign = (path: string) => workspace.files.get(workspace.at(folderOf(uri), path))?.scope.builtin !== true;
  return programs.length > 0 || plugins.some(({ path }) => isForeign(path));
}

/** Whether the kustomization renders charts and lists no resources. A file next to it may be the committed result. */
function rendersOnlyCharts({ kustomization }: WorkspaceFile): boolean {
  return kustomization !== undefined && kustomization.charts.length > 0 && kustomization.resources.length === 0;
}

/** Whether the neighboring kustomization, or a kustomization that includes it, builds an object of a file from a different file. */
function isBuilt(workspace: Workspace, beside: WorkspaceFile, file: WorkspaceFile): boolean {
  const own = new Set(file.scope.identities);
  return workspace
    .scopes()
    .building(beside.uri)
    .some(({ files }) =>
      [...files].some((uri) => workspace.files.get(uri)?.scope.identities.some((each) => own.has(each))),
    );
}
