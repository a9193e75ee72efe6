/** Tests that the index of tools follows the files: after every change, answers are those of a new process. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chartChanges, installedCharts } from '../cli/installed-charts.ts';
import { manyScopes } from '../cli/many-scopes.ts';
import { runOnDisk } from '../corpus/disk-world.ts';
import { agentIn, inFolder, jsonOf } from './agent.ts';

const pod = (name: string, app: string) =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name}, labels: { app: ${app} } }\n`;
const service = (app: string) =>
  `apiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec:\n  selector: { app: ${app} }\n`;

const files = { 'apps/pod.yaml': pod('web', 'web'), 'apps/service.yaml': service('web') };

const proposal = { files: [{ path: 'apps/service.yaml', text: service('other') }] };
const standardInput = JSON.stringify(proposal);
const renaming = { object: 'Pod/web', label: 'app=webc', to: 'shop' };
const renamingWords = ['rename-plan', '--object', 'Pod/web', '--label', 'app=webc', '--to', 'shop'];

/** Changes, each with its name. */
const steps: readonly (readonly [name: string, change: (folder: string) => void])[] = [
  ['nothing', () => {}],
  ['an edit', write('apps/service.yaml', service('webb'))],
  ['an edit of equal size', write('apps/service.yaml', service('webc'))],
  ['a new file', write('apps/other.yaml', pod('other', 'webc'))],
  ['a new folder', write('apps/more/deep/pod.yaml', pod('deep', 'webc'))],
  ['a file in the new folder', write('apps/more/deep/second.yaml', pod('second', 'webc'))],
  ['a kustomization', write('apps/kustomization.yaml', 'resources: [service.yaml, pod.yaml]\nnamePrefix: a-\n')],
  ['an edit of the kustomization', write('apps/kustomization.yaml', 'resources: [service.yaml]\nnamePrefix: b-\n')],
  ['a renamed folder', (folder) => renameSync(join(folder, 'apps/more'), join(folder, 'apps/moved'))],
  ['an edit in the renamed folder', write('apps/moved/deep/pod.yaml', pod('again', 'webc'))],
  ['a configuration', write('.selector-lens.yaml', 'rules: { selects-nothing: error }\n')],
  ['a link', (folder) => symlinkSync(join(folder, 'apps/pod.yaml'), join(folder, 'link.yaml'))],
  ['an edit of its target', write('apps/pod.yaml', pod('web', 'webc'))],
  ['a deleted link', (folder) => rmSync(join(folder, 'link.yaml'))],
  ['an ignore file', write('.gitignore', 'apps/moved\n')],
  ['a deleted ignore file', (folder) => rmSync(join(folder, '.gitignore'))],
  ['a deleted folder', (folder) => rmSync(join(folder, 'apps/moved'), { recursive: true })],
  ['the folder again', write('apps/moved/deep/pod.yaml', pod('back', 'webc'))],
  ['a file instead of the folder', fileInsteadOf('apps/moved')],
  ['a folder instead of a file', folderInsteadOf('apps/other.yaml')],
  ['a file in this folder', write('apps/other.yaml/pod.yaml', pod('inner', 'webc'))],
  ['a script', write('deploy.sh', 'kubectl get pods -l app=nowhere\n')],
  ['an edit of the script', write('deploy.sh', 'kubectl get pods -l app=webc\n')],
];

/** Replaces a folder by a file: the paths below it, which have changed too, can no longer be examined. */
function fileInsteadOf(path: string): (folder: string) => void {
  return (folder) => {
    rmSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, path), 'text');
  };
}

function folderInsteadOf(path: string): (folder: string) => void {
  return (folder) => {
    rmSync(join(folder, path));
    mkdirSync(join(folder, path));
  };
}

function write(path: string, text: string): (folder: string) => void {
  return (folder) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
}

describe('the index of tools', () => {
  for (const [way, isUnwatched] of [
    ['by events', false],
    ['by size and time', true],
  ] as const) {
    it(`follows the files ${way}`, async () => {
      await inFolder(files, async (folder) => {
        execFileSync('git', ['init', '--quiet'], { cwd: folder });
        const agent = agentIn(folder, isUnwatched);
        for (const [name, change] of steps) {
          change(folder);
          for (const [tool, input, words] of [
            ['check', {}, ['check']],
            ['check', { paths: ['apps'] }, ['check', 'apps']],
            ['objects', {}, ['objects']],
            ['match', { selector: 'app=webc' }, ['match', '-l', 'app=webc']],
            ['reach', {}, ['reach', '--limit', '500']],
            ['impact', proposal, ['impact', '-']],
            ['rename_plan', renaming, renamingWords],
            ['impact', proposal, ['impact', '-']],
            ['rename_plan', renaming, renamingWords],
          ] as const) {
            const answer = await agent.call(tool, { ...input, limit: 500, details: true });
            const { out, err } = await runOnDisk([...words, '--root', '.', '--format', 'json'], folder, standardInput);
            if (out === '') assert.equal(answer.isError, true, `${tool} after ${name}: ${err}`);
            else {
              const { notes: _, ...value } = jsonOf(answer);
              assert.deepEqual(value, JSON.parse(out), `${tool} after ${name}`);
            }
          }
        }
      });
    });
  }

  describe('after an event was lost', () => {
    /** Calls `use` with an agent, a function that returns the names of pods, and one that changes `pod.yaml` under another name, for which the folder reports no event. */
    async function unreported(
      use: (parts: {
        readonly folder: string;
        readonly pass: (milliseconds: number) => void;
        readonly pods: () => Promise<readonly unknown[]>;
        readonly change: (text: string) => void;
      }) => Promise<void>,
    ): Promise<void> {
      await inFolder(
        { 'root/pod.yaml': pod('first', 'web'), 'root/other.yaml': pod('other', 'web') },
        async (folder) => {
          linkSync(join(folder, 'root/pod.yaml'), join(folder, 'same-file'));
          let time = 0;
          const agent = agentIn(join(folder, 'root'), false, () => time);
          const pods = async () => {
            const { objects } = jsonOf(await agent.call('objects', { kind: 'Pod' })) as { objects: { name: string }[] };
            return objects.map(({ name }) => name).toSorted();
          };
          assert.deepEqual(await pods(), ['first', 'other']);
          await use({
            folder: join(folder, 'root'),
            pass: (milliseconds) => {
              time += milliseconds;
            },
            pods,
            change: (text) => writeFileSync(join(folder, 'same-file'), text),
          });
        },
      );
    }

    it('compares all files after a minute', async () => {
      await unreported(async ({ pass, pods, change }) => {
        change(pod('second', 'web'));
        pass(60_001);
        assert.deepEqual(await pods(), ['other', 'second']);
        // The size is equal.
        change(pod('thirds', 'web'));
        pass(60_001);
        assert.deepEqual(await pods(), ['other', 'thirds']);
      });
    });

    it('compares all files after many events', async () => {
      await unreported(async ({ folder, pods, change }) => {
        change(pod('second', 'web'));
        for (let index = 0; index < 600; index++) {
          writeFileSync(join(folder, 'new.txt'), `${index}`);
          rmSync(join(folder, 'new.txt'));
        }
        assert.deepEqual(await pods(), ['other', 'second']);
      });
    });
  });

  it('does not compare files that an earlier proposal only parsed again', async () => {
    const chart = Object.fromEntries(Object.entries(manyScopes).filter(([path]) => path.startsWith('chart/')));
    await inFolder(chart, async (folder) => {
      const proposalOf = (path: string, before: string, after: string) => ({
        files: [{ path, text: chart[path]?.replace(before, after) ?? '' }],
      });
      const renamed = proposalOf('chart/templates/service.yaml', 'name: chart', 'name: other');
      const agent = agentIn(folder);
      await agent.call('impact', proposalOf('chart/values.yaml', 'tier: api', 'tier: web'));
      const answer = jsonOf(await agent.call('impact', renamed));
      assert.deepEqual(answer, jsonOf(await agentIn(folder).call('impact', renamed)));
    });
  });

  for (const [what, [path, before, after]] of chartChanges) {
    it(`follows ${what}`, async () => {
      await inFolder(installedCharts, async (folder) => {
        const agent = agentIn(folder, true);
        const earlier = jsonOf(await agent.call('check', {}));
        writeFileSync(join(folder, path), installedCharts[path]?.replace(before, after) ?? '');
        const answer = jsonOf(await agent.call('check', {}));
        assert.notDeepEqual(answer, earlier);
        assert.deepEqual(answer, jsonOf(await agentIn(folder).call('check', {})));
      });
    });
  }

  it('follows the ignore files of the repository', async () => {
    await inFolder({ 'sub/a/a.yaml': pod('one', 'one'), 'sub/b.yaml': pod('two', 'two') }, async (top) => {
      execFileSync('git', ['init', '--quiet'], { cwd: top });
      const folder = join(top, 'sub');
      const agent = agentIn(folder);
      for (const path of ['.gitignore', '.git/info/exclude'])
        for (const text of ['a/\n', 'b.yaml\n', '']) {
          writeFileSync(join(top, path), text);
          const answer = jsonOf(await agent.call('objects', {}));
          assert.deepEqual(answer, jsonOf(await agentIn(folder).call('objects', {})), `${path}: ${text}`);
        }
    });
  });

  it('follows which files git tracks in an ignored folder', async () => {
    const files = { '.gitignore': 'made/\n', 'made/a.yaml': pod('a', 'a'), 'b.yaml': pod('b', 'b') };
    await inFolder({ 'sub/c.yaml': pod('c', 'c'), ...files }, async (folder) => {
      const git = (...words: readonly string[]) => execFileSync('git', words, { cwd: folder });
      git('init', '--quiet');
      const agent = agentIn(folder);
      const count = async () => {
        const answer = jsonOf(await agent.call('objects', {}));
        assert.deepEqual(answer, jsonOf(await agentIn(folder).call('objects', {})));
        return JSON.stringify(answer).includes('made/a.yaml');
      };
      assert.equal(await count(), false);
      git('add', 'b.yaml');
      assert.equal(await count(), false);
      git('add', '-f', 'made/a.yaml');
      assert.equal(await count(), true);
      git('rm', '--quiet', '--cached', 'made/a.yaml');
      assert.equal(await count(), false);
    });
  });

  it('follows the targets of links in folders that git ignores', async () => {
    const vendored = { '.gitignore': 'vendor/\n', 'vendor/a.yaml': pod('a', 'a'), 'apps/b.yaml': pod('b', 'b') };
    for (const isUnwatched of [false, true])
      await inFolder(vendored, async (folder) => {
        execFileSync('git', ['init', '--quiet'], { cwd: folder });
        symlinkSync('../vendor/a.yaml', join(folder, 'apps/a.yaml'));
        const agent = agentIn(folder, isUnwatched);
        const skipped = async () => {
          const answer = jsonOf(await agent.call('check', { details: true }));
          const { out } = await runOnDisk(['check', '--root', '.', '--format', 'json'], folder, '');
          assert.deepEqual(answer, JSON.parse(out));
          return JSON.stringify(answer).includes('it is a link that leads outside of the workspace or nowhere');
        };
        assert.equal(await skipped(), false);
        rmSync(join(folder, 'vendor/a.yaml'));
        assert.equal(await skipped(), true);
        write('vendor/a.yaml', pod('a', 'a'))(folder);
        assert.equal(await skipped(), false);
        rmSync(join(folder, 'vendor'), { recursive: true });
        assert.equal(await skipped(), true);
      });
  });

  it('lists references in the order of the paths of their files', async () => {
    const using = (name: string) =>
      `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec:\n  volumes: [{ name: v, configMap: { name: settings } }]\n`;
    const settings = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings }\n';
    await inFolder({ 'a.yaml': settings, 'b.yaml': using('b'), 'd.yaml': using('d') }, async (folder) => {
      const agent = agentIn(folder);
      const uses = { object: 'ConfigMap/settings' };
      await agent.call('uses', uses);
      write('c.yaml', using('c'))(folder);
      const answer = await agent.call('uses', uses);
      assert.deepEqual(
        [...answer.text.matchAll(/"name":"([bcd])"/g)].map(([, name]) => name),
        ['b', 'c', 'd'],
      );
      assert.deepEqual(jsonOf(answer), jsonOf(await agentIn(folder).call('uses', uses)));
    });
  });

  it('follows a folder that was deleted and created again', async () => {
    await inFolder({ 'sub/a.yaml': pod('one', 'one') }, async (top) => {
      const folder = join(top, 'sub');
      const agent = agentIn(folder);
      await agent.call('objects', {});
      for (const name of ['two', 'three']) {
        renameSync(folder, join(top, name));
        write(`sub/${name}.yaml`, pod(name, name))(top);
        assert.deepEqual(jsonOf(await agent.call('objects', {})), jsonOf(await agentIn(folder).call('objects', {})));
      }
    });
  });

  it('does not keep a proposal', async () => {
    await inFolder(files, async (folder) => {
      const agent = agentIn(folder);
      const proposal = { files: [{ path: 'apps/service.yaml', text: service('other') }] };
      const before = await agent.call('check', {});
      const first = await agent.call('impact', proposal);
      assert.deepEqual(jsonOf(first)['summary'], {
        ...{ error: 0, findings: 1, resolved: 0, immutable: 0, lost: 1, gained: 0, broken: 0, opened: 0, closed: 0 },
      });
      assert.deepEqual(await agent.call('check', {}), before);
      assert.deepEqual(await agent.call('impact', proposal), first);
      writeFileSync(join(folder, 'apps/pod.yaml'), pod('web', 'other'));
      assert.equal(
        JSON.stringify(jsonOf(await agent.call('impact', proposal))['summary']).includes('"gained":1'),
        true,
      );
    });
  });
});
