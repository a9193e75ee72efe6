/** Completion searches only the command at the cursor, and finds the same in it as a search of the whole text. */

import assert from 'node:assert/strict';
import { catalogue } from '../../../server/src/engine/catalogue/index.ts';
import type { Host } from '../../../server/src/manifests/inline/host-language.ts';
import { type Inline, readInline } from '../../../server/src/manifests/inline/inline.ts';
import type { ManifestObject } from '../../../server/src/manifests/model.ts';
import { campaignRuns } from '../../campaigns/scale.ts';

const marker = 'selectorLensCursor';

const pieces = [
  'kubectl get pods -l app=web\n',
  'kubectl get pods -l "app=web,tier in (a, b)"\n',
  "kubectl get pods -l 'app=web\n",
  'kubectl label pods web tier=db \\\n  app=x\n',
  'echo "$(kubectl get po -l app=a)" | kubectl get svc -l x=y; \n',
  "sh -c 'kubectl get pods -n shop -l app=web'\n",
  '# kubectl delete pods -l app=old\n',
  'cat <<EOF | kubectl apply -f -\n',
  'kubectl get pods > kubectl.txt\n',
  'kubectl get {{ .x }} -l app={{ .y\n}}\n',
  '```sh\n',
  '```\n',
  'Text `kubectl get pods -l app=web` text.\n',
  'run: kubectl get pods -l app=web\n',
  '---\n',
  'command: [kubectl, get, pods, -l, app=web]\n',
  '- target: {kind: Pod, labelSelector: app=web}\n',
  'curl localhost/api/v1/pods?labelSelector=app%3Dweb\n',
  '\\\n',
  '`\n',
];

const hosts: readonly Host[] = ['shell', 'markdown', 'yaml', 'makefile', 'dockerfile', 'text', 'selector'];

const holdsMarker = (what: unknown) => JSON.stringify(what).includes(marker);

/** The sites and words that contain the marker. */
function marked({ objects, words }: Inline): unknown {
  const sitesOf = ({ kind, namespace, selectorSites, labelSites, labelKeySites }: ManifestObject) =>
    [...selectorSites, ...labelSites, ...labelKeySites].filter(holdsMarker).map((site) => [kind, namespace, site]);
  return JSON.parse(
    JSON.stringify([objects.flatMap(sitesOf), words.filter(({ letters }) => holdsMarker(letters.text))]),
  );
}

describe('A search for the command at the cursor', () => {
  it('finds the same as a search of the whole text', function () {
    this.timeout(600_000);
    let state = 5;
    const next = (limit: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * limit);
    };
    let found = 0;
    for (let run = 0; run < campaignRuns(50_000); run++) {
      const text = Array.from({ length: 1 + next(8) }, () => pieces[next(pieces.length)]).join('');
      const at = next(text.length + 1);
      const changed = text.slice(0, at) + marker + text.slice(at);
      const host = hosts[next(hosts.length)] ?? 'shell';
      const all = marked(readInline(changed, host, catalogue));
      assert.deepEqual(marked(readInline(changed, host, catalogue, { holding: marker })), all, `${host}\n${changed}`);
      if (holdsMarker(all)) found++;
    }
    assert.ok(found > 100, `${found}`);
  });
});
