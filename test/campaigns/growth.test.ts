/** Grows the input of each kind of evaluation: the work must grow approximately like the input, unless `analysis-limit` reports what is left out. */

import '../../server/src/rules/all.ts';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateSync } from 'node:zlib';
import { operations, subjectOf } from '../../bench/growth-operations.ts';
import { type Files, shapes } from '../../bench/growth-shapes.ts';
import { commands } from '../../server/src/cli/commands/all.ts';
import { openCommit } from '../../server/src/node/git/committed-files.ts';
import { readGitAttributes } from '../../server/src/workspace/live/generated-files.ts';
import type { Scope } from '../../server/src/workspace/scopes/model.ts';
import { home, runInMemory } from '../cli/memory-world.ts';
import { WorkCounter } from './counted-work.ts';

const isFull = process.env['SELECTOR_LENS_CAMPAIGN'] === 'full';

/** If the input doubles, the work may grow by the factor 2 ** 1.3. */
const usualExponent = 1.3;

/** The greater exponents of some shapes, none of which may become greater: bounded work for pairs of objects, or input that itself grows faster than its size. */
const exponents: Readonly<Record<string, number>> = {
  'OpenShift Templates': 1.8,
  'replacements and generators': 1.9,
  'generators that merge': 1.9,
  'labels of a kustomization, and objects': 1.6,
  'names of namespaces': 1.8,
  'services that match nothing, pods that nearly match': 1.8,
  'policies with many peers, and pods': 1.5,
  'an ApplicationSet of one folder for many namespaces': 1.9,
  impact: 1.6,
  'values in several expressions, and pods': 1.5,
};

/** The shape of the files in which each kind of scope grows. */
const scopeKinds: Readonly<Record<Scope['kind'], string>> = {
  kustomization: 'overlays of one base',
  chart: 'helpers of a chart',
  template: 'OpenShift Templates',
  folder: 'files of one object each, in folders of their own',
  file: 'services that match a few of many pods',
  declared: 'scopes of a configuration',
  'flux-kustomization': 'Flux Kustomizations that all apply one file',
  'argo-application': 'ApplicationSets of directories and clusters',
  'helm-release': 'HelmReleases of one chart',
};

/** The shapes in which each family of rules, which is a folder in `rules/`, has the most work. */
const ruleFamilies: Readonly<Record<string, readonly string[]>> = {
  commands: [
    'commands in a shell file',
    'commands with values that no object has',
    'commands in one line of a shell file',
    'commands in comments of objects',
  ],
  gitops: [
    'an ApplicationSet of directories and clusters',
    'Applications of one chart with values of their own',
    'Flux Kustomizations that depend on each other',
    'Flux Kustomizations that apply each other in a chain',
    'Flux Kustomizations that wait for each other in a chain',
    'Flux Kustomizations with variables of ConfigMaps of their own',
    'Flux Kustomizations that apply each other in cycles',
    'HelmReleases of one chart with post-renderers',
    'Applications that apply each other in cycles',
    'an ApplicationSet of one folder for many namespaces',
    'HelmReleases of one chart that writes objects in a loop',
  ],
  helm: [
    'a range over values',
    'ranges in ranges',
    'conditions in a template',
    'conditions in one line of a template',
    'actions in one line of a template',
    'actions in lines of their own of a template',
    'entries by actions of a template',
    'statements of two languages of a template',
    'else by else of a template',
    'helpers in helpers',
  ],
  housekeeping: ['suppressions', 'patterns of a configuration'],
  kustomize: [
    'bases on bases',
    'deep bases with an overlay of each',
    'overlays with patches by patterns',
    'patches of a kustomization',
    'components',
    'replacements and generators',
    'generators that merge',
    'roots that share all bases',
    'roots that include all variants of one base',
    'labels of a kustomization, and objects',
  ],
  labels: ['bad labels in one object', 'one label key over and over', 'labels that YAML 1.1 reads as booleans'],
  names: [
    'names of namespaces',
    'misspelled references',
    'misspelled keys of a ConfigMap',
    'names of Services in texts',
    'one object over and over, a file each, in a kustomization',
  ],
  network: ['a policy with many peers', 'policies with many peers, and pods'],
  nodes: ['pods with node selectors, and nodes'],
  objects: ['definitions of kinds', 'misspelled fields of a defined kind', 'one object over and over'],
  selectors: [
    'services that match nothing, pods that nearly match',
    'services that match nothing, pods with other values',
    'values in several expressions, and pods',
    'excluded values in one expression, pods with each',
    'services that select one pod',
    'services that select one pod by labels of their own',
  ],
  updates: ['controllers with overlapping selectors'],
};

/** The shapes in which the requests of an editor have the most work. */
const ofRequests: Readonly<Record<string, string>> = {
  check: 'services that match a few of many pods',
  open: 'services that match a few of many pods',
  findings: 'services that match a few of many pods',
  fixes: 'services that match nothing, pods that nearly match',
  lenses: 'controllers with one selector',
  hints: 'controllers with one selector',
  symbols: 'services that match a few of many pods',
  tokens: 'services that match a few of many pods',
  search: 'services that match a few of many pods',
  hover: 'labels of a kustomization, and objects',
  preview: 'services that match a few of many pods',
  completion: 'bad labels in one object',
  definition: 'services that match a few of many pods',
  implementation: 'services that match a few of many pods',
  references: 'services that match a few of many pods',
  highlights: 'services that match a few of many pods',
  explain: 'a policy with many peers',
  refactorings: 'services that match a few of many pods',
  rename: 'one label key over and over',
  hierarchy: 'services that match a few of many pods',
  edit: 'services that match a few of many pods',
};

/** The words of each command that evaluates a workspace, and the shape; undefined for the other commands. */
const ofCommands: Readonly<Record<string, readonly [shape: string, ...words: string[]] | undefined>> = {
  check: ['services that match a few of many pods'],
  match: ['services that match a few of many pods', '-l', 'app=a1'],
  explain: ['services that match a few of many pods', '-l', 'app=a1', '--object', 'pod/p1'],
  'who-selects': ['services that match a few of many pods', '--object', 'Pod/p1'],
  uses: ['services that match a few of many pods', 'Pod/p1'],
  objects: ['overlays of one base'],
  diff: ['services that match a few of many pods', 'HEAD'],
  impact: ['services that match a few of many pods', '-'],
  review: ['services that match a few of many pods', 'HEAD'],
  'rename-plan': ['services that match a few of many pods', '--object', 'Pod/p1', '--label', 'app', '--to', 'name'],
  graph: ['services that match a few of many pods'],
  labels: ['services that match a few of many pods'],
  adopt: ['services that match a few of many pods'],
  reach: ['policies with peers in all namespaces'],
  rule: undefined,
  init: ['services that match a few of many pods'],
  lsp: undefined,
  mcp: undefined,
  completion: undefined,
};

const [ofCommits, ofAttributes] = ['reading a commit', 'reading .gitattributes'] as const;

/** For each folder of the code, kinds of work that use it: shapes of checks, requests, and commands. */
const ofFolders: Readonly<Record<string, readonly string[]>> = {
  agents: ['check', 'match'],
  browser: ['check'],
  cli: ['check'],
  compare: ['diff', 'review', 'impact'],
  drawing: ['graph'],
  engine: ['services that match a few of many pods'],
  'features/adoption': ['adopt'],
  'features/completion': ['completion'],
  'features/decorations': ['lenses', 'hints', 'tokens'],
  'features/diagnostics': ['findings'],
  'features/graph': ['graph'],
  'features/hover': ['hover'],
  'features/labels': ['labels'],
  'features/navigation': ['definition', 'implementation', 'symbols', 'search', 'highlights', 'hierarchy'],
  'features/pages': ['explain', 'preview'],
  'features/presentation': ['hover'],
  'features/reach': ['reach'],
  'features/refactor': ['refactorings'],
  'features/references': ['references'],
  'features/rename': ['rename', 'rename-plan'],
  'features/selected': ['who-selects'],
  lsp: ['edit'],
  'manifests/cursor': ['hover'],
  'manifests/gitops': ['Applications of one chart with values of their own'],
  'manifests/helm': ['helpers of a chart', 'else by else of a template'],
  'manifests/inline': ['commands in comments of objects'],
  'manifests/kinds': ['definitions of kinds'],
  'manifests/kustomize': ['patches of a kustomization'],
  'manifests/placeholders': ['statements of two languages of a template'],
  'manifests/sites': ['bad labels in one object'],
  'manifests/write': ['rename'],
  'manifests/yaml': ['one object over and over'],
  node: [ofCommits],
  settings: ['patterns of a configuration'],
  text: ['misspelled references'],
  'workspace/charts': ['helpers of a chart'],
  'workspace/dependencies': ['edit'],
  'workspace/gitops': ['HelmReleases of one chart', 'Applications that apply each other in cycles'],
  'workspace/ignore': [ofAttributes, 'patterns of a configuration'],
  'workspace/index': ['edit'],
  'workspace/kustomize': ['overlays of one base', 'labels of a kustomization, and objects'],
  'workspace/live': ['edit', ofAttributes],
  'workspace/reach': ['reach'],
  'workspace/references': ['misspelled references', 'names of namespaces'],
  'workspace/scopes': ['files of one object each, in folders of their own'],
  'workspace/selection': ['services that match nothing, pods with other values'],
  'workspace/store': ['files of one object each, in folders of their own'],
};

/** The folders whose subfolders are listed. The families of rules have a table of their own. */
const divided = ['features', 'manifests', 'workspace'];

const helpersOfRules = new Set(['fixes', 'framework', 'helpers']);

/** The shapes in which the work of a check is measured. */
const chosen = [...Object.values(scopeKinds), ...Object.values(ruleFamilies).flat(), 'broken documents'];

const counter = new WorkCounter();

describe('the growth of work', function () {
  this.timeout(isFull ? 3_600_000 : 120_000);
  let top: string;
  before(async () => {
    await counter.start();
    top = realpathSync(mkdtempSync(join(tmpdir(), 'selector-lens-growth-')));
  });
  after(async () => {
    await counter.stop();
    rmSync(top, { recursive: true, force: true });
  });

  it('is measured for each family of rules and each command', () => {
    const rules = new URL('../../server/src/rules', import.meta.url);
    const families = readdirSync(rules, { withFileTypes: true }).filter((each) => each.isDirectory());
    const names = families.map(({ name }) => name).filter((name) => !helpersOfRules.has(name));
    assert.deepEqual(Object.keys(ruleFamilies).toSorted(), names.toSorted());
    assert.deepEqual(Object.keys(ofCommands).toSorted(), commands.map(({ name }) => name).toSorted());
  });

  it('is measured for each request and each folder of the code', () => {
    assert.deepEqual(Object.keys(ofRequests).toSorted(), operations.map(([name]) => name).toSorted());
    const foldersIn = (path: string) =>
      readdirSync(new URL(`../../server/src/${path}`, import.meta.url), { withFileTypes: true }).flatMap((each) =>
        each.isDirectory() ? [`${path}${each.name}`] : [],
      );
    const folders = foldersIn('').flatMap((each) => (divided.includes(each) ? foldersIn(`${each}/`) : each));
    assert.deepEqual(Object.keys(ofFolders).toSorted(), folders.filter((each) => each !== 'rules').toSorted());
    const evaluating = Object.entries(ofCommands).flatMap(([name, row]) => (row === undefined ? [] : name));
    const rows = new Set([...chosen, ...Object.keys(ofRequests), ...evaluating, ofCommits, ofAttributes]);
    assert.deepEqual(
      Object.values(ofFolders)
        .flat()
        .filter((row) => !rows.has(row)),
      [],
    );
  });

  for (const name of new Set(chosen)) {
    it(`of a check grows as expected in ${name}`, async () => {
      await assertGrowth(name, async (files) => {
        const subject = await subjectOf(files);
        const rules = new Set<string>();
        const { session, texts } = subject;
        for (const file of session.snapshot().files.values())
          for (const { rule } of session.check(file, () => texts.get(file.uri) ?? '')) rules.add(rule);
        return rules.has('analysis-limit');
      });
    });
  }

  for (const [request, shape] of Object.entries(ofRequests)) {
    it(`of the request for ${request} grows as expected`, async () => {
      const [, run] = operations.find(([name]) => name === request) ?? [];
      assert.ok(run, request);
      await assertGrowth(
        shape,
        async (files) => {
          const subject = await subjectOf(files);
          subject.session.workspace.edit(subject.uri, subject.text);
          run(subject);
          return false;
        },
        exponents[request],
      );
    });
  }

  for (const [command, row] of Object.entries(ofCommands)) {
    if (row === undefined) continue;
    const [shape, ...words] = row;
    it(`of ${command} grows as expected`, async () => {
      await assertGrowth(
        shape,
        async (made) => {
          const files = Object.fromEntries(made);
          const older = Object.fromEntries(made.map(([path, text]) => [path, text.replaceAll('app: a1', 'app: b1')]));
          const [path, text] = Object.entries(older).at(-1) ?? [];
          const { code, err } = await runInMemory([command, ...words], {
            files,
            commits: { HEAD: older },
            repositories: [home],
            standardInput: { text: JSON.stringify({ files: [{ path, text }] }) },
          });
          assert.notEqual(code, 2, err.join('\n'));
          return false;
        },
        exponents[command],
      );
    });
  }

  it('of a report with the fixes of all findings grows as expected', async () => {
    // The file is parsed for each fix until the limit of verified text.
    await assertGrowth(
      'bad keys in one object',
      async (made) => {
        const { code, out } = await runInMemory(['check', '--format', 'json'], { files: Object.fromEntries(made) });
        assert.equal(code, 1);
        assert.ok(out.some((line) => line.includes('Change the key')));
        return false;
      },
      1.9,
    );
  });

  it(`of ${ofAttributes} with many patterns grows as expected`, async () => {
    await assertGrowthOf([500, 1_000, 2_000], async (size) => {
      const lines = Array.from({ length: size }, (_, n) => `**/**/*a*a*a*b${n} linguist-generated\n`);
      const { isCut, isGenerated } = readGitAttributes(lines.join(''));
      for (let file = 0; file < 50; file++) isGenerated(`${'a/'.repeat(20)}${'a'.repeat(30)}${file}.yaml`);
      return isCut;
    });
  });

  it('of finding files in folders in folders grows as expected', async () => {
    await assertGrowth('folders in folders', async (files) => {
      await subjectOf(files);
      return false;
    });
  });

  it(`of ${ofCommits} is approximately linear`, async () => {
    await assertGrowthOf([100, 200, 400], async (size) => {
      const folder = mkdtempSync(join(top, 'git-'));
      writeCommit(folder, size);
      const opened = openCommit(pathToFileURL(folder).href, 'main');
      assert.ok(!('refused' in opened), JSON.stringify(opened));
      assert.equal(opened.kindOf(`${pathToFileURL(folder).href}/f0/0.yaml`), 'file');
      opened.close();
      return false;
    });
  });
});

async function assertGrowth(
  name: string,
  run: (files: Files) => Promise<boolean>,
  maximum = exponents[name] ?? usualExponent,
): Promise<void> {
  const shape = shapes.find((each) => each.name === name);
  assert.ok(shape, name);
  const sizes = isFull ? [shape.size / 2, shape.size] : [shape.size / 4, shape.size / 2];
  await assertGrowthOf(sizes, (size) => run(shape.files(Math.ceil(size))), maximum);
}

/** The number of blocks below which the fixed work of a run and its caches decide the exponent. */
const measurable = 1_000_000;

/** Asserts that doubling the input multiplies the work by at most 2 ** `maximum`, unless `run` returns that a limit was reported. */
async function assertGrowthOf(
  sizes: readonly number[],
  run: (size: number) => Promise<boolean>,
  maximum = usualExponent,
): Promise<void> {
  // The first run initializes tables; its input differs, because some results are cached for equal texts.
  await run(Math.ceil((sizes[0] ?? 1) * 0.8));
  const works: number[] = [];
  let isCut = false;
  for (const size of sizes) {
    await counter.take();
    isCut = await run(size);
    works.push(await counter.take());
  }
  const [last = 0, previous = 0] = works.toReversed();
  const exponent = Math.log2(last / previous);
  const figures = `${sizes.join(' ')}: ${works.map((work) => (work / 1e6).toFixed(1)).join(' ')} million blocks, exponent ${exponent.toFixed(2)}${isCut ? ', limited' : ''}`;
  if (isFull) console.log(`      ${figures}`);
  assert.ok(exponent <= maximum || isCut || last < measurable, figures);
}

/** Writes a repository with one commit of a number of folders, each of which contains ten files. */
function writeCommit(folder: string, size: number): void {
  const write = (type: string, content: Buffer): Buffer => {
    const bytes = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
    const id = createHash('sha1').update(bytes).digest();
    const hex = id.toString('hex');
    const path = join(folder, '.git/objects', hex.slice(0, 2), hex.slice(2));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, deflateSync(bytes));
    return id;
  };
  const entry = (mode: string, name: string, id: Buffer) => Buffer.concat([Buffer.from(`${mode} ${name}\0`), id]);
  const trees = Array.from({ length: size }, (_, number) => {
    const blob = write('blob', Buffer.from(`# ${number}\n`));
    const files = Array.from({ length: 10 }, (__, file) => entry('100644', `${file}.yaml`, blob));
    return entry('40000', `f${number}`, write('tree', Buffer.concat(files)));
  });
  const tree = write('tree', Buffer.concat(trees.toSorted(Buffer.compare))).toString('hex');
  const by = 'Ada <ada@example.com> 0 +0000';
  const commit = write('commit', Buffer.from(`tree ${tree}\nauthor ${by}\ncommitter ${by}\n\nx\n`)).toString('hex');
  mkdirSync(join(folder, '.git/refs/heads'), { recursive: true });
  writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(folder, '.git/refs/heads/main'), `${commit}\n`);
}
