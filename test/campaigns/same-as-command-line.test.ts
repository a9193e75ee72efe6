/** Tests that tools answer with the JSON of the command line, on the own corpus and the smallest folders of the shared one. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { tools } from '../../server/src/agents/tools.ts';
import { agentIn, jsonOf, mostSize, sizeOf, usualSize } from '../agents/agent.ts';
import { corpora, sources } from '../corpus/corpus.ts';
import { runOnDisk } from '../corpus/disk-world.ts';

interface ShownObject {
  readonly kind: string;
  readonly name: string;
  readonly file: string;
  readonly labels: Readonly<Record<string, string | null>>;
}

/** The words of a command line that asks what a tool is asked. */
interface Question {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly words: readonly string[];
  readonly standardInput?: string;
}

/** Questions about a folder, of every tool. */
function questionsAbout(folder: string, objects: readonly ShownObject[]): readonly Question[] {
  const [first] = objects;
  const labeled = objects.find(({ labels }) => Object.values(labels).some((value) => value !== null)) ?? first;
  const [key = 'app', value] = Object.entries(labeled?.labels ?? {}).find(([, each]) => each !== null) ?? [];
  const selector = value === undefined || value === null ? key : `${key}=${value}`;
  const [object, file] = [`${labeled?.kind}/${labeled?.name}`, first?.file ?? '.'];
  const folders = readdirSync(folder, { withFileTypes: true }).filter((each) => each.isDirectory());
  const [one = '.', other = one] = folders.map(({ name }) => name);
  const proposal = { files: [{ path: file, text: null }] };
  return [
    { tool: 'check', input: {}, words: ['check'] },
    { tool: 'check', input: { paths: [file], severity: 'warning' }, words: ['check', file, '--severity', 'warning'] },
    { tool: 'check', input: { rule: ['recommended-labels'] }, words: ['check', '--rule', 'recommended-labels'] },
    { tool: 'match', input: { selector }, words: ['match', '-l', selector] },
    { tool: 'match', input: { selector, pods: true, paths: [file] }, words: ['match', '-l', selector, '--pods', file] },
    { tool: 'match', input: { object }, words: ['match', '--object', object] },
    { tool: 'explain', input: { selector, object }, words: ['explain', '-l', selector, '--object', object] },
    { tool: 'who_selects', input: { object }, words: ['who-selects', '--object', object] },
    { tool: 'objects', input: {}, words: ['objects'] },
    { tool: 'objects', input: { paths: [file] }, words: ['objects', file] },
    { tool: 'review', input: { base: 'HEAD' }, words: ['review', 'HEAD'] },
    { tool: 'diff', input: { old: one, new: other }, words: ['diff', one, other] },
    { tool: 'impact', input: proposal, words: ['impact', '-'], standardInput: JSON.stringify(proposal) },
    {
      tool: 'rename_plan',
      input: { object, label: selector, to: 'renamed' },
      words: ['rename-plan', '--object', object, '--label', selector, '--to', 'renamed'],
    },
    { tool: 'reach', input: {}, words: ['reach'] },
    { tool: 'reach', input: { port: 80 }, words: ['reach', '--port', '80'] },
    { tool: 'uses', input: { object }, words: ['uses', object] },
  ];
}

/** The number of items of a list that an answer leaves out. */
function leftOut(more: unknown, list: string): unknown {
  return (typeof more === 'object' && more !== null ? Reflect.get(more, list) : undefined) ?? 0;
}

/** Compares an answer with the output of the command line; lists may be shorter in the answer. */
async function compare(folder: string, agent: ReturnType<typeof agentIn>, question: Question): Promise<void> {
  const { tool, input, words, standardInput } = question;
  const root = words[0] === 'diff' ? [] : ['--root', '.'];
  const ran = await runOnDisk([...words, ...root, '--format', 'json'], folder, standardInput);
  const facts = tools.find(({ name }) => name === tool)?.facts;
  const all = { ...input, limit: 500, details: true };
  const answer = await agent.call(tool, all);
  assert.ok(sizeOf(answer) <= mostSize, `${tool}: ${sizeOf(answer)} bytes`);
  const usual = await agent.call(tool, input);
  assert.ok(sizeOf(usual) <= usualSize, `${tool}: ${sizeOf(usual)} bytes`);
  if (ran.out === '') {
    assert.equal(answer.isError, true, `${tool} answers what the command line refuses: ${ran.err}`);
    return;
  }
  const { more, notes: _, ...value } = jsonOf(answer);
  const expected: Record<string, unknown> = JSON.parse(ran.out);
  const fewer = jsonOf(await agent.call(tool, { ...input, limit: 1 }));
  for (const list of facts?.lists ?? []) {
    const [whole, shown] = [expected[list], value[list]];
    if (!Array.isArray(whole) || !Array.isArray(shown)) continue;
    expected[list] = whole.slice(0, shown.length);
    assert.equal(leftOut(more, list), whole.length - shown.length, `${tool}: more ${list}`);
    assert.equal(leftOut(fewer['more'], list), Math.max(whole.length - 1, 0), `${tool}: more ${list} than one`);
  }
  assert.deepEqual(value, expected, words.join(' '));
}

describe('the answers of tools', () => {
  const folders = corpora.flatMap((corpus) => {
    // The tools name files by their real paths, on which made-up names of charts depend.
    const all = sources(corpus).map((name) => realpathSync(join(corpus.folder, name)));
    const sizeIn = (folder: string) => readdirSync(folder, { recursive: true }).length;
    return corpus.name === 'own' ? all : all.toSorted((a, b) => sizeIn(a) - sizeIn(b)).slice(0, 10);
  });

  for (const folder of folders) {
    it(`are those of the command line in ${folder.split('/').slice(-2).join('/')}`, async () => {
      const listed = await runOnDisk(['objects', '--root', '.', '--format', 'json'], folder);
      const agent = agentIn(folder);
      const { objects } = JSON.parse(listed.out === '' ? '{"objects":[]}' : listed.out);
      for (const question of questionsAbout(folder, objects)) await compare(folder, agent, question);
    });
  }

  it('are compared for every tool', () => {
    const asked = new Set(questionsAbout('.', []).map(({ tool }) => tool));
    assert.deepEqual([...asked].toSorted(), tools.map(({ name }) => name).toSorted());
  });

  it('come from commands that the command line documents', () => {
    const folder = new URL('../../docs/commands/', import.meta.url);
    const pages = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'));
    for (const { command } of tools) assert.match(pages.join('\n'), new RegExp(`^## ${command.name}$`, 'm'));
  });
});
