/**
 * Posts a review as one comment of a pull request (GitHub, Bitbucket) or merge request (GitLab), and updates it later.
 *
 *     node post-comment.mjs github|gitlab|bitbucket FILE
 *
 * GitHub: the variables of a workflow and TOKEN with `pull-requests: write`. GitLab: the variables of a pipeline of a
 * merge request and TOKEN with the scope `api`. Bitbucket: the variables of a pipeline of a pull request and TOKEN, an
 * access token with the scope `pullrequest:write`. Without permission, the script says so and exits with 0, because the
 * review itself succeeded. The text of the file is sent as data and never interpreted.
 */

import { readFileSync } from 'node:fs';

/** Begins the comment; it is invisible on GitHub and GitLab. */
const marker = '<!-- selector-lens: review -->';
/** Begins the comment on Bitbucket, which shows HTML as text: a definition that is never used. */
const definition = '[//]: # (selector-lens: review)';
/** The maximum length of a comment, in UTF-16 code units: GitHub accepts 65,536. */
const longest = 65_000;
/** The maximum length of a comment on Bitbucket, which accepts 32,768 characters. */
const shortest = 32_000;
const commentsPerPage = 100;
const mostPages = 20;
const timeout = 30_000;

const [system = '', file = ''] = process.argv.slice(2);
const { env } = process;

/** What a request of a system needs: its headers, the address of the comments, and how one of them is changed. */
const systems = {
  github: async () => {
    const headers = { authorization: `Bearer ${env['TOKEN']}`, accept: 'application/vnd.github+json' };
    const repository = `${address('GITHUB_API_URL')}/repos/${required('GITHUB_REPOSITORY')}`;
    const event = JSON.parse(readFileSync(required('GITHUB_EVENT_PATH'), 'utf8'));
    const number = event.pull_request?.number ?? (await numberOfRun(event.workflow_run, repository, headers));
    if (!Number.isSafeInteger(number)) return undefined;
    return {
      headers,
      comments: `${repository}/issues/${number}/comments`,
      isOwn: ({ user }) => user?.type === 'Bot',
      update: ({ id }) => ({ method: 'PATCH', url: `${repository}/issues/comments/${Number(id)}` }),
    };
  },
  gitlab: async () => {
    const project = `${address('CI_API_V4_URL')}/projects/${encodeURIComponent(required('CI_PROJECT_ID'))}`;
    const number = env['CI_MERGE_REQUEST_IID'];
    if (number === undefined) return undefined;
    const comments = `${project}/merge_requests/${encodeURIComponent(number)}/notes`;
    return {
      headers: { 'private-token': env['TOKEN'] ?? '' },
      comments,
      isOwn: ({ system: isSystem }) => isSystem !== true,
      update: ({ id }) => ({ method: 'PUT', url: `${comments}/${Number(id)}` }),
    };
  },
  bitbucket: async () => {
    const parts = [required('BITBUCKET_WORKSPACE'), required('BITBUCKET_REPO_SLUG')].map(encodeURIComponent);
    const number = env['BITBUCKET_PR_ID'];
    if (number === undefined || number === '') return undefined;
    const api = env['BITBUCKET_API_URL'] ?? 'https://api.bitbucket.org/2.0';
    const pull = `${api}/repositories/${parts.join('/')}/pullrequests/${encodeURIComponent(number)}`;
    const comments = `${pull}/comments`;
    return {
      headers: { authorization: `Bearer ${env['TOKEN']}` },
      comments,
      query: (page) => `pagelen=${commentsPerPage}&page=${page}`,
      itemsIn: (json) => json?.values,
      textOf: ({ content, deleted }) => (deleted === true ? '' : content?.raw),
      // Bitbucket does not show the part that unfolds.
      bodyOf: (text) => ({ content: { raw: `${definition}\n\n${text.split('\n<details>')[0]}`.slice(0, shortest) } }),
      isOwn: () => true,
      update: ({ id }) => ({ method: 'PUT', url: `${comments}/${Number(id)}` }),
    };
  },
};

/** What GitHub and GitLab have in common. */
const usual = {
  query: (page) => `per_page=${commentsPerPage}&page=${page}`,
  itemsIn: (json) => json,
  textOf: ({ body }) => body,
  bodyOf: (text) => ({ body: `${marker}\n${text}`.slice(0, longest) }),
};

/** Returns the number of the pull request of a workflow that ran for it, also from a fork. */
async function numberOfRun(run, repository, headers) {
  if (run === undefined) return undefined;
  if (run.pull_requests?.[0]?.number !== undefined) return run.pull_requests[0].number;
  const { status, json } = await request(
    'GET',
    `${repository}/commits/${encodeURIComponent(run.head_sha)}/pulls`,
    headers,
  );
  // Other pull requests may contain the commit, too.
  const isOwn = ({ state, head }) => state === 'open' && head?.sha === run.head_sha;
  return status === 200 ? json.find(isOwn)?.number : undefined;
}

function required(name) {
  const value = env[name];
  if (value === undefined || value === '') fail(`The variable ${name} is not set.`);
  return value;
}

function address(name) {
  return required(name).replace(/\/$/, '');
}

async function request(method, url, headers, body) {
  const answer = await fetch(url, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    redirect: 'error',
    signal: AbortSignal.timeout(timeout),
  });
  const text = await answer.text();
  return { status: answer.status, json: text === '' ? undefined : JSON.parse(text) };
}

function fail(message) {
  console.error(`selector-lens: ${message}`);
  process.exit(2);
}

function skip(message) {
  console.log(`selector-lens: ${message}`);
  process.exit(0);
}

/** Whether the token may not read or write comments. */
function isRefused(status) {
  return [401, 403, 404].includes(status);
}

async function ownComment({ comments, headers, isOwn, query, itemsIn, textOf }) {
  for (let page = 1; page <= mostPages; page++) {
    const { status, json } = await request('GET', `${comments}?${query(page)}`, headers);
    if (isRefused(status)) return 'refused';
    const items = itemsIn(json);
    if (status !== 200 || !Array.isArray(items)) fail(`The comments could not be read (${status}).`);
    const isMarked = (text) => [marker, definition].some((each) => text.startsWith(each));
    const found = items.find((each) => isMarked(String(textOf(each))) && isOwn(each));
    if (found !== undefined || items.length < commentsPerPage) return found;
  }
  return undefined;
}

async function post(text) {
  const found = await systems[system]();
  if (found === undefined) return skip('The review is not posted: this is no pull request.');
  const place = { ...usual, ...found };
  const known = await ownComment(place);
  const body = place.bodyOf(text);
  const lacking = 'The review is not posted: the token may not write comments of pull requests.';
  if (known === 'refused') return skip(lacking);
  if (known !== undefined) {
    const { method, url } = place.update(known);
    const { status } = await request(method, url, place.headers, body);
    if (status === 200) return skip('The comment with the review is updated.');
    // A comment with the marker may belong to another user.
    if (!isRefused(status)) fail(`The comment could not be updated (${status}).`);
  }
  const { status } = await request('POST', place.comments, place.headers, body);
  if (isRefused(status)) return skip(lacking);
  if (status !== 201) fail(`The comment could not be posted (${status}).`);
  return skip('The review is posted as a comment.');
}

if (!Object.hasOwn(systems, system) || file === '') fail('Usage: node post-comment.mjs github|gitlab|bitbucket FILE');
await post(readFileSync(file, 'utf8')).catch((error) => fail(`The review could not be posted: ${error.message}`));
