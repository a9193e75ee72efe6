/** Tests that `impact` reports of a proposal what `diff` reports after it is written. */

import '../../server/src/rules/all.ts';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { Bounds } from '../../server/src/node/bounds.ts';
import { openCommit } from '../../server/src/node/git/committed-files.ts';
import { agentServices } from '../../server/src/node/mcp.ts';
import { inFolder, jsonOf } from '../agents/agent.ts';
import { manyNamespaces } from '../cli/many-namespaces.ts';
import { diskWorld } from '../corpus/disk-world.ts';
import { campaignRuns } from './scale.ts';

const deployment = (name: string, app: string) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
spec:
  selector:
    matchLabels:
      app: ${app}
  template:
    metadata:
      labels:
        app: ${app}
        tier: api
    spec:
      serviceAccountName: account
      containers:
      - name: main
        image: shop/main:1.0
        ports:
        - name: http
          containerPort: 8080
        envFrom:
        - configMapRef:
            name: settings
`;

const service = (name: string, app: string) => `apiVersion: v1
kind: Service
metadata:
  name: ${name}
spec:
  selector:
    app: ${app}
  ports:
  - port: 80
    targetPort: http
`;

const others = `apiVersion: v1
kind: ServiceAccount
metadata:
  name: account
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
  color: red
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: web
spec:
  podSelector:
    matchLabels:
      app: web
  ingress:
  - from:
    - podSelector:
        matchLabels:
          app: api
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: web
spec:
  selector:
    matchLabels:
      app: web
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: web
spec:
  defaultBackend:
    service:
      name: web
      port:
        number: 80
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web
spec:
  maxReplicas: 3
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: web
`;

const folder = {
  'app/web.yaml': deployment('web', 'web'),
  'app/api.yaml': deployment('api', 'api'),
  'app/web-service.yaml': service('web', 'web'),
  'app/api-service.yaml': service('api', 'api'),
  'app/others.yaml': others,
};

const overlays = {
  ...folder,
  'app/kustomization.yaml':
    'resources:\n- web.yaml\n- api.yaml\n- web-service.yaml\n- api-service.yaml\n- others.yaml\n',
  'prod/kustomization.yaml': 'namePrefix: prod-\nresources:\n- ../app\npatches:\n- path: patch.yaml\n',
  'prod/patch.yaml':
    'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  template:\n    metadata:\n      labels:\n        tier: web\n',
  'dev/kustomization.yaml': 'resources:\n- ../app\nlabels:\n- pairs:\n    env: dev\n  includeSelectors: true\n',
};

const chart = {
  'chart/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
  'chart/values.yaml': 'app: web\nsettings: settings\n',
  'chart/templates/web.yaml': deployment('web', '{{ .Values.app }}').replace(
    'name: settings',
    'name: {{ .Values.settings }}',
  ),
  'chart/templates/service.yaml': service('web', '{{ .Values.app }}'),
  'chart/templates/others.yaml': others,
};

const words = ['web', 'api', 'webb', 'account', 'settings', 'http', '8080', '80', 'prod-', 'null'];

/** Replaces a value or a label key, or removes an object or a line, which may make the file invalid. */
function changed(text: string, how: number, where: number): string {
  const replaced = (pattern: RegExp, choice: readonly string[]) => {
    const found = [...text.matchAll(pattern)];
    const match = found[where % found.length];
    if (match === undefined) return text;
    const word = choice[Math.floor(where / found.length) % choice.length] ?? '';
    return text.slice(0, match.index) + word + text.slice(match.index + match[0].length);
  };
  if (how < 7) return replaced(/(?<=: )[\w-]+$/gm, words);
  if (how === 7) return replaced(/\b(?:app|tier)(?=: )/g, ['app', 'tier', 'other']);
  const mark = how === 8 ? '---\n' : '\n';
  const parts = text.split(mark);
  return parts.toSpliced(where % parts.length, 1).join(mark);
}

/** The changes without the names of scopes, which `diff` adds only to objects that several scopes contain. */
function changesIn(answer: Readonly<Record<string, unknown>>) {
  const { changes, complete } = answer as { changes: { kind: string; message: string }[]; complete: boolean };
  const texts = changes.map(({ kind, message }) => `${kind} ${message.replaceAll(/ \([\w/.-]+\)/g, '')}`);
  return { changes: [...new Set(texts)].toSorted(), complete };
}

const git = (at: string, ...given: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...given], { cwd: at });

const fullRuns = 500;
const runs = campaignRuns(fullRuns);

describe('impact of a proposal, and diff after it is written', () => {
  const edit = fc.record({
    file: fc.nat(),
    how: fc.nat({ max: 9 }),
    where: fc.nat(),
    isDeleted: fc.integer({ min: 0, max: 9 }),
  });
  for (const [name, files] of Object.entries({ folder, overlays, chart, 'workspace of namespaces': manyNamespaces }))
    it(`have equal changes in a ${name}`, async () => {
      await inFolder(files, async (created) => {
        const at = realpathSync(created);
        git(at, 'init', '--quiet');
        git(at, 'add', '.');
        git(at, 'commit', '--quiet', '-m', 'first');
        const agent = agentServices({ ...diskWorld(at, [], []), openCommit }, new Bounds(), { isUnwatched: true });
        const all = Object.entries(files).filter(([path]) => !path.endsWith('kustomization.yaml'));
        await fc.assert(
          fc.asyncProperty(edit, async ({ file, how, where, isDeleted }) => {
            const [path, before] = all[file % all.length] ?? ['', ''];
            const text = isDeleted === 0 ? null : changed(before, how, where);
            const asked = { details: true, limit: 500 };
            const impact = jsonOf(await agent.call('impact', { files: [{ path, text }], ...asked }));
            if (text === null) rmSync(join(at, path));
            else writeFileSync(join(at, path), text);
            const diff = await agent.call('diff', { old: 'HEAD', ...asked });
            writeFileSync(join(at, path), before);
            assert.deepEqual(changesIn(impact), changesIn(jsonOf(diff)));
          }),
          // A part of the campaign always checks the same edits, the whole campaign random ones.
          { numRuns: runs, verbose: 1, ...(runs < fullRuns && { seed: 1 }) },
        );
      });
    });
});
