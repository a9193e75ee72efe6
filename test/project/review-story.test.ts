/** Tests the review of a hostile pull request from a fork as a whole: the action and the pipelines, with a real repository, the built command and a server in place of GitHub, GitLab and Bitbucket. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { load } from 'js-yaml';
import { built } from '../harness/built.ts';
import { renderMarkdown } from '../harness/rendered-markdown.ts';
import { root } from './sources.ts';

interface Request {
  readonly line: string;
  readonly token: string | undefined;
  readonly body: string;
}

const marker = '<!-- selector-lens: review -->';
const branch = '$(touch$IFS$9pwned);`touch$IFS$9pwned`@admin';
const file = '$(touch pwned);@admin <img src=x>.yaml';
const name = '@admin ![x](https://evil.example/x.png)<img src=x>`touch pwned`';

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${JSON.stringify(name)}}
spec:
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web, tier: front}}}
`;
/** A Deployment whose selector is immutable. */
const refused = (value: string) =>
  deployment
    .replace(JSON.stringify(name), 'refused')
    .replace('{app: web}', `{app: ${value}}`)
    .replace('app: web, tier: front', `app: ${value}`);
const service = `apiVersion: v1
kind: Service
metadata: {name: ${JSON.stringify(name)}}
spec: {selector: {app: web, tier: front}}
`;

function git(folder: string, ...words: string[]): string {
  const settings = [
    '-c',
    'user.name=a',
    '-c',
    'user.email=a@b',
    '-c',
    'commit.gpgsign=false',
    '-c',
    'init.defaultBranch=main',
  ];
  const { status, stdout, stderr } = spawnSync('git', [...settings, ...words], { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout.trim();
}

/** A clone of a fork, with a change on a branch with a hostile name. */
function forkIn(folder: string): { readonly clone: string; readonly base: string; readonly head: string } {
  const clone = join(folder, 'clone');
  mkdirSync(clone);
  git(clone, 'init', '-q');
  const commit = (text: string) => {
    writeFileSync(join(clone, file), text);
    git(clone, 'add', '-A');
    git(clone, 'commit', '-qm', 'x');
    return git(clone, 'rev-parse', 'HEAD');
  };
  const base = commit(`${service}---\n${deployment}---\n${refused('a')}`);
  git(clone, 'checkout', '-qb', branch);
  const head = commit(`${service}---\n${deployment.replace('tier: front', 'tier: back')}---\n${refused('b')}`);
  return { clone, base, head };
}

interface Place {
  readonly folder: string;
  readonly api: string;
  readonly requests: readonly Request[];
}

/** Runs a story with a server that answers like GitHub, GitLab or Bitbucket: a request without the token may not write. */
async function withServer(story: (place: Place) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'selector-lens-story-'));
  const requests: Request[] = [];
  const comments: object[] = [];
  const server = createServer((message, response) => {
    let body = '';
    message.on('data', (part) => {
      body += part;
    });
    message.on('end', () => {
      const token = message.headers.authorization ?? message.headers['private-token']?.toString();
      requests.push({ line: `${message.method} ${message.url}`, token, body });
      const mayWrite = token?.endsWith('secret') === true;
      const answer = (status: number, json: unknown) => response.writeHead(status).end(JSON.stringify(json));
      const sha = /\/commits\/(\w+)\/pulls$/.exec(message.url ?? '')?.[1];
      // Another pull request may contain the commit, too.
      if (sha !== undefined)
        return answer(200, [
          { number: 4, state: 'open', head: { sha: 'another' } },
          { number: 5, state: 'open', head: { sha } },
        ]);
      if (message.method === 'GET')
        return answer(200, message.url?.startsWith('/repositories') ? { values: comments } : comments);
      if (!mayWrite) return answer(403, {});
      if (message.method === 'POST') comments.push({ id: 9, user: { type: 'Bot' }, ...JSON.parse(body) });
      return answer(message.method === 'POST' ? 201 : 200, {});
    });
  });
  try {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo; // it listens to a port
    await story({ folder, api: `http://127.0.0.1:${port}`, requests });
  } finally {
    server.close();
    rmSync(folder, { recursive: true });
  }
}

async function run(words: readonly string[], cwd: string, env: Readonly<Record<string, string>>) {
  const [program = '', ...rest] = words;
  const child = spawn(program, rest, { cwd, env });
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part) => {
      out += part;
    });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, out };
}

interface Step {
  readonly env: Readonly<Record<string, string>>;
  readonly run: string;
}

/** Runs the action in a clone, with stubs in place of npm, which would need a network. */
async function runAction(place: Place, clone: string, inputs: Readonly<Record<string, string>>, event: object) {
  const { folder, api } = place;
  const action = load(readFileSync(join(root, 'action.yml'), 'utf8')) as {
    readonly inputs: Readonly<Record<string, { readonly default: string }>>;
    readonly runs: { readonly steps: readonly Step[] };
  }; // it is a composite action
  const [step] = action.runs.steps;
  const path = mkdtempSync(join(folder, 'action-'));
  const programs = join(path, 'programs');
  mkdirSync(programs);
  writeFileSync(join(programs, 'npm'), '#!/bin/sh\n');
  chmodSync(join(programs, 'npm'), 0o755);
  writeFileSync(join(path, 'prepare.mjs'), '');
  symlinkSync(dirname(built('cli.js')), join(path, 'dist'));
  symlinkSync(join(root, 'integrations'), join(path, 'integrations'));
  writeFileSync(join(path, 'event.json'), JSON.stringify(event));
  const values = Object.entries(step?.env ?? {}).map(([variable, value]) => {
    const input = /inputs\.([\w-]+)/.exec(value)?.[1] ?? '';
    return [variable, inputs[input] ?? action.inputs[input]?.default ?? ''];
  });
  const result = await run(['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', step?.run ?? 'exit 9'], clone, {
    ...Object.fromEntries(values),
    PATH: [programs, dirname(process.execPath), process.env['PATH']].join(delimiter),
    HOME: folder,
    GITHUB_ACTION_PATH: path,
    GITHUB_API_URL: api,
    GITHUB_EVENT_PATH: join(path, 'event.json'),
    GITHUB_OUTPUT: join(path, 'output'),
    GITHUB_REPOSITORY: 'ada/shop',
    GITHUB_STEP_SUMMARY: join(path, 'summary'),
    RUNNER_TEMP: path,
  });
  return { ...result, summary: readFileSync(join(path, 'summary'), 'utf8') };
}

/** Runs the script of a job in the documentation, with the built command in place of the installed one. */
async function runJob(place: Place, clone: string, job: string, env: Readonly<Record<string, string>>) {
  const page = readFileSync(join(root, 'docs/review.md'), 'utf8');
  const block = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)]
    .map((each) => each[1] ?? '')
    .find((text) => text.includes(job));
  const lines = [...(block ?? '').matchAll(/^ +- ((?:selector-lens|TOKEN=|git fetch) ?.*)$/gm)].map(
    (each) => each[1] ?? '',
  );
  assert.ok(lines.length > 1, job);
  const programs = mkdtempSync(join(place.folder, 'programs-'));
  writeFileSync(join(programs, 'selector-lens'), `#!/bin/sh\nexec "${process.execPath}" "${built('cli.js')}" "$@"\n`);
  chmodSync(join(programs, 'selector-lens'), 0o755);
  const script = lines.join('\n').replaceAll('/opt/selector-lens', root);
  return run(['bash', '-eo', 'pipefail', '-c', script], clone, {
    PATH: [programs, dirname(process.execPath), process.env['PATH']].join(delimiter),
    HOME: place.folder,
    SELECTOR_LENS_TOKEN: 'secret',
    ...env,
  });
}

function assertHarmless(comment: string, clone: string): void {
  assert.match(
    comment,
    /\*\*1 refused update, 1 lost match \(1 Service without endpoints after the rollout\), 1 restarted workload\.\*\*/,
  );
  for (const { by, links, foreign } of renderMarkdown(comment)) assert.deepEqual([links, foreign], [[], []], by);
  assert.doesNotMatch(comment.replaceAll(/`[^`\n]*`/g, ''), /(?<!\u200b)@/);
  assert.ok(!existsSync(join(clone, 'pwned')));
}

const writesIn = (requests: readonly Request[]) => requests.filter(({ line }) => !line.startsWith('GET'));

describe('a review of a pull request', () => {
  it('from a fork is in the summary of the first workflow, and posted by the second one', async () => {
    await withServer(async (place) => {
      const { clone, base, head } = forkIn(place.folder);
      const inputs = { base, review: 'true', token: 'read-only' };
      const first = await runAction(place, clone, inputs, { pull_request: { number: 5 } });
      assert.match(first.out, /The review is not posted: the token may not write comments of pull requests\./);
      const [, review = ''] = first.summary.split(/^### /m);
      assertHarmless(`### ${review}`, clone);
      const run = { workflow_run: { pull_requests: [], head_sha: head, event: 'pull_request' } };
      const refusedWrites = writesIn(place.requests).length;
      for (const method of ['POST', 'PATCH']) {
        const { out } = await runAction(place, clone, { review: 'true', token: 'secret' }, run);
        assert.match(
          out,
          method === 'POST' ? /The review is posted as a comment/ : /The comment with the review is updated/,
        );
      }
      const [created, updated, ...more] = writesIn(place.requests).slice(refusedWrites);
      assert.deepEqual(
        [created?.line, updated?.line, more],
        ['POST /repos/ada/shop/issues/5/comments', 'PATCH /repos/ada/shop/issues/comments/9', []],
      );
      assert.equal(created?.body, updated?.body);
      const { body }: { body: string } = JSON.parse(created?.body ?? '');
      assert.ok(body.startsWith(`${marker}\n`));
      assertHarmless(body.slice(marker.length), clone);
    });
  });

  it('on GitLab is a note, and the widget shows the rejected update', async () => {
    await withServer(async (place) => {
      const { clone, base } = forkIn(place.folder);
      const env = {
        CI_API_V4_URL: `${place.api}/api/v4`,
        CI_PROJECT_ID: '7',
        CI_MERGE_REQUEST_IID: '3',
        CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
        CI_COMMIT_REF_NAME: branch,
      };
      const { code, out } = await runJob(place, clone, 'merge_request_event', env);
      assert.equal(code, 0, out);
      const [note, ...more] = writesIn(place.requests);
      assert.deepEqual(
        [note?.line, note?.token, more],
        ['POST /api/v4/projects/7/merge_requests/3/notes', 'secret', []],
      );
      const { body }: { body: string } = JSON.parse(note?.body ?? '');
      assertHarmless(body.slice(marker.length), clone);
      const widget: readonly { check_name: string; severity: string; location: { path: string } }[] = JSON.parse(
        readFileSync(join(clone, 'gl-code-quality-report.json'), 'utf8'),
      );
      const update = widget.find(({ check_name }) => check_name === 'immutable-selector-changed');
      assert.equal(update?.location.path, file);
    });
  });

  it('on Bitbucket is a comment', async () => {
    await withServer(async (place) => {
      const { clone } = forkIn(place.folder);
      git(clone, 'remote', 'add', 'origin', clone);
      const env = {
        BITBUCKET_API_URL: place.api,
        BITBUCKET_WORKSPACE: 'ada',
        BITBUCKET_REPO_SLUG: 'shop',
        BITBUCKET_PR_ID: '3',
        BITBUCKET_PR_DESTINATION_BRANCH: 'main',
        BITBUCKET_BRANCH: branch,
      };
      const { code, out } = await runJob(place, clone, 'BITBUCKET_PR', env);
      assert.equal(code, 0, out);
      const [comment] = writesIn(place.requests);
      assert.equal(comment?.line, 'POST /repositories/ada/shop/pullrequests/3/comments');
      const { content }: { content: { raw: string } } = JSON.parse(comment?.body ?? '');
      assertHarmless(content.raw.replace('[//]: # (selector-lens: review)\n\n', ''), clone);
    });
  });
});
