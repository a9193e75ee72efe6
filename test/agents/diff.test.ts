/** Tests that a server answers a repeated `diff` as a new server does, after edits and commits. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentAt, commitAll, git, inFolder, jsonOf } from './agent.ts';

function manifests(label: string): string {
  return `apiVersion: v1
kind: Service
metadata: { name: web }
spec:
  selector: { app: web }
---
apiVersion: v1
kind: Pod
metadata: { name: web, labels: { app: ${label} } }
`;
}

describe('a repeated diff', () => {
  it('is the answer of a new server after edits and commits', async () => {
    await inFolder({ 'web.yaml': manifests('web') }, async (folder) => {
      git(folder, 'init', '-q');
      commitAll(folder);
      const agent = agentAt(folder);
      const counts: unknown[] = [];
      const compare = async (input: Readonly<Record<string, unknown>>) => {
        const answer = jsonOf(await agent.call('diff', input));
        assert.deepEqual(answer, jsonOf(await agentAt(folder).call('diff', input)));
        assert.deepEqual(answer, jsonOf(await agent.call('diff', input)));
        counts.push(Array.isArray(answer['changes']) && answer['changes'].length);
      };
      await compare({ old: 'HEAD' });
      writeFileSync(join(folder, 'web.yaml'), manifests('webb'));
      await compare({ old: 'HEAD' });
      commitAll(folder);
      await compare({ old: 'HEAD' });
      await compare({ old: 'HEAD~1' });
      await compare({ old: 'HEAD~1', new: 'HEAD' });
      writeFileSync(join(folder, 'web.yaml'), manifests('web'));
      await compare({ old: 'HEAD' });
      await compare({ old: 'HEAD~1' });
      await compare({ old: 'HEAD', scope: ['.'] });
      assert.deepEqual(counts, [0, 1, 0, 1, 1, 1, 0, 1]);
    });
  });

  it('compares files as git stores them, without those that a sparse checkout leaves out', async () => {
    const [service = '', pod = ''] = manifests('web').split('---\n');
    const files = { 'a/pod.yaml': pod, 'b/service.yaml': service, 'c/all.yaml': manifests('web') };
    await inFolder({ ...files, '.gitattributes': '*.yaml diff=shown\n' }, async (folder) => {
      git(folder, 'init', '-q');
      commitAll(folder);
      git(folder, 'config', 'diff.external', 'false');
      git(folder, 'config', 'diff.shown.textconv', 'false');
      const answers = async (input: object) => {
        const { changes, complete } = jsonOf(await agentAt(folder).call('diff', { ...input }));
        assert.ok(Array.isArray(changes));
        return [changes.map((each: { readonly message: string }) => each.message), complete];
      };
      for (const options of [[], ['--sparse-index']]) {
        git(folder, 'sparse-checkout', 'set', '--cone', ...options, 'b', 'c');
        assert.deepEqual(await answers({ old: 'HEAD' }), [[], false]);
        writeFileSync(join(folder, 'c/all.yaml'), manifests('site'));
        const [messages] = await answers({ old: 'HEAD' });
        assert.match(String(messages), /^Service\/web \(c\) no longer selects Pod\/web/);
        git(folder, 'checkout', '-q', '--', 'c');
        git(folder, 'sparse-checkout', 'disable');
        assert.deepEqual(await answers({ old: 'HEAD' }), [[], true]);
      }
    });
  });

  it('contains changes of fields that do not change labels and names', async () => {
    const claimed = (kind: string) =>
      `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: data }\nspec: { storageClassName: ${kind} }\n`;
    await inFolder({ 'data.yaml': claimed('fast') }, async (folder) => {
      git(folder, 'init', '-q');
      commitAll(folder);
      const agent = agentAt(folder);
      for (const kind of ['fast', 'slow', 'fast']) {
        writeFileSync(join(folder, 'data.yaml'), claimed(kind));
        const { changes } = jsonOf(await agent.call('diff', { old: 'HEAD' }));
        assert.equal(Array.isArray(changes) && changes.length, kind === 'fast' ? 0 : 1);
      }
    });
  });
});

describe('a change in an answer', () => {
  const folders = { 'old/web.yaml': manifests('web'), 'new/web.yaml': manifests('webb') };

  it('states its owner and target only in its message, unless details are requested', async () => {
    await inFolder(folders, async (folder) => {
      const keysOf = async (details: boolean) => {
        const { changes } = jsonOf(await agentAt(folder).call('diff', { old: 'old', new: 'new', details }));
        const [change] = Array.isArray(changes) ? changes : [];
        return [change.message, Object.keys(change)];
      };
      const message = 'Service/web no longer selects Pod/web.';
      assert.deepEqual(await keysOf(false), [message, ['kind', 'message', 'path']]);
      assert.deepEqual(await keysOf(true), [message, ['kind', 'message', 'owner', 'path', 'target']]);
    });
  });
});
