/** Reports labels that a kustomization or an Argo CD Application also adds to selectors, if these selectors are immutable or no longer match anything. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { everything, type Selector } from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { applicationSpec, argoSources } from '../../manifests/gitops/source-paths.ts';
import { isTrue } from '../../manifests/kustomize/kustomization-fields.ts';
import type { LabelChange } from '../../manifests/kustomize/model.ts';
import type { LabelEntry, ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { labelEntries } from '../../manifests/sites/sites.ts';
import { childOf } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { kindKey } from '../../workspace/index/file-outline.ts';
import { buildsSelected } from '../../workspace/kustomize/built-elsewhere.ts';
import { seenBy } from '../../workspace/kustomize/view.ts';
import type { ObjectInFile, Workspace } from '../../workspace/model.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { effectiveSelector } from '../../workspace/selection/effective-selector.ts';
import type { Selection } from '../../workspace/selection/model.ts';
import { reachFrom } from '../../workspace/selection/namespaces.ts';
import { selectsInOwnNamespace } from '../../workspace/selection/own-namespace.ts';
import { selectionOf, selectionOfSelector } from '../../workspace/selection/selection.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { basketDeployment } from '../helpers/example-manifests.ts';
import { listObjects, objectNameOf, shorten } from '../helpers/sentences.ts';
import { changes } from '../helpers/unstable-keys.ts';

interface Rewrite extends Fact {
  readonly entry: LabelEntry;
  /** The objects with immutable selectors that now require the label. */
  readonly fixed: readonly ObjectInFile[];
  /**
   * The reason why the label will have to change, as the end of a sentence that begins with the label: `the version
   * changes with every release`.
   */
  readonly why: string | undefined;
  /**
   * The objects that have a selector for other objects, such as the selector of a peer or an affinity, that no longer
   * matches anything.
   */
  readonly lost: readonly ObjectInFile[];
}

export const kustomizeSelectorRewrite = rule<Rewrite>({
  id: 'kustomize-selector-rewrite',
  severity: 'warning',
  acrossFiles: true,
  summary: 'A label that is also added to selectors, although they are immutable or then match nothing.',
  why: 'The selector of a Deployment, StatefulSet or DaemonSet is immutable. If it contains a label that changes with every release, the next update fails, and the object must be deleted and recreated. In peers of a NetworkPolicy and in affinities, the label keeps the selector from matching pods of other kustomizations, which do not have it. The rule reports such a selector only if it matches pods without the label. `labels` with `includeTemplates` instead of `includeSelectors` leaves all selectors unchanged. A label that never changes is not reported in the selectors of its own workloads, but adding one later changes these selectors too. The rule also checks `kustomize.commonLabels` of an Application, which Argo CD adds to selectors unless `labelWithoutSelector` is set.',
  withoutFix: 'Whether the label belongs in selectors depends on the objects that already exist in the cluster.',
  bad: [
    {
      title: 'A version label in `commonLabels`, which also adds it to selectors.',
      file: 'kustomization.yaml',
      text: `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
  - basket.yaml
commonLabels:
  app.kubernetes.io/version: 1.4.2
`,
      beside: {
        'basket.yaml': basketDeployment,
      },
    },
  ],
  good: [
    {
      title: 'Labels that are not added to selectors.',
      file: 'kustomization.yaml',
      text: `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
labels:
  - pairs:
      app.kubernetes.io/version: 1.4.2
    includeTemplates: true
`,
    },
  ],
  *check(context) {
    const { kustomization } = context.file;
    const own = (kustomization?.labels ?? []).filter(changesSelectors).flatMap((change) => change.entries);
    const entries = [...own, ...context.stored.flatMap(applicationLabels)];
    if (entries.length === 0) return;
    const rewritten = new Map<number, Rewritten[]>();
    for (const each of rewrittenBy(context)) getOrAdd(rewritten, each.at, () => []).push(each);
    const added = new Set(entries.map(({ value }) => value.span.start));
    // All labels of a selector are added together, so the answer is the same for each of them.
    const known = new Map<Scope, Map<ManifestObject, Map<SelectorSite, boolean>>>();
    const isLost = (each: Rewritten): boolean => {
      const ofScope = getOrAdd(known, each.scope, () => new Map<ManifestObject, Map<SelectorSite, boolean>>());
      const ofObject = getOrAdd(ofScope, each.object, () => new Map<SelectorSite, boolean>());
      return getOrAdd(ofObject, each.site, () => losesAll(context, each, added));
    };
    for (const entry of entries) {
      const theirs = rewritten.get(entry.value.span.start) ?? [];
      const why = revision.test(entry.value.text)
        ? localize`its value is the commit that is applied`
        : changes({ key: entry.key.text, values: [entry.value.value] });
      const isFixed = ({ site }: Rewritten) => site.fact.immutable && isWritten(site);
      const fixed = why === undefined ? [] : distinct(theirs.filter(isFixed));
      const lost = distinct(theirs.filter((each) => selectsOtherObjects(each.site) && isLost(each)));
      if (fixed.length + lost.length === 0) continue;
      yield {
        span: entry.key.span,
        entry,
        fixed,
        why,
        lost,
        related: [...lost, ...fixed].slice(0, 5).map((each) => ({
          file: each.file,
          span: each.object.kindSpan,
          message: localize`${objectNameOf(each.object)} has a selector that gets this label.`,
        })),
      };
    }
  },
  message({ entry, fixed, why, lost }) {
    const label = `'${shorten(`${entry.key.text}: ${entry.value.text}`)}'`;
    const parts = [];
    if (lost.length > 0)
      parts.push(localize`${label} is added to the peer selectors of ${listObjects(lost)}, which then match nothing`);
    if (fixed.length > 0)
      parts.push(localize`${label} is added to the immutable selector of ${listObjects(fixed)}, but ${why}`);
    const text = parts.join('; ');
    return `${text[0]?.toUpperCase()}${text.slice(1)}.`;
  },
  fixes: () => [],
});

function changesSelectors({ includeSelectors }: LabelChange): boolean {
  return includeSelectors;
}

/** The build variables of Argo CD whose values change with each commit. */
const revision = /\$\{?ARGOCD_APP_REVISION/;

/** Returns the labels that an Application, or the template of an ApplicationSet, adds to the selectors of its kustomizations. */
function applicationLabels(object: ManifestObject): readonly LabelEntry[] {
  return argoSources(applicationSpec(object)).flatMap((source) => {
    const options = childOf(source, 'kustomize');
    return isTrue(options, 'labelWithoutSelector') ? [] : labelEntries(childOf(options, 'commonLabels'));
  });
}

interface Rewritten extends ObjectInFile {
  readonly site: SelectorSite;
  /** The offset of the label's value in the kustomization. */
  readonly at: number;
  readonly scope: Scope;
  /** A view of the workspace in which objects are as the kustomization builds them. */
  readonly workspace: Workspace;
}

/** Returns the requirements that the kustomization writes into selectors, in every root kustomization that includes it. */
function rewrittenBy({ workspace, catalogue, uri }: RuleContext): readonly Rewritten[] {
  return workspace
    .scopes()
    .building(uri)
    .flatMap((scope) => {
      const view = seenBy(workspace, catalogue, scope);
      const objects = workspace.rendering(scope.path, catalogue)?.objects ?? [];
      if (view === undefined) return [];
      return objects.flatMap(({ file, object }) =>
        object.selectorSites.flatMap((site) =>
          site.entries.flatMap(({ value: { origin } }) =>
            origin?.uri === uri ? [{ file, object, site, at: origin.span.start, scope, workspace: view }] : [],
          ),
        ),
      );
    });
}

/** Whether the file gives the selector any requirement. An empty selector is meant to be filled by kustomizations. */
function isWritten({ entries, expressions }: SelectorSite): boolean {
  return expressions.length > 0 || entries.some(({ key }) => key.origin === undefined);
}

/** Whether the selector is for objects other than the pods of its own workload: such a selector, of a peer or an affinity term, is in a list. */
function selectsOtherObjects({ path }: SelectorSite): boolean {
  return path.includes('[');
}

/**
 * Whether the selector matches nothing in its cluster, but matches something without the labels that the kustomization adds
 * to it. `added` contains the offsets of their values. A selector for a namespace in which the kustomization has no
 * workloads is ignored, because little is known of this namespace.
 */
function losesAll({ catalogue, uri }: RuleContext, rewritten: Rewritten, added: ReadonlySet<number>): boolean {
  const { workspace, file, object, site } = rewritten;
  const where = { file, object };
  const selector = effectiveSelector(site);
  if (selector?.kind !== 'all') return false;
  const after = selectionOf(workspace, catalogue, where, site);
  if (isMatching(after) || after.uncertain) return false;
  if (buildsSelected(workspace, catalogue, where, site, selector) !== false) return false;
  if (!(selectsInOwnNamespace(object, site) || hasWorkloadsInReach(catalogue, rewritten))) return false;
  const isAdded = ({ value: { origin } }: LabelEntry) => origin?.uri === uri && added.has(origin.span.start);
  const keys = new Set(site.entries.filter(isAdded).map(({ key }) => key.text));
  const requirements = selector.requirements.filter(({ key }) => !keys.has(key));
  const written: Selector = { kind: 'all', requirements };
  return (
    isMatching(selectionOfSelector(workspace, catalogue, where, site, written)) ||
    buildsSelected(workspace, catalogue, where, site, written) === true
  );
}

function isMatching({ matches, maybe, elsewhere }: Selection): boolean {
  return matches.length + maybe.length + elsewhere.length > 0;
}

/** Whether the scope of a selector has an object of a selected kind in a namespace to which the selector may apply. */
function hasWorkloadsInReach(catalogue: Catalogue, { workspace, scope, file, object, site }: Rewritten): boolean {
  const reaches = reachFrom(workspace, catalogue, { file, object }, site);
  const index = workspace.rendering(scope.path, catalogue)?.index();
  for (const target of site.fact.targets.map(kindKey))
    for (const { id } of index?.labelSets(target, everything) ?? [])
      if (reaches({ file: { uri: id.uri }, object: id.location }).answer !== 'no') return true;
  return false;
}

function distinct(found: readonly Rewritten[]): readonly ObjectInFile[] {
  const byName = new Map(found.map((each) => [`${each.file.uri} ${each.object.kindSpan.start}`, each]));
  return [...byName.values()];
}
