/** Tests that package.json is correct: commands, views, versions, and the shipped files. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listFiles, PackageManager } from '@vscode/vsce';
import { commandNames } from '../../client/src/commands.ts';
import { commandLanguages, languages, selectorLanguage } from '../../client/src/languages.ts';
import { allRules } from '../../server/src/rules/all.ts';
import { built } from '../harness/built.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Command {
  readonly command: string;
  readonly title: string;
  readonly category: string;
}

interface When {
  readonly command?: string;
  readonly when?: string;
  readonly view?: string;
}

interface Package {
  readonly version: string;
  readonly type?: string;
  readonly dependencies?: object;
  readonly engines: { readonly vscode: string };
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly activationEvents: readonly string[];
  readonly contributes: {
    readonly languages: readonly { readonly id: string; readonly extensions: readonly string[] }[];
    readonly commands: readonly Command[];
    readonly menus: Readonly<Record<string, readonly When[]>>;
    readonly views: Readonly<Record<string, readonly When[]>>;
    readonly viewsWelcome: readonly When[];
    readonly [point: string]: unknown;
  };
}

const manifest: Package = JSON.parse(read('package.json'));
const { commands, menus, views, viewsWelcome } = manifest.contributes;

function sources(folder: string): string {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => read(join(folder, file)))
    .join('\n');
}

describe('package.json', () => {
  it('has what Open VSX requires of an extension', () => {
    const { publisher, name, version, license, enabledApiProposals } = JSON.parse(read('package.json'));
    for (const word of [publisher, name]) assert.match(word, /^[\w-]+$/);
    assert.match(version, /^\d+\.\d+\.\d+$/);
    assert.equal(license, 'Apache-2.0');
    assert.match(read('LICENSE'), /Apache License/);
    assert.equal(enabledApiProposals, undefined);
  });

  it('declares the commands that the client registers', () => {
    assert.deepEqual(commands.map(({ command }) => command).sort(), [...commandNames].sort());
    for (const { category } of commands) assert.equal(category, 'Selector Lens');
  });

  it('has only commands of its own in its menus', () => {
    const used = Object.values(menus).flat();
    for (const { command } of used) assert.ok(commandNames.includes(command ?? ''), command);
  });

  it('uses only context keys that the client sets', () => {
    const conditions = [...Object.values(views).flat(), ...viewsWelcome].map(({ when }) => when ?? '');
    const keys = new Set(conditions.map((when) => when.split(' ')[0] ?? ''));
    const client = sources('client/src');
    assert.ok(keys.size > 0);
    for (const key of keys) assert.ok(client.includes(`'setContext', '${key}'`), key);
  });

  it('describes every state of an empty view', () => {
    const statesIn = (file: string, type: string) => {
      const states = new RegExp(`type ${type} = ([^;]+);`).exec(read(file))?.[1] ?? '';
      return [...states.matchAll(/'(\w+)'/g)].map((match) => match[1] ?? '');
    };
    const describedIn = (view: string) =>
      viewsWelcome.filter((each) => each.view === view).map(({ when }) => when?.split(' == ')[1] ?? '');
    assert.deepEqual(
      describedIn('selectorLens.matches').sort(),
      statesIn('client/src/matches-view.ts', 'Emptiness').sort(),
    );
    // The setting hides the view if there is no state to compare with.
    assert.deepEqual(
      [...describedIn('selectorLens.changes'), 'off'].sort(),
      statesIn('client/src/git-base.ts', 'Uncompared').sort(),
    );
  });

  it('is activated by the languages that the client supports', () => {
    const events = manifest.activationEvents.filter((event) => event.startsWith('onLanguage:'));
    assert.deepEqual(
      events,
      [...languages, ...Object.values(commandLanguages).flat()]
        // Plain text is not an activation event: such documents are checked if another event started the server.
        .filter((language) => language !== 'plaintext')
        .map((language) => `onLanguage:${language}`),
    );
  });

  it('registers only the language of selectors, and no schema', () => {
    for (const point of ['jsonValidation', 'yamlValidation']) {
      assert.equal(manifest.contributes[point], undefined, point);
    }
    assert.deepEqual(
      manifest.contributes.languages.map(({ id, extensions }) => [id, extensions]),
      [[selectorLanguage, ['.selector']]],
    );
  });

  it('needs the VS Code that its types describe, and no package at run time', () => {
    assert.equal(manifest.engines.vscode, `^${manifest.devDependencies['@types/vscode']}`);
    assert.equal(manifest.dependencies, undefined);
    assert.equal(manifest.type, undefined);
  });
});

describe('the documents', () => {
  it('name the version in the changelog', () => {
    assert.match(read('CHANGELOG.md'), new RegExp(`^## ${manifest.version.replaceAll('.', '\\.')}$`, 'm'));
  });

  it('name every command of the palette', () => {
    const hidden = menus['commandPalette']?.map(({ command }) => command) ?? [];
    const page = read('docs/vscode.md');
    const texts: Readonly<Record<string, string>> = JSON.parse(read('package.nls.json'));
    for (const { command, title } of commands) {
      const text = texts[title.slice(1, -1)] ?? title;
      if (!hidden.includes(command)) assert.ok(page.includes(`| ${text} |`), text);
    }
  });
});

describe('the packages', () => {
  before(() => void built('.'));

  const shared = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'];

  it('contain in the VSIX the bundles and their metadata', async () => {
    const files = await listFiles({ cwd: root, packageManager: PackageManager.None });
    const grammars = files.filter((file) => file.startsWith('syntaxes/'));
    const pages = [...allRules.map(({ id }) => id), 'README'].map((name) => `docs/rules/${name}.md`);
    const extension = [
      'client-browser.js',
      'client-node-main.js',
      'client-node.js',
      'map.css',
      'map.js',
      'package.json',
      'worker.js',
    ];
    assert.deepEqual(
      files.sort(),
      [
        ...shared,
        ...grammars,
        ...pages,
        ...[
          'package.nls.json',
          'images/icon.png',
          'images/matches.svg',
          ...['commands', 'fix', 'hover', 'level', 'manifest', 'matches', 'try'].map(
            (name) => `images/walkthrough/${name}.png`,
          ),
          'dist/NOTICES.txt',
          'dist/catalogue.js',
          'dist/mcp.js',
          'dist/package.json',
          ...['browser', 'node', 'shared'].map((name) => `dist/server/${name}.js`),
        ],
        ...extension.map((file) => `dist/extension/${file}`),
      ].sort(),
    );
  });

  it('contain for npm the command line and the libraries', () => {
    const serialized = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: root,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    const answer: { files: { path: string }[] }[] = JSON.parse(serialized.stdout);
    // Some versions of npm add the files of `main` and `browser`, even if they are ignored.
    const paths = answer.flatMap((each) => each.files.map(({ path }) => path));
    const files = paths.filter((path) => !/^dist\/extension\/client-(?:node|browser)\.js$/.test(path));
    const types = files.filter((file) => /^dist\/types\/engine\/.+\.d\.ts$/.test(file));
    assert.ok(types.includes('dist/types/engine/index.d.ts'));
    assert.ok(types.includes('dist/types/engine/catalogue/library.d.ts'));
    const bundles = [
      ...[
        'dist/NOTICES.txt',
        'dist/catalogue.js',
        'dist/cli-main.js',
        'dist/cli-shared.js',
        'dist/cli-start.js',
        'dist/cli.js',
        'dist/engine.js',
        'dist/rules.js',
        'dist/svg-image.js',
      ],
      ...['dist/mcp.js', 'dist/package.json', 'dist/server/node.js', 'dist/server/shared.js'],
    ];
    assert.deepEqual(files.sort(), [...shared, ...bundles, ...types].sort());
  });
});
