/** Tests that the fixes of invalid labels in patches change exactly the written key or value, in all forms of patches. */

import '../../server/src/rules/all.ts';
import assert from 'node:assert/strict';
import { applyEdits } from '../../server/src/text/edit.ts';
import { bench } from '../harness/bench.ts';

/** A patch with a key or value between `<<` and `>>`, and what replaces it: an empty text if no fix is offered. */
interface Story {
  readonly name: string;
  readonly patch: string;
  readonly fixed: string;
}

/** The forms of one invalid value, as lines after `patch:`. */
const stories: readonly Story[] = [
  {
    name: 'JSON in single quotes',
    patch: `'[{"op":"add","path":"/metadata/labels/w","value":<<"a b">>}]'`,
    fixed: '"a-b"',
  },
  {
    name: 'JSON in double quotes',
    patch: String.raw`"[{\"op\":\"add\",\"path\":\"/metadata/labels/w\",\"value\":<<\"a b\">>}]"`,
    fixed: String.raw`\"a-b\"`,
  },
  {
    name: 'a boolean in JSON',
    patch: `'[{"op":"add","path":"/metadata/labels/w","value":<<true>>}]'`,
    fixed: '"true"',
  },
  {
    name: 'a number in JSON in double quotes',
    patch: String.raw`"[{\"op\":\"add\",\"path\":\"/metadata/labels/w\",\"value\":<<1>>}]"`,
    fixed: String.raw`\"1\"`,
  },
  {
    name: 'a value before its path',
    patch: `'[{"value":<<"x y">>,"path":"/metadata/labels/w","op":"replace"}]'`,
    fixed: '"x-y"',
  },
  {
    name: 'a value that equals a part of the path',
    patch: `'[{"op":"add","path":"/metadata/labels/true","value":<<true>>}]'`,
    fixed: '"true"',
  },
  {
    name: 'one of two operations with the same value',
    patch: `'[{"op":"add","path":"/metadata/annotations/v","value":"a b"},{"op":"add","path":"/metadata/labels/w","value":<<"a b">>}]'`,
    fixed: '"a-b"',
  },
  {
    name: 'YAML in flow style',
    patch: `'[{op: add, path: /metadata/labels/w, value: <<a b>>}]'`,
    fixed: 'a-b',
  },
  {
    name: 'YAML with quotes in single quotes',
    patch: `'[{op: add, path: ''/metadata/labels/w'', value: <<''a b''>>}]'`,
    fixed: `''a-b''`,
  },
  {
    name: 'YAML lines in double quotes',
    patch: String.raw`"- op: add\n  path: /metadata/labels/w\n  value: <<1.0>>\n"`,
    fixed: String.raw`\"1.0\"`,
  },
  {
    name: 'folded JSON',
    patch: `>-
[{"op": "add", "path": "/metadata/labels",
"value": {"app": "web", "w": <<true>>}}]`,
    fixed: '"true"',
  },
  {
    name: 'a value across two folded lines',
    patch: `>-
[{"op": "add", "path": "/metadata/labels/w", "value": <<"a
b">>}]`,
    fixed: '"a-b"',
  },
  {
    name: 'a literal block',
    patch: `|-
- op: add
  path: /metadata/labels/w
  value: <<a b>>`,
    fixed: 'a-b',
  },
  {
    name: 'JSON in a literal block',
    patch: `|-
[{"op": "add", "path": "/metadata/labels/w", "value": <<"a b">>}]`,
    fixed: '"a-b"',
  },
  {
    name: 'a key in the path of JSON',
    patch: `'[{"op":"add","path":"/metadata/labels/<<w x>>","value":"w"}]'`,
    fixed: 'w-x',
  },
  {
    name: 'a merged map in single quotes',
    patch: `'{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "prices", "labels": {"w": <<"it''s">>}}}'`,
    fixed: '"it-s"',
  },
  {
    name: 'a merged map in double quotes',
    patch: `"{apiVersion: v1, kind: ConfigMap, metadata: {name: prices, labels: {w: <<'a b'>>}}}"`,
    fixed: `'a-b'`,
  },
  {
    name: 'a key of a merged map',
    patch: `"{apiVersion: v1, kind: ConfigMap, metadata: {name: prices, labels: {<<w x>>: w}}}"`,
    fixed: 'w-x',
  },
  {
    name: 'two paths with the same key and value',
    patch: `'[{"op":"add","path":"/metadata/labels/w","value":"a b"},{"op":"replace","path":"/metadata/labels/w","value":"a b"}]'`,
    fixed: '',
  },
];

const labels = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: prices, labels: {app: web}}\n';
const spec = 'metadata: {name: basket, namespace: shop}\nspec:\n';
const gitRepository = 'sourceRef: {kind: GitRepository, name: shop, namespace: shop}';
const destination = 'destination: {server: https://kubernetes.default.svc, namespace: shop}\n';

interface Place {
  readonly name: string;
  /** The file that contains the patch, at `PATCH`. */
  readonly file: string;
  readonly text: string;
  readonly beside: Readonly<Record<string, string>>;
}

const places: readonly Place[] = [
  {
    name: 'patches of a kustomization',
    file: 'apps/kustomization.yaml',
    text: 'resources: [prices.yaml]\npatches:\n  - target: {kind: ConfigMap}\n    patch: PATCH\n',
    beside: { 'apps/prices.yaml': labels },
  },
  {
    name: 'patchesJson6902',
    file: 'apps/kustomization.yaml',
    text: 'resources: [prices.yaml]\npatchesJson6902:\n  - target: {version: v1, kind: ConfigMap, name: prices}\n    patch: PATCH\n',
    beside: { 'apps/prices.yaml': labels },
  },
  {
    name: 'patches of a Flux Kustomization',
    file: 'flux.yaml',
    text: `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n${spec}  interval: 5m\n  path: ./apps\n  prune: true\n  ${gitRepository}\n  patches:\n    - target: {kind: ConfigMap}\n      patch: PATCH\n`,
    beside: { 'apps/prices.yaml': labels },
  },
  {
    name: 'post renderers of a HelmRelease',
    file: 'release.yaml',
    text: `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n${spec}  interval: 5m\n  chart: {spec: {chart: ./chart, ${gitRepository}}}\n  postRenderers:\n    - kustomize:\n        patches:\n          - target: {kind: ConfigMap}\n            patch: PATCH\n`,
    beside: {
      'chart/Chart.yaml': 'apiVersion: v2\nname: prices\nversion: 1.0.0\n',
      'chart/templates/prices.yaml': labels,
    },
  },
  {
    name: 'patches of an Argo CD Application',
    file: 'application.yaml',
    text: `apiVersion: argoproj.io/v1alpha1\nkind: Application\n${spec}  project: default\n  source:\n    repoURL: https://example.com/shop\n    path: apps\n    kustomize:\n      patches:\n        - target: {kind: ConfigMap}\n          patch: PATCH\n  ${destination}`,
    beside: {
      '.selector-lens.yaml': 'repository: https://example.com/shop\n',
      'apps/kustomization.yaml': 'resources: [prices.yaml]\n',
      'apps/prices.yaml': labels,
    },
  },
];

/** Returns a bench over the files of a place with a patch. */
function benchWith({ file, text, beside }: Place, patch: string) {
  const indented = patch.replaceAll('\n', `\n${' '.repeat(16)}`);
  const files = { ...beside, [file]: text.replace('PATCH', () => indented) };
  return bench(
    Object.entries(files)
      .map(([name, content]) => `==> ${name} <==\n${content}`)
      .join(''),
  );
}

describe('fixes of invalid labels in patches', () => {
  for (const place of places) {
    for (const { name, patch, fixed } of stories) {
      if (place.name === 'patchesJson6902' && name.includes('merged map')) continue;
      it(`${place.name}: ${name}`, async () => {
        const wanted =
          fixed === ''
            ? undefined
            : await benchWith(
                place,
                patch.replace(/<<.*>>/s, () => fixed),
              );
        const written = await benchWith(
          place,
          patch.replace(/<<(.*)>>/s, (_all, marked: string) => marked),
        );
        const { text } = written.file(place.file);
        const findings = written.findings(place.file).filter(({ rule }) => rule === 'invalid-as-applied');
        const fixes = findings.flatMap((finding) => finding.fixes());
        assert.deepEqual(findings.length, 1);
        assert.deepEqual(
          fixes.map(({ edits }) => applyEdits(text, edits)),
          wanted === undefined ? [] : [wanted.file(place.file).text],
        );
        assert.deepEqual(
          wanted?.findings(place.file).filter(({ rule }) => rule === 'invalid-as-applied'),
          wanted && [],
        );
      });
    }
  }
});
