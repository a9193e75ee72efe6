/** Reports duplicate keys in labels and selectors, and objects that are merged into one because a `---` is missing. */

import { once } from '../../engine/memoize.ts';
import { applicationSpec, argoSources } from '../../manifests/gitops/source-paths.ts';
import { kustomizeGroup } from '../../manifests/kustomize/kustomization-sites.ts';
import type { ManifestObject, RepeatedKey, Written } from '../../manifests/model.ts';
import { repeatedKeys } from '../../manifests/sites/duplicate-keys.ts';
import { removeWritten } from '../../manifests/write/write-text.ts';
import { readKey } from '../../manifests/yaml/scalar-types.ts';
import { nodeAt, treeSizeOf } from '../../manifests/yaml/tree.ts';
import { lineEnd } from '../../text/lines.ts';
import { localize } from '../../text/localize.ts';
import { countBefore } from '../../text/order.ts';
import type { Span } from '../../text/span.ts';
import { isValuesFile } from '../../workspace/charts/chart-files.ts';
import type { WorkspaceFile } from '../../workspace/model.ts';
import { documentTrees, literalTree, patchTreeOf } from '../../workspace/object-trees.ts';
import { type Fact, type Fix, type RuleContext, rule } from '../framework/rule.ts';
import { isReadByKustomize, isStringInKustomize } from '../helpers/kustomize-strings.ts';
import { inlinePatchesIn, operationsIn } from '../helpers/patch-parts.ts';
import { shorten } from '../helpers/sentences.ts';

interface Duplicate extends Fact {
  readonly found: { readonly repeated: RepeatedKey; readonly effect?: Effect } | { readonly joined: Written };
}

/** What kustomize does if it is not certain that it uses the last value: it fails for a resource, and a patch with a duplicate key has different results. */
type Effect = 'build' | 'patch';

export const duplicateKey = rule<Duplicate>({
  id: 'duplicate-key',
  severity: 'warning',
  summary: 'A key that occurs twice in the same map, so that only its last value is used.',
  why: '`kubectl` and Helm use the last value of a repeated key, as kustomize does in a kustomization; `kustomize build` fails if a resource has a duplicate key, except in its annotations. Patches, and values that an Application contains as a text, are checked, too. The other values have no effect, such as a first list of `resources` in a kustomization, or a first map in the values of a chart. If `apiVersion` and `kind` are repeated, the `---` between two objects is missing, and only the last object is applied.',
  bad: [
    {
      title: 'One label with two values.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  labels:
    app: basket
    team: blue
    app: prices
`,
    },
    {
      title: 'Two selectors, of which the first one is not used.',
      text: `apiVersion: v1
kind: Service
metadata:
  name: basket
spec:
  selector:
    app: basket
  ports:
    - port: 80
  selector:
    app: basket
    track: stable
`,
    },
    {
      title: 'Two objects without `---` between them: only the second one is applied.',
      text: `apiVersion: v1
kind: ServiceAccount
metadata:
  name: basket
apiVersion: v1
kind: ServiceAccount
metadata:
  name: prices
`,
    },
  ],
  good: [
    {
      title: 'A key that overrides a value from a merge key (`<<`).',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  annotations: &common
    shop.example.com/owner: blue
  labels:
    <<: *common
    shop.example.com/owner: red
`,
    },
  ],
  *check(context) {
    const { manifest, file } = context;
    yield* inValues(context);
    const actions = once(() => Array.from(context.text.matchAll(writingAction), ({ index }) => index));
    const seen = new Set<number>();
    for (const { key, ...found } of [...inPatches(context), ...inReleases(context)]) {
      if (seen.has(key.span.start)) continue;
      seen.add(key.span.start);
      yield duplicate(file, { key, ...found }, found.effect);
    }
    const isPatch = context.workspace.scopes().isPatch(context.uri);
    const isBuilt = once(() => isReadByKustomize(context));
    for (const object of manifest.objects) {
      for (const repeated of object.repeated ?? []) {
        if ((!object.forCluster && object.group !== kustomizeGroup) || seen.has(repeated.key.span.start)) continue;
        seen.add(repeated.key.span.start);
        const { key, winner } = repeated;
        if (mayBeginItem(actions, object, repeated)) continue;
        if (key.text !== winner.text && [key, winner].some((each) => isStringInKustomize(context, each))) continue;
        const isChecked = object.group !== kustomizeGroup && !isInAnnotations(object, key);
        yield duplicate(file, repeated, isPatch ? 'patch' : isChecked && isBuilt() ? 'build' : undefined);
      }
      for (const joined of object.joined ?? []) {
        const related = [{ file, span: object.kindSpan, message: localize`Only this object is applied.` }];
        yield { span: joined.span, found: { joined }, related, common: 'duplicateKeys' };
      }
    }
  },
  message({ found }) {
    if ('joined' in found)
      return localize`Another object begins here without a \`---\` before it: only the last object is applied.`;
    const { key, winner } = found.repeated;
    const name = shorten(key.text);
    if (found.effect === 'build') return localize`Duplicate key '${name}': \`kustomize build\` fails.`;
    if (found.effect === 'patch')
      return localize`Duplicate key '${name}' in a patch: kustomize uses only one of the values, or fails.`;
    const again = key.text === winner.text ? '' : localize`, written '${shorten(winner.text)}',`;
    const becomes = key.text === winner.text ? '' : localize` (both are read as '${readKey(winner)}')`;
    return localize`Duplicate key '${name}': the same key below${again} overrides this value${becomes}.`;
  },
  fixes({ found }, { text }) {
    if ('joined' in found) return [separate(text, found.joined)];
    const { key, span, flow, equal } = found.repeated;
    // Only the author knows which of two different values is intended. An entry with an anchor is kept, because aliases
    // may refer to it.
    if (!equal || span === undefined || /[:\s]&\S/.test(text.slice(span.start, span.end))) return [];
    const removed = removeWritten(text, span, flow);
    if (removed === undefined) return [];
    return [{ title: localize`Remove this '${shorten(key.text)}'`, edits: [removed], preferred: true, safe: true }];
  },
});

interface RepeatedInText extends RepeatedKey {
  readonly effect?: Effect;
}

/** Yields the duplicate keys in the patches that a kustomization or a GitOps object contains, and in the operations of JSON patches, of which the last value is used. A strategic merge patch is merged in different ways with and without a target. */
function* inPatches(context: RuleContext): Iterable<RepeatedInText> {
  const patches = inlinePatchesIn(context);
  for (const { inline } of patches)
    for (const patch of inline?.objects ?? []) {
      const tree = patchTreeOf(context, patch);
      if (tree === undefined || !treeSizeOf(tree).repeats) continue;
      for (const each of repeatedKeys(tree, true)) yield { ...each, effect: 'patch' };
    }
  for (const operation of operationsIn(context))
    if (treeSizeOf(operation).repeats) yield* repeatedKeys(operation, true);
}

/** Yields the duplicate keys in the values that an Application contains as a text, which Helm reads like a values file. */
function* inReleases(context: RuleContext): Iterable<RepeatedInText> {
  for (const object of context.stored) {
    if (object.gitopsSpec === undefined) continue;
    for (const source of argoSources(applicationSpec(object))) {
      const tree = literalTree(context, nodeAt(source, 'helm', 'values'));
      if (tree !== undefined && treeSizeOf(tree).repeats) yield* repeatedKeys(tree, true);
    }
  }
}

/** Whether a key is in a map of annotations, which kustomize writes again, so that the last value is used. */
function isInAnnotations({ labelSites }: ManifestObject, { span }: Written): boolean {
  return labelSites.some(
    (site) => site.place.holds === 'annotations' && site.span.start <= span.start && span.end <= site.span.end,
  );
}

/** Yields the duplicate keys in the values of a chart. Helm uses the last value: it decodes values with `yaml.Unmarshal` of sigs.k8s.io/yaml, which is not strict. */
function* inValues(context: RuleContext): Iterable<Duplicate> {
  const { file, uri } = context;
  if (!isValuesFile(uri) || (file.chartKey ?? '') === '') return;
  for (const root of documentTrees(context))
    if (treeSizeOf(root).repeats) for (const each of repeatedKeys(root, true)) yield duplicate(file, each);
}

function duplicate(file: WorkspaceFile, repeated: RepeatedKey, effect?: Effect): Duplicate {
  const { key, winner } = repeated;
  return {
    span: key.span,
    found: { repeated, ...(effect && { effect }) },
    related: [
      {
        file,
        span: winner.span,
        message: effect === undefined ? localize`This value is used.` : localize`The other key.`,
      },
    ],
    ...(effect === undefined && { tags: ['unnecessary'] as const }),
    common: 'duplicateKeys',
    reportedAt: [key.span, winner.span],
  };
}

/** Matches an action at the start of a line that may write lines; conditions, comments and assignments write none. */
const writingAction = /^[ \t]*\{\{-?[ \t]*(?!(?:if|else|end|with|range)\b|\/\*|\$\w+[ \t]*:?=)/gm;

/** Whether a template action between two equal keys may begin another item of a list. Maps of labels and selectors are not items. */
function mayBeginItem(actions: () => readonly number[], object: ManifestObject, { key, winner }: RepeatedKey): boolean {
  const before = ({ start }: Span) => countBefore(actions(), (at) => at < start);
  if (before(key.span) === before(winner.span)) return false;
  const sites = [...object.labelSites, ...object.selectorSites];
  return !sites.some(({ span }) => span.start <= key.span.start && winner.span.end <= span.end);
}

/** Returns a fix that inserts `---`. It is not safe, because the file then applies one more object, which selectors may match. */
function separate(text: string, { span }: Written): Fix {
  const start = text.lastIndexOf('\n', span.start - 1) + 1;
  const edit = { span: { start, end: start }, text: `---${lineEnd(text)}` };
  return { title: localize`Insert \`---\` before this object`, edits: [edit], preferred: true };
}
