/** Tests that a check reuses the findings of an earlier run if, and only if, they are still valid. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { generateFiles } from '../../bench/generate-workspace.ts';
import { checkFormats } from '../../server/src/cli/formats/all.ts';
import type { StoredFiles } from '../../server/src/workspace/store/file-store.ts';
import { campaignRuns } from '../campaigns/scale.ts';
import { badPrices, goodPrices, service, web } from './manifests.ts';
import { manyClusters } from './many-clusters.ts';
import { manyApplications, manyFluxes } from './many-gitops.ts';
import { manyNames } from './many-names.ts';
import { changesOfReferences, references } from './many-references.ts';
import { manyScopes } from './many-scopes.ts';
import { manyClusterVariables, manyTracked, manyVariables } from './many-settings.ts';
import { manySiblings, manyStructures } from './many-structures.ts';
import { type MemoryOptions, runInMemory } from './memory-world.ts';
import { changeKinds, changeOne, nameKinds, quietKinds, related, visibleKinds } from './random-changes.ts';
import { structureKinds } from './structure-changes.ts';

const files = { 'bad.yaml': badPrices, 'app/web.yaml': web, 'app/service.yaml': service };

/** Runs a command twice, the second time with files whose reading would be noticed. */
async function twice(words: readonly string[], second: MemoryOptions['files'] = files, again = words) {
  const caches = new Map<string, StoredFiles>();
  const first = await runInMemory(words, { files, caches });
  const failure = new Error('everything is read again');
  const unread = await runInMemory(again, { files: second, caches, failure });
  const fresh = await runInMemory(again, { files: second });
  return { first, fresh, unread, isKnown: !unread.err.some((line) => line.includes(failure.message)) };
}

describe('a second check', () => {
  for (const { name: format } of checkFormats) {
    it(`prints the same report without reading a file, as ${format}`, async () => {
      const { first, unread, isKnown } = await twice(['check', '--format', format]);
      assert.ok(isKnown);
      assert.deepEqual([unread.code, unread.out, unread.err], [first.code, first.out, first.err]);
    });
  }

  it('prints it in another format, with another severity and with a baseline', async () => {
    for (const words of [
      ['check', '--format', 'json'],
      ['check', '--severity', 'hint'],
    ]) {
      const { fresh, unread, isKnown } = await twice(['check'], files, words);
      assert.ok(isKnown);
      assert.deepEqual([unread.code, unread.out], [fresh.code, fresh.out]);
    }
  });

  it('reads files again after one was changed, added or removed', async () => {
    const { 'bad.yaml': _, ...fewer } = files;
    const changes = [
      { ...files, 'bad.yaml': goodPrices },
      { ...files, 'app/new.yaml': goodPrices },
      { ...files, '.selector-lens.yaml': 'rules: {}\n' },
      fewer,
    ];
    for (const second of changes) assert.equal((await twice(['check'], second)).isKnown, false);
  });

  it('reads files again for another command line', async () => {
    for (const words of [
      ['check', 'app'],
      ['check', '--root', 'app', 'app'],
      ['check', '-n', 'other'],
      ['check', 'bad.yaml'],
      ['check', '--no-cache'],
      ['check', '--fix'],
      ['match', '-l', 'a'],
    ]) {
      assert.equal((await twice(['check'], files, words)).isKnown, false, words.join(' '));
    }
  });

  it('uses the cache right after the files were written, and hashes none once they are older', async () => {
    const caches = new Map<string, StoredFiles>();
    const failure = new Error('everything is parsed again');
    const first = await runInMemory(['check'], { files, caches, fresh: true });
    const young = await runInMemory(['check'], { files, caches, fresh: true, failure });
    assert.deepEqual([young.code, young.out, young.err], [first.code, first.out, first.err]);
    const header = [...caches].find(([name]) => name.startsWith('report'))?.[1].header;
    assert.ok(header?.includes('bad.yaml'));
  });

  it('detects a file that changed right after it was read, with equal size and time', async () => {
    const caches = new Map<string, StoredFiles>();
    await runInMemory(['check'], { files, caches, fresh: true });
    const changed = { ...files, 'bad.yaml': files['bad.yaml'].replace(/.$/m, 'x') };
    const cached = await runInMemory(['check'], { files: changed, caches, fresh: true });
    const anew = await runInMemory(['check'], { files: changed });
    assert.deepEqual([cached.code, cached.out, cached.err], [anew.code, anew.out, anew.err]);
  });

  it('prints after any changes what a check without a cache prints', async () => {
    const small = [...Object.entries(related), ...Object.entries(files)];
    const large = [...small, ...generateFiles(24).map(({ path, text }) => [path, text] as const)];
    const scopes = Object.entries(manyScopes);
    // In a small workspace most changes concern other files.
    const names = Object.entries(manyNames);
    const structures = Object.entries(manyStructures);
    const siblings = Object.entries(manySiblings);
    const clusters = Object.entries(manyClusters);
    const gitops = [manyApplications, manyFluxes, manyVariables, manyClusterVariables, manyTracked].map((each) =>
      Object.entries(each),
    );
    const pools = fc.constantFrom(
      small,
      scopes,
      scopes,
      names,
      names,
      structures,
      structures,
      structures,
      siblings,
      clusters,
      clusters,
      ...gitops,
      large,
    );
    const changeOf = (kinds: readonly string[]) =>
      fc.record({ file: fc.nat(), kind: fc.constantFrom(...kinds), seed: fc.nat() });
    // Some runs only make changes after which findings in other files are reused.
    const changes = fc.oneof(
      fc.array(changeOf(changeKinds), { minLength: 1, maxLength: 3 }),
      fc.array(changeOf(quietKinds), { minLength: 1, maxLength: 3 }),
      fc.array(changeOf(visibleKinds), { minLength: 1, maxLength: 2 }),
      fc.array(changeOf(nameKinds), { minLength: 1, maxLength: 2 }),
      fc.array(changeOf(structureKinds), { minLength: 1, maxLength: 3 }),
      fc.array(changeOf(structureKinds), { minLength: 1, maxLength: 3 }),
    );
    const step = fc.record({ changes, fresh: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(pools, fc.array(step, { minLength: 1, maxLength: 6 }), async (pool, steps) => {
        const caches = new Map<string, StoredFiles>();
        const now = new Map<string, string>(pool);
        await runInMemory(['check'], { files: Object.fromEntries(now), caches });
        for (const { changes, fresh } of steps) {
          for (const { file, kind, seed } of changes) {
            changeOne(now, pool, file, kind, seed);
          }
          const options = { files: Object.fromEntries(now) };
          // This format contains fixes, related positions and fingerprints.
          const words = ['check', '--format', 'sarif'];
          const cached = await runInMemory(words, { ...options, caches, fresh });
          const anew = await runInMemory([...words, '--no-cache'], options);
          assert.deepEqual([cached.code, cached.out, cached.err], [anew.code, anew.out, anew.err]);
        }
      }),
      { numRuns: campaignRuns(1_000) },
    );
  }).timeout(3_600_000);

  describe('after a change', () => {
    /** Checks twice; files with reported or reused findings are read for these findings. */
    async function checkedAfter(change: Readonly<Record<string, string>>, all: Readonly<Record<string, string>>) {
      const caches = new Map<string, StoredFiles>();
      await runInMemory(['check'], { files: all, caches });
      const changed = { ...all, ...change };
      const cached = await runInMemory(['check', '--format', 'json'], { files: changed, caches });
      const anew = await runInMemory(['check', '--format', 'json'], { files: changed });
      assert.deepEqual([cached.code, cached.out, cached.err], [anew.code, anew.out, anew.err]);
      return { cached: [...new Set(cached.readAgain)].sort(), anew: [...new Set(anew.readAgain)].sort() };
    }

    it('checks only the changed file if other files cannot distinguish its versions', async () => {
      const comment = { 'app/web.yaml': `# A comment.\n${web}` };
      const { cached, anew } = await checkedAfter(comment, files);
      assert.deepEqual([cached, anew], [[], ['bad.yaml']]);
      const own = await checkedAfter({ 'bad.yaml': `# A comment.\n${badPrices}` }, files);
      assert.deepEqual(own.cached, ['bad.yaml']);
    });

    it('checks a file again whose finding refers to the changed file', async () => {
      const all: Readonly<Record<string, string>> = { ...related, 'bad.yaml': badPrices };
      const target = 'near/deployment.yaml';
      const { cached, anew } = await checkedAfter({ [target]: `# A comment.\n${all[target]}` }, all);
      assert.ok(cached.includes('near/service.yaml'), cached.join());
      assert.ok(!cached.includes('bad.yaml') && anew.includes('bad.yaml'));
    });

    describe('of labels', () => {
      const bad = { 'else/where/bad.yaml': badPrices };
      const lonely = (app: string) => service.replaceAll('shop', 'far').replace(/app: web\n$/, `app: ${app}\n`);

      it('checks the files of the scope', async () => {
        const all = { ...bad, 'near/service.yaml': lonely('wbe'), 'near/web.yaml': web.replaceAll('shop', 'far') };
        const relabeled = { 'near/web.yaml': all['near/web.yaml'].replaceAll('app: web', 'app: wbe') };
        const { cached, anew } = await checkedAfter(relabeled, all);
        assert.ok(!cached.includes('else/where/bad.yaml') && anew.includes('else/where/bad.yaml'), cached.join());
      });

      it('checks a selector of another scope that matches or matched the object', async () => {
        const far = { 'far/service.yaml': lonely('web'), 'far/api.yaml': web.replaceAll('web', 'api') };
        const all = { ...bad, ...far, 'a/b/c/web.yaml': web.replaceAll('shop', 'far') };
        const relabeled = { 'a/b/c/web.yaml': all['a/b/c/web.yaml'].replaceAll('app: web', 'app: other') };
        const { cached, anew } = await checkedAfter(relabeled, all);
        assert.ok(cached.includes('far/service.yaml') && anew.includes('far/service.yaml'), cached.join());
        assert.ok(!cached.includes('else/where/bad.yaml') && anew.includes('else/where/bad.yaml'), cached.join());
      });

      it('checks a selector of another scope only if it may match what a kustomization builds now', async () => {
        const workload = (labels: string) =>
          `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: far}\nspec:\n  selector: {matchLabels: {${labels}}}\n  template:\n    metadata: {labels: {${labels}}}\n`;
        const all: Readonly<Record<string, string>> = {
          'far/service.yaml':
            'apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: far}\nspec: {selector: {app: basket, team: red}}\n',
          'far/web.yaml': workload('app: baskett, team: red'),
          'built/kustomization.yaml':
            'resources: [web.yaml]\nlabels:\n- pairs: {team: red}\n  includeTemplates: true\n',
          'built/web.yaml': workload('app: other'),
        };
        const relabeled = (app: string) => ({
          'built/web.yaml': all['built/web.yaml']?.replaceAll('app: other', app) ?? '',
        });
        const matched = await checkedAfter(relabeled('app: basket'), all);
        assert.ok(!matched.anew.includes('far/service.yaml'), matched.anew.join());
        const { cached, anew } = await checkedAfter(relabeled('app: another'), all);
        assert.ok(!cached.includes('far/service.yaml') && anew.includes('far/service.yaml'), cached.join());
      });

      it('checks what a changed kustomization builds', async () => {
        const path = 'built/base/kustomization.yaml';
        const all: Readonly<Record<string, string>> = { ...related, ...bad };
        const { cached, anew } = await checkedAfter({ [path]: `${all[path]}`.replace('team: red', 'team: "-"') }, all);
        assert.ok(cached.includes(path), cached.join());
        assert.ok(!cached.includes('else/where/bad.yaml') && anew.includes('else/where/bad.yaml'), cached.join());
      });

      it('checks every file if a definition changes', async () => {
        const all: Readonly<Record<string, string>> = { ...related, ...bad };
        const path = 'defined/definition.yaml';
        const { cached, anew } = await checkedAfter({ [path]: `${all[path]}`.replace('scope: Namespaced', '') }, all);
        assert.deepEqual(cached, anew);
      });

      it('checks only concerned files if the scopes change', async () => {
        const all: Readonly<Record<string, string>> = { ...related, ...bad };
        const path = 'built/base/kustomization.yaml';
        const { cached, anew } = await checkedAfter({ [path]: `${all[path]}`.replace('- service.yaml\n', '') }, all);
        assert.ok(cached.includes('built/base/service.yaml'), cached.join());
        assert.ok(!cached.includes('else/where/bad.yaml') && anew.includes('else/where/bad.yaml'), cached.join());
      });
    });

    describe('of names', () => {
      const all: Readonly<Record<string, string>> = { ...manyNames, 'else/where/bad.yaml': badPrices };
      for (const [what, path, before, after, concerned] of [
        ['a reference in another scope', 'two/names.yaml', 'name: shop', 'name: webs', ['two/names.yaml']],
        ['the only use of an object', 'two/api.yaml', 'name: webs', 'name: other', ['more/parts/claim.yaml']],
        ['the only other object of a namespace', 'far/away/service.yaml', 'shops', 'shopp', ['versions/near.yaml']],
        ['a Service that a text names', 'far/away/service.yaml', 'shops', 'shop', ['more/parts/calls.yaml']],
        ['namespaces of versions', 'old/versions/shop.yaml', 'name: api', 'name: web', ['versions/first/shop.yaml']],
        ['an object in another scope', 'old/parts/webb.yaml', 'name: webb', 'name: other', ['one/scaler.yaml']],
        ['an object of the named kind', 'old/parts/state.yaml', 'name: state', 'name: other', ['kinds/scaler.yaml']],
      ] as const) {
        it(`checks files that depend on ${what}`, async () => {
          const { cached, anew } = await checkedAfter({ [path]: `${all[path]}`.replaceAll(before, after) }, all);
          const changed = anew.filter((each) => concerned.some((uri) => uri === each));
          assert.ok(
            changed.every((each) => cached.includes(each)),
            cached.join(),
          );
          assert.ok(!cached.includes('else/where/bad.yaml') && anew.includes('else/where/bad.yaml'), cached.join());
        });
      }

      it('checks only files of the scope if it contains no GitOps objects', async () => {
        const app = (name: string): Readonly<Record<string, string>> => ({
          [`${name}/kustomization.yaml`]: 'resources: [deployment.yaml]\n',
          [`${name}/deployment.yaml`]: `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ${name}, labels: {app: "a b"}}\nspec:\n  selector: {matchLabels: {app: ${name}}}\n  template:\n    metadata: {labels: {app: ${name}}}\n    spec:\n      serviceAccountName: ${name}\n      containers: [{name: c, image: c, envFrom: [{configMapRef: {name: ${name}-settings}}]}]\n`,
        });
        const all: Readonly<Record<string, string>> = {
          ...app('web'),
          ...app('api'),
          'plain/account.yaml': 'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: plain}\n',
        };
        const renamed = await checkedAfter(
          { 'web/deployment.yaml': `${all['web/deployment.yaml']}`.replace('{name: web,', '{name: webs,') },
          all,
        );
        const other = 'api/deployment.yaml';
        assert.ok(renamed.anew.includes(other) && !renamed.cached.includes(other), renamed.cached.join());
        const account = { 'plain/more.yaml': 'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: more}\n' };
        assert.ok(!(await checkedAfter(account, all)).cached.includes(other));
      });
    });

    it('checks a file that selects nodes by a key only if the first object has this key, or none any more', async () => {
      const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  nodeSelector: {example.com/pool: fast}\n';
      const node = (key: string) =>
        `apiVersion: v1\nkind: Node\nmetadata: {name: n, labels: {example.com/disk: ssd, "${key}": fast}}\n`;
      const other = (labels: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, labels: {${labels}}}\n`;
      const all = {
        'nodes/node.yaml': node('example.com/poool'),
        'a/b/pod.yaml': pod,
        'c/d/map.yaml': other('app: a'),
      };
      const { cached, anew } = await checkedAfter({ 'c/d/map.yaml': other('app: b') }, all);
      assert.ok(anew.includes('a/b/pod.yaml') && !cached.includes('a/b/pod.yaml'), cached.join());
      const keyed = { ...all, 'c/d/map.yaml': other('example.com/pool: fast') };
      assert.ok(!(await checkedAfter(keyed, all)).anew.includes('a/b/pod.yaml'));
      assert.ok((await checkedAfter(all, keyed)).cached.includes('a/b/pod.yaml'));
    });

    it('checks each file that refers to the name of an object that a controller creates', async () => {
      const pod = (name: string, secret: string) =>
        `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec:\n  containers: [{name: c, image: c}]\n  volumes: [{name: v, secret: {secretName: ${secret}}}]\n`;
      const certificate = (secret: string) =>
        `apiVersion: cert-manager.io/v1\nkind: Certificate\nmetadata: {name: web}\nspec: {secretName: ${secret}, dnsNames: [example.com], issuerRef: {name: ca}}\n`;
      const all = {
        'apps/a.yaml': pod('first', 'checkout-tsl'),
        'apps/b.yaml': pod('second', 'checkout-tlss'),
        'apps/certificate.yaml': certificate('checkout-tls'),
      };
      const { anew } = await checkedAfter({ 'apps/certificate.yaml': certificate('payments') }, all);
      assert.ok(!anew.includes('apps/a.yaml') && !anew.includes('apps/b.yaml'), anew.join());
      await checkedAfter(all, { ...all, 'apps/certificate.yaml': certificate('payments') });
    });

    describe('of objects to which others refer', () => {
      for (const [what, path, before, after] of changesOfReferences) {
        it(`prints what a check without a cache prints after a change of ${what}`, async () => {
          const text = references[path] ?? '';
          assert.ok(text.includes(before));
          const changed = { [path]: text.replaceAll(before, after) };
          const found = async (files: Readonly<Record<string, string>>) => {
            const { out } = await runInMemory(['check', '--format', 'github'], { files });
            return out.filter((line) => !line.includes(`file=${path}`)).join('\n');
          };
          assert.notEqual(await found(references), await found({ ...references, ...changed }));
          await checkedAfter(changed, references);
          await checkedAfter({ [path]: text }, { ...references, ...changed });
        });
      }
    });

    it('checks every file if the cache of files is newer than the report', async () => {
      const caches = new Map<string, StoredFiles>();
      const label = { ...files, 'app/service.yaml': service.replace('    app: web\n', '    app: other\n') };
      const comment = { ...label, 'app/service.yaml': `# A comment.\n${label['app/service.yaml']}` };
      await runInMemory(['check'], { files, caches });
      await runInMemory(['objects'], { files: label, caches });
      const cached = await runInMemory(['check', '--format', 'json'], { files: comment, caches });
      const anew = await runInMemory(['check', '--format', 'json'], { files: comment });
      assert.deepEqual([cached.code, cached.out, cached.err], [anew.code, anew.out, anew.err]);
      assert.deepEqual(cached.readAgain, anew.readAgain);
    });
  });

  it('reads no text of a file again for rules that find nothing', async () => {
    const clean = { 'pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n' };
    assert.deepEqual((await runInMemory(['check'], { files: clean })).readAgain, []);
  });

  it('still reports a folder without manifests', async () => {
    const caches = new Map<string, StoredFiles>();
    for (let round = 0; round < 2; round++) {
      const { code, err } = await runInMemory(['check'], { files: { 'a.txt': '' }, caches });
      assert.deepEqual([code, err], [2, ['selector-lens: No Kubernetes objects in the given paths.']]);
    }
  });

  it('contains no other text of a line with a finding in a Secret', async () => {
    const secret =
      '{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s", "labels": {"a": "b c"}}, "stringData": {"p": "hunter2"}}';
    const caches = new Map<string, StoredFiles>();
    const { out } = await runInMemory(['check'], { files: { 'secret.json': secret }, caches });
    assert.ok(out.some((line) => line.includes('"b c"')));
    assert.ok(!out.join('\n').includes('hunter2'));
    for (const { header, bytes } of caches.values())
      assert.ok(!`${header}${new TextDecoder().decode(bytes)}`.includes('hunter2'));
  });
});
