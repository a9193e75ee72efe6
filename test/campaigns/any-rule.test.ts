/** Tests that the findings of any rule are up to date after changes, although a rule states nothing about what it reads: each rule here reads other files in one way. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Context } from '../../server/src/rules/framework/context.ts';
import { type Rule, type RuleContext, rule } from '../../server/src/rules/framework/rule.ts';
import { noSuppressions } from '../../server/src/rules/framework/suppressions.ts';
import { defaultSettings } from '../../server/src/settings/settings.ts';
import type { WorkspaceFile } from '../../server/src/workspace/model.ts';
import type { Scope } from '../../server/src/workspace/scopes/model.ts';
import { Comparisons, maximumComparisons } from '../../server/src/workspace/selection/comparison-budget.ts';
import { withoutDefaults } from '../../server/src/workspace/snapshot.ts';
import { changed, changes, differing, type Files, pools } from '../cli/random-histories.ts';
import { folder, Watched } from '../features/watched-problems.ts';
import { campaignRuns } from './scale.ts';

const shown = ({ kind, path, name, namespace, cluster, closed, files }: Scope) => [
  ...[kind, path, name, namespace, cluster, closed],
  [...files].toSorted(),
];

/** What a rule reads, given the URIs of some files, which may exist or not. */
type Reading = (context: RuleContext, others: readonly string[]) => unknown;

const readings: Readonly<Record<string, Reading>> = {
  'the list of all scopes': ({ workspace }) => workspace.scopes().all().map(shown),
  'the facts of all files': ({ workspace }) =>
    [...workspace.scopes().facts()].map(([uri, { identities, kustomization }]) => [uri, identities, kustomization]),
  'the facts of other files': ({ workspace }, others) =>
    others.map((uri) => [workspace.scopes().factsOf(uri)?.identities, workspace.scopes().factsOf(uri)?.kustomization]),
  'the scopes of other files': ({ workspace }, others) =>
    others.map((uri) => [workspace.scopes().of(uri), workspace.scopes().building(uri)].map((all) => all.map(shown))),
  'the namespaces of other files': ({ workspace }, others) => others.map((uri) => workspace.scopes().namespaceOf(uri)),
  'whether other files are patches': ({ workspace }, others) => others.map((uri) => workspace.scopes().isPatch(uri)),
  'the relations to other files': ({ workspace, uri }, others) =>
    others.map((other) => [workspace.scopes().relation(uri, other), workspace.scopes().relation(other, uri)]),
  'the relations of other files': ({ workspace }, others) =>
    others.map((from) => others.map((to) => workspace.scopes().relation(from, to))),
  'which scopes share a cluster': ({ workspace }, others) => {
    const scopes = workspace.scopes();
    const all = [...new Set(others.flatMap((uri) => scopes.of(uri)))];
    return all.map((one) => all.map((other) => [scopes.relationOf(one, other), scopes.shareCluster(one, other)]));
  },
  'the files that are applied together with others': ({ workspace }, others) =>
    others.map((uri) => [...workspace.scopes().filesAround(uri)].toSorted()),
  'the clusters of GitOps objects': ({ workspace }) =>
    workspace
      .scopes()
      .clusterGroups()
      .map(({ key, scopes }) => [key, [...scopes].map(shown)]),
  'the content of other files': ({ workspace }, others) =>
    others.map((uri) =>
      workspace.files
        .get(uri)
        ?.manifest.objects.map(({ kind, name, labelSites }) => [
          kind,
          name?.text,
          labelSites.map(({ entries }) => entries.map(({ key, value }) => [key.text, value.text])),
        ]),
    ),
  'which files exist': ({ workspace }) => [...workspace.files.keys()].toSorted(),
  'the objects that other scopes build': ({ workspace, catalogue }, others) =>
    others.flatMap((uri) =>
      workspace
        .scopes()
        .ofFile(uri)
        .map(({ path }) =>
          workspace
            .rendering(path, catalogue)
            ?.objects.map(({ object }) => [object.kind, object.name?.text, object.namespace?.text]),
        ),
    ),
  'all labels of a key': ({ workspace }) =>
    workspace.carrying('app', undefined).map(({ folder: where, files }) => [where, files.map(({ uri }) => uri)]),
};

function ruleOf(reading: Reading, others: readonly string[]): Rule {
  return rule<{ readonly span: { readonly start: number; readonly end: number }; readonly text: string }>({
    id: 'any-rule',
    needs: 'objects',
    severity: 'warning',
    summary: 'Reads other files.',
    why: 'To test that what it reads is recorded.',
    bad: [{ title: '', text: '' }],
    good: [],
    *check(context) {
      yield { span: { start: 0, end: 0 }, text: JSON.stringify(reading(context, others)) };
    },
    message: ({ text }) => text,
    fixes: () => [],
  });
}

function findingsOf(any: Rule, file: WorkspaceFile, { session }: Watched, text: string) {
  const { uri, manifest } = file;
  const snapshot = session.snapshot();
  const input = {
    ...{ uri, file, manifest, catalogue: session.workspace.catalogueOf(uri), settings: defaultSettings },
    ...{ workspace: withoutDefaults(snapshot), executed: snapshot, readText: () => text },
    ...{ textOf: () => undefined, isUnread: () => false },
  };
  const others = {
    ...{ ruleIds: [], suppressions: noSuppressions },
    done: { ran: () => true, everyRule: false, used: new Set<never>(), cut: new Map<string, never>() },
    comparisons: new Comparisons(maximumComparisons),
  };
  return any.find(new Context(input, others));
}

describe('a rule that reads, without a statement about it,', () => {
  const runs = campaignRuns(500);
  const uriOf = (path: string) => `${folder}/${path}`;
  const chosen = fc.array(fc.nat(), { minLength: 1, maxLength: 4 });
  for (const [what, reading] of Object.entries(readings))
    it(`${what} finds after any changes what it finds in a new workspace`, async () => {
      await fc.assert(
        fc.asyncProperty(
          pools,
          chosen,
          fc.array(changes, { minLength: 1, maxLength: 5 }),
          async (pool, some, steps) => {
            const others = some.flatMap((number) => uriOf(pool[number % pool.length]?.[0] ?? ''));
            const any = ruleOf(reading, others);
            const loaded = (files: Files) =>
              new Watched(
                [...files].map(([path, text]) => [uriOf(path), text]),
                (file, watched, text) => findingsOf(any, file, watched, text),
              ).load();
            let now: Files = new Map(pool);
            const watched = await loaded(now);
            await watched.run();
            for (const made of steps) {
              const next = changed(now, pool, made);
              for (const path of differing(now, next)) {
                const text = next.get(path);
                await (text === undefined ? watched.delete(uriOf(path)) : watched.write(uriOf(path), text));
              }
              now = next;
              const anew = await (await loaded(now)).run();
              assert.deepEqual([...(await watched.run())].toSorted(), [...anew].toSorted());
            }
          },
        ),
        { numRuns: runs },
      );
    }).timeout(3_600_000);
});
