/** Tests that imports between layers follow their order, and that each package is imported only by its layer. */
import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { ruleFamilies } from './new-rule.ts';
import { bareCode, importsOf, type Source, sourcesIn } from './sources.ts';

/** The layers of the server that each layer may import, and the files next to the layers. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  'clock.ts': [],
  'steps.ts': [],
  'log.ts': [],
  'protocol-positions.ts': [],
  'protocol-preview.ts': ['protocol-positions.ts'],
  'protocol.ts': ['drawing', 'protocol-positions.ts', 'protocol-preview.ts'],
  'version.ts': [],
  'load-catalogue.ts': ['engine'],
  engine: [],
  text: ['engine'],
  drawing: ['text'],
  manifests: ['engine', 'text'],
  settings: ['engine', 'text', 'manifests'],
  workspace: ['engine', 'text', 'manifests', 'settings', 'log.ts'],
  compare: ['engine', 'text', 'manifests', 'workspace'],
  rules: ['engine', 'text', 'manifests', 'settings', 'workspace', 'compare', 'log.ts', 'steps.ts'],
  features: ['engine', 'text', 'drawing', 'manifests', 'settings', 'workspace', 'compare', 'rules', 'protocol.ts'],
  'session.ts': [
    ...['engine', 'text', 'manifests', 'settings', 'workspace', 'compare', 'rules', 'features'],
    ...['clock.ts', 'log.ts', 'protocol.ts', 'steps.ts', 'version.ts'],
  ],
  lsp: [
    ...['engine', 'text', 'manifests', 'settings', 'workspace', 'rules', 'features'],
    ...['session.ts', 'clock.ts', 'log.ts', 'protocol.ts', 'steps.ts'],
  ],
  cli: [
    ...['engine', 'text', 'drawing', 'manifests', 'settings', 'workspace', 'compare', 'rules', 'features'],
    ...['session.ts', 'clock.ts', 'log.ts', 'version.ts'],
  ],
  agents: ['cli', 'rules', 'text', 'workspace'],
  node: [
    'agents',
    'lsp',
    'cli',
    'engine',
    'text',
    'settings',
    'workspace',
    'version.ts',
    'session.ts',
    'clock.ts',
    'load-catalogue.ts',
    'log.ts',
  ],
  browser: ['lsp', 'text', 'workspace', 'version.ts', 'clock.ts', 'load-catalogue.ts'],
};

/** The packages that a layer may import; layers that are not listed import none. */
const packages: Readonly<Record<string, RegExp>> = {
  text: /^diff$/,
  drawing: /^@dagrejs\/dagre$/,
  manifests: /^(?:yaml|@noble\/hashes\/.*)$/,
  lsp: /^vscode-languageserver(?:-textdocument)?$/,
  node: /^(?:node:.*|@modelcontextprotocol\/sdk\/.*|vscode-languageserver(?:\/node)?)$/,
  browser: /^vscode-languageserver\/browser$/,
};

/** The packages that a folder of the client may import; the first entry with the file applies. */
const clientPackages: readonly (readonly [folder: string, packages: RegExp])[] = [
  ['client/src/webview/', /^$/],
  ['client/src/node/', /^(?:node:.*|vscode|vscode-languageclient(?:\/node)?)$/],
  ['client/src/browser/', /^(?:vscode|vscode-languageclient(?:\/browser)?)$/],
  ['client/src/', /^(?:vscode|vscode-languageclient)$/],
];

const server = sourcesIn('server/src');
const client = sourcesIn('client/src');

function roomOf(path: string): string {
  return path.split('/')[2] ?? '';
}

function isRelative(from: string): boolean {
  return from.startsWith('.');
}

function targetOf(source: Source, from: string): string {
  return posix.join(posix.dirname(source.path), from);
}

describe('the layers of the server', () => {
  it('are the known ones', () => {
    assert.deepEqual([...new Set(server.map(({ path }) => roomOf(path)))].sort(), Object.keys(arrows).sort());
  });

  for (const [room, allowed] of Object.entries(arrows)) {
    it(`${room} imports ${allowed.join(', ') || 'no other layer'}`, () => {
      const wrong = server
        .filter(({ path }) => roomOf(path) === room)
        .flatMap((source) =>
          importsOf(source)
            .filter(({ from }) => isRelative(from))
            .map(({ from }) => ({ path: source.path, target: targetOf(source, from) }))
            .filter(({ target }) => !target.startsWith('server/src/') || ![room, ...allowed].includes(roomOf(target))),
        );
      assert.deepEqual(wrong, []);
    });

    it(`${room} imports ${packages[room] === undefined ? 'no package' : 'only its packages'}`, () => {
      const strangers = server
        .filter(({ path }) => roomOf(path) === room)
        .flatMap((source) => importsOf(source).map(({ from }) => ({ path: source.path, from })))
        .filter(({ from }) => !isRelative(from) && !packages[room]?.test(from));
      assert.deepEqual(strangers, []);
    });
  }

  it('contain no import cycles, types included', () => {
    assert.deepEqual(cyclesOf([...server, ...client]), []);
  });

  it('are compared with known cycles', () => {
    const a = { path: 'x/a.ts', text: "import type { B } from './b.ts';" };
    const b = { path: 'x/b.ts', text: "import { c } from './y/c.ts';" };
    const c = { path: 'x/y/c.ts', text: "export { a } from '../a.ts';" };
    const d = { path: 'x/d.ts', text: "import './a.ts';" };
    assert.deepEqual(cyclesOf([d, a, b, c]), [['x/a.ts', 'x/b.ts', 'x/y/c.ts']]);
    assert.deepEqual(cyclesOf([d, a, b]), []);
  });

  it('import the YAML library in two files only', () => {
    const knowing = server.filter((source) => importsOf(source).some(({ from }) => /^(?:js-)?yaml$/.test(from)));
    assert.deepEqual(
      knowing.map(({ path }) => path),
      ['server/src/manifests/yaml/repair.ts', 'server/src/manifests/yaml/tolerant-parser.ts'],
    );
  });

  it('import files with their extension, so that they run without a build', () => {
    for (const source of [...server, ...client]) {
      for (const { from } of importsOf(source)) if (isRelative(from)) assert.match(from, /\.ts$/, source.path);
    }
  });

  it('load the data of the catalogue only in entry points', () => {
    const data = /^server\/src\/engine\/catalogue\/(?:index|data\.generated|serialized)\.ts$/;
    const loading = server
      .filter(({ path }) => !path.startsWith('server/src/engine/catalogue/'))
      .filter((source) =>
        importsOf(source).some(
          ({ from, typeOnly }) => !typeOnly && isRelative(from) && data.test(targetOf(source, from)),
        ),
      );
    assert.deepEqual(
      loading.map(({ path }) => path),
      ['server/src/load-catalogue.ts'],
    );
  });

  it('have rules that do not import each other', () => {
    const families = new RegExp(`^server/src/rules/(?:${ruleFamilies.join('|')})/`);
    const files = new Set(server.map(({ path }) => path).filter((path) => families.test(path)));
    const looking = server
      .filter(({ path }) => path !== 'server/src/rules/all.ts')
      .flatMap((source) =>
        importsOf(source)
          .filter(({ from }) => isRelative(from) && files.has(targetOf(source, from)))
          .map(({ from }) => `${source.path} -> ${from}`),
      );
    assert.deepEqual(looking, []);
  });

  it('look up kinds in the catalogue: no rule and no feature names one', () => {
    const naming = server
      .filter(({ path }) => /^server\/src\/(?:rules|features)\//.test(path))
      .filter((source) => /\bkind\s*[!=]==?\s*'[A-Z]/.test(source.text));
    assert.deepEqual(
      naming.map(({ path }) => path),
      [],
    );
  });

  it('use neither process nor console in portable code', () => {
    const pure = server.filter(({ path }) => !/^server\/src\/(?:node|browser)\//.test(path));
    const naming = pure.filter((source) =>
      /\b(?:process|console|window|document\.body|globalThis)\.\w/.test(ownNames(source)),
    );
    assert.deepEqual(
      naming.map(({ path }) => path),
      [],
    );
  });
});

describe('the rules', () => {
  it('state nothing about what they read, which the workspace records', () => {
    const wrong = server
      .filter(({ path }) => roomOf(path) === 'rules' && !path.includes('/framework/'))
      .filter((source) => /\bquestions\b|\bunrecorded/.test(bareCode(source)));
    assert.deepEqual(
      wrong.map(({ path }) => path),
      [],
    );
  });
});

describe('the client', () => {
  it('imports only the protocol of the server, and its page also the drawing', () => {
    const others = client.flatMap((source) => {
      const isPage = source.path.startsWith('client/src/webview/');
      return importsOf(source)
        .filter(({ from }) => isRelative(from))
        .map(({ from }) => targetOf(source, from))
        .filter((target) => !target.startsWith('client/src/') && target !== 'server/src/protocol.ts')
        .filter((target) => !isPage || !/^server\/src\/(?:drawing|engine)\//.test(target))
        .map((target) => `${source.path} -> ${target}`);
    });
    assert.deepEqual(others, []);
  });

  it('imports VS Code and the language client, and Node only for the desktop', () => {
    const strangers = client.flatMap((source) => {
      const [, allowed] = clientPackages.find(([folder]) => source.path.startsWith(folder)) ?? [];
      return importsOf(source)
        .filter(({ from }) => !isRelative(from) && !allowed?.test(from))
        .map(({ from }) => `${source.path} -> ${from}`);
    });
    assert.deepEqual(strangers, []);
  });

  it('has a part for the desktop and one for the browser that do not import each other', () => {
    const crossing = client.flatMap((source) => {
      const own = source.path.split('/')[2] ?? '';
      return importsOf(source)
        .map(({ from }) => targetOf(source, from).split('/')[2] ?? '')
        .filter((other) => ['node', 'browser'].includes(other) && other !== own)
        .map((other) => `${source.path} -> ${other}`);
    });
    assert.deepEqual(crossing, []);
  });
});

/** The groups of files with cyclic imports: strongly connected components of at least two files (Tarjan). */
function cyclesOf(sources: readonly Source[]): readonly (readonly string[])[] {
  const imports = new Map(
    sources.map((source) => {
      const relative = importsOf(source).filter(({ from }) => isRelative(from));
      return [source.path, relative.map(({ from }) => targetOf(source, from))];
    }),
  );
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const cycles: string[][] = [];
  const visit = (path: string): number => {
    order.set(path, order.size);
    lowest.set(path, order.size);
    open.push(path);
    let low = order.size;
    for (const next of imports.get(path) ?? [])
      low = Math.min(low, order.has(next) ? (lowest.get(next) ?? low) : visit(next));
    lowest.set(path, low);
    if (low === (order.get(path) ?? 0) + 1) {
      const cycle = open.splice(open.indexOf(path));
      for (const each of cycle) lowest.delete(each);
      if (cycle.length > 1) cycles.push(cycle);
    }
    return low;
  };
  for (const path of imports.keys()) if (!order.has(path)) visit(path);
  return cycles;
}

/** The connection to an editor also has a console, which is allowed. */
function ownNames(source: Source): string {
  return bareCode(source).replaceAll(/\bconnection\.console\.\w+/g, '');
}
