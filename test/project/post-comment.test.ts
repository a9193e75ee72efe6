/** Tests the program that posts a review as a comment, with a server in place of GitHub and GitLab. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './sources.ts';

interface Request {
  readonly line: string;
  readonly token: string | undefined;
  readonly body: unknown;
}

type Answer = (line: string) => readonly [status: number, json?: unknown];

const marker = '<!-- selector-lens: review -->';
const text = '### What this change means\n\n"$(touch x)" `touch x` @admin <b>\n';

/** Runs the program with a server that answers, and returns its exit code, what it wrote, and the requests. */
async function post(system: string, answer: Answer, event: unknown, env: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'selector-lens-post-'));
  const requests: Request[] = [];
  const server = createServer((message, response) => {
    let body = '';
    message.on('data', (part) => {
      body += part;
    });
    message.on('end', () => {
      const line = `${message.method} ${message.url}`;
      const token = message.headers.authorization ?? String(message.headers['private-token']);
      requests.push({ line, token, body: body === '' ? undefined : JSON.parse(body) });
      const [status, json] = answer(line);
      response.writeHead(status).end(json === undefined ? '' : JSON.stringify(json));
    });
  });
  try {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo; // it listens to a port
    const api = `http://127.0.0.1:${port}`;
    writeFileSync(join(folder, 'event.json'), JSON.stringify(event));
    writeFileSync(join(folder, 'review.md'), text);
    const program = join(root, 'integrations/review/post-comment.mjs');
    const child = spawn(process.execPath, [program, system, 'review.md'], {
      cwd: folder,
      env: {
        GITHUB_API_URL: api,
        GITHUB_REPOSITORY: 'ada/shop',
        GITHUB_EVENT_PATH: join(folder, 'event.json'),
        CI_API_V4_URL: `${api}/api/v4`,
        CI_PROJECT_ID: '7',
        BITBUCKET_API_URL: api,
        BITBUCKET_WORKSPACE: 'ada',
        BITBUCKET_REPO_SLUG: 'shop/x',
        TOKEN: 'secret',
        ...env,
      },
    });
    let out = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part) => {
        out += part;
      });
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { code, out, requests };
  } finally {
    server.close();
    rmSync(folder, { recursive: true });
  }
}

const pull = { pull_request: { number: 5 } };
const comments = '/repos/ada/shop/issues/5/comments';
const page = (number: number) => `GET ${comments}?per_page=100&page=${number}`;
const own = { id: 9, body: `${marker}\nold`, user: { type: 'Bot' } };

describe('the program that posts a review', () => {
  it('creates a comment on GitHub', async () => {
    const { code, out, requests } = await post(
      'github',
      (line) => (line.startsWith('GET') ? [200, []] : [201, {}]),
      pull,
    );
    assert.equal(code, 0, out);
    assert.deepEqual(requests, [
      { line: page(1), token: 'Bearer secret', body: undefined },
      { line: `POST ${comments}`, token: 'Bearer secret', body: { body: `${marker}\n${text}` } },
    ]);
  });

  it('updates its comment, which may be on a later page, and no comment of another user', async () => {
    const foreign = { ...own, id: 8, user: { type: 'User' } };
    const first = Array.from({ length: 100 }, () => foreign);
    const { code, requests } = await post(
      'github',
      (line) => (line === page(1) ? [200, first] : line === page(2) ? [200, [own]] : [200, {}]),
      pull,
    );
    assert.equal(code, 0);
    assert.deepEqual(
      requests.map(({ line }) => line),
      [page(1), page(2), 'PATCH /repos/ada/shop/issues/comments/9'],
    );
  });

  it('finds the pull request of a workflow that ran for a fork', async () => {
    const run = { workflow_run: { pull_requests: [], head_sha: 'abc' } };
    const answer: Answer = (line) =>
      line === 'GET /repos/ada/shop/commits/abc/pulls'
        ? [
            200,
            [
              { number: 3, state: 'closed', head: { sha: 'abc' } },
              { number: 4, state: 'open', head: { sha: 'abd' } },
              { number: 5, state: 'open', head: { sha: 'abc' } },
            ],
          ]
        : line.startsWith('GET')
          ? [200, []]
          : [201, {}];
    const { requests } = await post('github', answer, run);
    assert.equal(requests.at(-1)?.line, `POST ${comments}`);
  });

  it('succeeds without permission and outside of pull requests, and says so', async () => {
    for (const status of [401, 403, 404]) {
      const { code, out } = await post('github', (line) => (line.startsWith('GET') ? [200, []] : [status, {}]), pull);
      assert.equal(code, 0);
      assert.match(out, /The review is not posted: the token may not write comments/);
    }
    const { code, out, requests } = await post('github', () => [500], { push: {} });
    assert.deepEqual([code, requests], [0, []]);
    assert.match(out, /this is no pull request/);
  });

  it('fails with a message if the system fails, and never shows the token', async () => {
    const { code, out } = await post('github', () => [500, {}], pull);
    assert.equal(code, 2);
    assert.match(out, /^selector-lens: The comments could not be read \(500\)\.$/m);
    assert.doesNotMatch(out, /secret/);
    const unset = await post('github', () => [200, []], pull, { GITHUB_REPOSITORY: '' });
    assert.match(unset.out, /The variable GITHUB_REPOSITORY is not set/);
    assert.equal((await post('gerrit', () => [200, []], pull)).code, 2);
  });

  it('creates and updates a note on GitLab', async () => {
    const notes = '/api/v4/projects/7/merge_requests/3/notes';
    const env = { CI_MERGE_REQUEST_IID: '3' };
    const created = await post('gitlab', (line) => (line.startsWith('GET') ? [200, []] : [201, {}]), {}, env);
    assert.deepEqual(
      created.requests.map(({ line, token }) => `${line} ${token}`),
      [`GET ${notes}?per_page=100&page=1 secret`, `POST ${notes} secret`],
    );
    const updated = await post('gitlab', (line) => (line.startsWith('GET') ? [200, [own]] : [200, {}]), {}, env);
    assert.equal(updated.requests.at(-1)?.line, `PUT ${notes}/9`);
    assert.match((await post('gitlab', () => [500], {})).out, /this is no pull request/);
  });

  it('creates and updates a comment on Bitbucket, without the part that unfolds', async () => {
    const at = '/repositories/ada/shop%2Fx/pullrequests/3/comments';
    const env = { BITBUCKET_PR_ID: '3' };
    const raw = `[//]: # (selector-lens: review)\n\n${text}`;
    const created = await post(
      'bitbucket',
      (line) => (line.startsWith('GET') ? [200, { values: [] }] : [201, {}]),
      {},
      env,
    );
    assert.deepEqual(created.requests, [
      { line: `GET ${at}?pagelen=100&page=1`, token: 'Bearer secret', body: undefined },
      { line: `POST ${at}`, token: 'Bearer secret', body: { content: { raw } } },
    ]);
    const known = [
      { id: 8, content: { raw }, deleted: true },
      { id: 9, content: { raw } },
    ];
    const answer: Answer = (line) => (line.startsWith('GET') ? [200, { values: known }] : [200, {}]);
    const updated = await post('bitbucket', answer, {}, env);
    assert.equal(updated.requests.at(-1)?.line, `PUT ${at}/9`);
    assert.match((await post('bitbucket', () => [500], {})).out, /this is no pull request/);
  });
});
