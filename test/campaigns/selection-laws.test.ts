/**
 * Tests that the matches in the index equal those of an evaluation of each object, without deserializing more files.
 */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { evaluate, isUnknown, type Selector } from '../../server/src/engine/index.ts';
import { labeledObjectsOf } from '../../server/src/manifests/label-sets.ts';
import type { LabeledObject, SelectorSite } from '../../server/src/manifests/model.ts';
import { kindKey } from '../../server/src/workspace/index/file-outline.ts';
import { seenBy } from '../../server/src/workspace/kustomize/view.ts';
import type { LabeledObjectInFile, ObjectInFile, Workspace, WorkspaceFile } from '../../server/src/workspace/model.ts';
import { areVersions } from '../../server/src/workspace/same-object.ts';
import { everyCluster } from '../../server/src/workspace/scopes/model.ts';
import { identityOf, placeOf } from '../../server/src/workspace/scopes/scope-facts.ts';
import { effectiveSelector } from '../../server/src/workspace/selection/effective-selector.ts';
import { everyClusterFile } from '../../server/src/workspace/selection/external-objects.ts';
import { reaches } from '../../server/src/workspace/selection/namespaces.ts';
import { selectionOf } from '../../server/src/workspace/selection/selection.ts';
import { requiresMore } from '../../server/src/workspace/selection/template-values.ts';
import { objectsOf, readFile, workspaceIn } from '../../server/src/workspace/snapshot.ts';

const root = 'file:///work';

function workspaceWith(files: Readonly<Record<string, string>>): readonly WorkspaceFile[] {
  return Object.entries(files).map(([name, text]) => readFile(`${root}/${name}`, text, catalogue));
}

function objectsOfTree(files: readonly WorkspaceFile[]): Workspace {
  const all = [everyClusterFile(catalogue), ...files];
  return workspaceIn(
    [root],
    all.map((file) => [file.uri, file]),
  );
}

describe('the selection of any selector', () => {
  const label = fc.constantFrom(
    'app: web',
    'app: shop',
    'tier: a',
    'tier: b',
    "app: '{{ .Values.app }}'",
    'app: $' + '{X}',
  );
  const labels = fc
    .uniqueArray(label, { maxLength: 2, selector: (text) => text.split(':')[0] })
    .map((all) => `{${all}}`);
  const namespace = fc.constantFrom('', ', namespace: shop', ', namespace: bank', ', namespace: $' + '{NS}');
  const name = fc.constantFrom('web', 'shop', 'other');
  const selector = fc.oneof(
    labels.map((all) => `{matchLabels: ${all}}`),
    fc.constantFrom(
      '{}',
      '{matchExpressions: [{key: app, operator: Exists}]}',
      '{matchExpressions: [{key: tier, operator: NotIn, values: [a]}]}',
      '{matchExpressions: [{key: app, operator: In, values: [web, shop]}, {key: tier, operator: DoesNotExist}]}',
    ),
  );
  const object = fc.oneof(
    fc
      .tuple(name, namespace, labels)
      .map(([name, at, all]) => `{apiVersion: v1, kind: Pod, metadata: {name: ${name}${at}, labels: ${all}}}`),
    fc
      .tuple(name, namespace, labels)
      .map(
        ([name, at, all]) =>
          `{apiVersion: v1, kind: Service, metadata: {name: ${name}${at}}, spec: {selector: ${all}}}`,
      ),
    fc
      .tuple(name, namespace, labels)
      .map(
        ([name, at, all]) =>
          `{apiVersion: apps/v1, kind: Deployment, metadata: {name: ${name}${at}, labels: ${all}}, spec: {selector: {matchLabels: ${all}}, template: {metadata: {labels: ${all}}}}}`,
      ),
    fc
      .tuple(name, namespace)
      .map(([name, at]) => `{apiVersion: postgresql.cnpg.io/v1, kind: Cluster, metadata: {name: ${name}${at}}}`),
    fc
      .tuple(name, namespace, selector, selector)
      .map(
        ([name, at, pods, spaces]) =>
          `{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: ${name}${at}}, spec: {podSelector: ${pods}, ingress: [{from: [{podSelector: ${pods}, namespaceSelector: ${spaces}}]}]}}`,
      ),
    labels.map((all) => `{apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: ${all}}}`),
    labels.map(
      (all) =>
        `apiVersion: v1\nkind: Pod\nmetadata:\n  name: open\n  labels:\n    more: ${JSON.stringify(all)}\n    {{- include "more" . | nindent 4 }}\n`,
    ),
  );
  const objects = fc.array(object, { minLength: 1, maxLength: 3 }).map((all) => all.join('\n---\n'));
  const kustomization = (resources: string) =>
    fc
      .constantFrom(
        '',
        'namespace: shop\n',
        'namePrefix: my-\n',
        'labels: [{pairs: {tier: a}, includeSelectors: true}]\n',
      )
      .map((more) => `resources: [${resources}]\n${more}`);
  const files = fc.record(
    {
      'a/one.yaml': objects,
      'a/two.yaml': objects,
      'b/one.yaml': objects,
      'b/deep/er/two.yaml': objects,
      'c/base/kustomization.yaml': kustomization('one.yaml'),
      'c/base/one.yaml': objects,
      'c/prod/kustomization.yaml': kustomization('../base, two.yaml'),
      'c/prod/two.yaml': objects,
      'c/test/kustomization.yaml': kustomization('../base'),
      'd/Chart.yaml': fc.constant('apiVersion: v2\nname: d\n'),
      'd/templates/one.yaml': objects,
    },
    { requiredKeys: [] },
  );

  it('equals a comparison with each object, as written and as each kustomization applies it', () => {
    fc.assert(
      fc.property(files, (texts) => {
        const written = objectsOfTree(workspaceWith(texts));
        const scopes = written.scopes().all();
        const views = scopes.flatMap((scope) => {
          const view = seenBy(written, catalogue, scope);
          return view === undefined ? [] : [[view, scope] as const];
        });
        for (const [world, seenFrom] of [[written, undefined] as const, ...views]) {
          for (const [owner, site, asked] of selectorsOf(world)) {
            // The objects of kustomizations are evaluated in the view of each of them, and all others outside of these
            // views.
            const [scope] = world.scopes().of(owner.file.uri);
            if (seenFrom === undefined ? scope?.kind === 'kustomization' : scope !== seenFrom) continue;
            const { matches, maybe, elsewhere, uncertain } = selectionOf(world, catalogue, owner, site);
            const told = [
              ['matches', matches],
              ['maybe', maybe],
              ['elsewhere', elsewhere],
            ] as const;
            const lines = told.flatMap(([group, found]) => found.map((match) => `${group} ${lineOf(match)}`));
            const looked = lookedAt(world, written, owner, site, asked);
            const from = `${owner.file.uri} ${owner.object.kind} ${site.path}`;
            assert.deepEqual(lines.toSorted(), looked.lines.toSorted(), from);
            assert.equal(uncertain, looked.uncertain, from);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('deserialized objects', () => {
  const pod = (name: string, app: string) =>
    `{apiVersion: v1, kind: Pod, metadata: {name: ${name}, labels: {app: ${app}}}}`;
  const policy = (app: string) =>
    `{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: wide}, spec: {podSelector: {matchLabels: {app: ${app}}}}}`;

  /** The matches of the first selector, and the files that are deserialized afterwards. */
  function watched(files: Readonly<Record<string, string>>) {
    const read = new Set<string>();
    const watchedFiles = workspaceWith(files).map(({ manifest, ...file }) => ({
      ...file,
      get manifest() {
        read.add(file.uri);
        return manifest;
      },
    }));
    const workspace = objectsOfTree(watchedFiles);
    const [[owner, site] = []] = selectorsOf(workspace);
    assert.ok(owner && site);
    workspace.labelCounts('/Pod');
    workspace.scopes().all();
    read.clear();
    return { read, selection: selectionOf(workspace, catalogue, owner, site) };
  }

  const numbers = Array.from({ length: 40 }, (_, number) => number);

  it('exclude matches elsewhere of a selector that matches very many', () => {
    const apps = numbers.flatMap((number) => [
      [`apps/app-${number}/kustomization.yaml`, 'resources: [pod.yaml]\n'],
      [`apps/app-${number}/pod.yaml`, pod(`pod-${number}`, 'web')],
    ]);
    const { read, selection } = watched({ 'apps/here/policy.yaml': policy('web'), ...Object.fromEntries(apps) });
    assert.equal(selection.elsewhere.length, 40);
    assert.ok(selection.mayMatchOthers);
    assert.deepEqual([...read], []);
    assert.equal(selection.elsewhere[0]?.object.name?.text, 'pod-0');
    assert.deepEqual([...read], [`${root}/apps/app-0/pod.yaml`]);
  });

  it('exclude a large folder with few near misses', () => {
    const pods = numbers.map((number) => [`all/pod-${number}.yaml`, pod(`pod-${number}`, `backend-${number}`)]);
    const { read, selection } = watched({ 'all/policy.yaml': policy('backend-7x'), ...Object.fromEntries(pods) });
    assert.ok(selection.hasCompany);
    const [nearest] = selection.nearMisses;
    assert.deepEqual([...read], []);
    assert.equal(nearest?.object.name?.text, 'pod-7');
    assert.deepEqual(nearest?.reasons, ["`app` is 'backend-7', but the selector wants 'backend-7x'"]);
  });
});

function* selectorsOf(workspace: Workspace): Generator<readonly [ObjectInFile, SelectorSite, Selector]> {
  for (const file of workspace.files.values()) {
    for (const object of objectsOf(workspace, file)) {
      for (const site of object.selectorSites) {
        const selector = effectiveSelector(site);
        if (selector !== undefined) yield [{ file, object }, site, selector];
      }
    }
  }
}

function lineOf({
  file,
  object,
  labeledObject,
  reasons,
}: LabeledObjectInFile & { readonly reasons: readonly string[] }): string {
  const isCertain = reasons.length === 0 ? 'certain' : 'not certain';
  return `${file.uri} ${object.kindSpan.start} ${object.name?.text} ${labeledObject.via ?? ''} ${isCertain}`;
}

/** The evaluation of every object of the workspace. */
function lookedAt(world: Workspace, written: Workspace, owner: ObjectInFile, site: SelectorSite, asked: Selector) {
  const from = placeOf(owner);
  const targets = site.fact.targets.map(kindKey);
  const around = world.scopes().filesAround(from);
  const lines: string[] = [];
  let uncertain = site.open;
  for (const file of world.files.values()) {
    if (asked.kind === 'everything' && !around.has(file.uri)) continue;
    for (const object of objectsOf(world, file)) {
      for (const labeledObject of labeledObjectsOf(object)) {
        const candidate = { file, object, labeledObject };
        if (!targets.includes(kindKey(labeledObject.target)) || evaluate(asked, labeledObject) === 'no') continue;
        const relation = relationIn(world, written, from, candidate);
        const place = reaches(world, catalogue, owner, site, candidate).answer;
        if (relation === 'apart' || place === 'no') continue;
        if (relation === 'elsewhere' && areVersions(owner.object, object)) continue;
        const isSure =
          evaluate(asked, labeledObject) === 'yes' &&
          !(relation === 'elsewhere' && isOfTemplates(asked, labeledObject));
        const isRequired =
          asked.kind === 'all' && asked.requirements.some(({ key }) => Object.hasOwn(labeledObject.labels, key));
        if (!isSure && (relation === 'elsewhere' || (labeledObject.guessed && asked.kind === 'all' && !isRequired))) {
          uncertain ||= relation === 'here' || isRequired;
          continue;
        }
        const isCertain = isSure && place === 'yes' && !requiresMore(site, candidate);
        const group = relation === 'elsewhere' ? 'elsewhere' : isCertain ? 'matches' : 'maybe';
        lines.push(`${group} ${lineOf({ ...candidate, reasons: isCertain ? [] : ['?'] })}`);
      }
    }
  }
  return { lines, uncertain };
}

/** An expression of a template has a different value elsewhere. */
function isOfTemplates(asked: Selector, { labels }: LabeledObject): boolean {
  return (
    asked.kind === 'all' &&
    asked.requirements.some(({ key, values }) => isUnknown(labels[key]) && values.some(isUnknown))
  );
}

/** A copy of an object that is `here`, written or applied, is `apart`. */
function relationIn(world: Workspace, written: Workspace, from: string, where: LabeledObjectInFile) {
  const identity = identityOf(where.object);
  const relation = world.scopes().relation(from, placeOf(where));
  if (relation === 'here') return world.scopes().relation(from, placeOf(where), where);
  if (identity === undefined || relation === 'apart') return relation;
  const [scope] = world.scopes().of(from);
  const isIn = (snapshot: Workspace, uris: Iterable<string>) =>
    Array.from(uris, (uri) => snapshot.files.get(uri)).some((file) =>
      file?.manifest.objects.some((object) => object.forCluster && identityOf(object) === identity),
    );
  if (where.file.uri === everyCluster) {
    return isIn(
      written,
      [...written.files.keys()].filter((uri) => uri !== everyCluster),
    )
      ? 'apart'
      : relation;
  }
  const applied = world === written ? [] : world.scopes().filesAround(from);
  return isIn(written, scope?.files ?? []) || isIn(world, applied) ? 'apart' : relation;
}
