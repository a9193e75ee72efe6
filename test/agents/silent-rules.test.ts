/** Tests that rules that found nothing in a file run again if something that they use changes in another file. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentIn, inFolder, jsonOf } from './agent.ts';

/** A ConfigMap with a field that is reported unless the file is a patch. */
const settings = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings, uid: abc }\n';
const other = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: other }\n';
const asPatch = 'resources: [other.yaml]\npatches: [{ path: settings.yaml, target: { name: other } }]\n';
const asResource = 'resources: [other.yaml, settings.yaml]\n';

describe('rules that found nothing in a file', () => {
  it('run again after the file has become a resource', async () => {
    const files = { 'settings.yaml': settings, 'other.yaml': other, 'kustomization.yaml': asPatch };
    await inFolder(files, async (folder) => {
      const agent = agentIn(folder, true);
      const rules = async () => {
        const { diagnostics } = jsonOf(await agent.call('check', {}));
        return (diagnostics as readonly { readonly rule: string }[]).map(({ rule }) => rule);
      };
      const found: boolean[] = [];
      for (const text of [asPatch, asResource, asPatch, asResource]) {
        writeFileSync(join(folder, 'kustomization.yaml'), text);
        found.push((await rules()).includes('system-field'));
      }
      assert.deepEqual(found, [false, true, false, true]);
    });
  });
});
