/** Whether a path on the command line means the same, however it is written: what concerns it of the result for the whole root. */
import assert from 'node:assert/strict';
import { getOrAdd, once } from '../../server/src/engine/kept.ts';
import { home, type MemoryOptions, runInMemory } from './memory-world.ts';
import { pathWorkspace } from './path-workspace.ts';

type Files = Readonly<Record<string, string>>;

const inRepository = (files: Files = pathWorkspace): MemoryOptions => ({ files, repositories: [home] });

/** The path of what is shown relative to a folder. */
function absolute(folder: string, path: string): string {
  const { pathname } = new URL(`file://${path.startsWith('/') ? path : `${folder}/${path}`}`);
  return pathname.replace(/(?<=.)\/$/, '');
}

const rooted = (path: string) => absolute(home, path);

interface Place {
  readonly file: string;
  readonly message: string;
  readonly range: unknown;
}

interface Found extends Place {
  readonly rule: string;
  readonly related: readonly Place[];
}

/** The findings of a check, with absolute paths. */
async function check(words: readonly string[], options = inRepository(), folder = home): Promise<readonly Found[]> {
  const ran = await runInMemory(['check', '--format', 'json', ...words], { ...options, currentFolder: folder });
  assert.notEqual(ran.code, 2, `${words.join(' ')}: ${ran.err.join('\n')}`);
  const { diagnostics } = ran.json as { readonly diagnostics: readonly Found[] };
  const placed = <T extends Place>(each: T): T => ({ ...each, file: absolute(folder, each.file) });
  return diagnostics.map((each) => placed({ ...each, related: each.related.map(placed) }));
}

/** The ways in which a person may write a path, each with the folder in which the command is given. */
function waysTo(path: string): readonly (readonly [words: readonly string[], folder: string])[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const above = rooted(`${path}/..`);
  const common: readonly (readonly [readonly string[], string])[] = [
    [[path], home],
    [[`./${path}`], home],
    [[rooted(path)], home],
    [[`docs/../${path}`], home],
    [[`${'../'.repeat(1)}${path}`], rooted('docs')],
    [[name], above],
    [['--', `./${name}`], above],
    [['--root', home, name], above],
  ];
  if (path in pathWorkspace) return common;
  return [
    ...common,
    [[`${path}/`], home],
    [[`${path}//`], home],
    [[`${path}/.`], home],
    [[`${path}/../${name}/`], home],
    [[], rooted(path)],
    [['.'], rooted(path)],
    [['./'], rooted(path)],
    [[`../${name}`], rooted(path)],
  ];
}

/** What each path selects: findings by their files, objects by their files and the scopes that apply them. */
interface Concern {
  readonly path: string;
  /** The files of the findings. */
  readonly found: readonly string[];
  /** The files whose objects are selected in every scope. */
  readonly written: RegExp;
  /** The scopes of which all objects are selected. */
  readonly scopes?: readonly string[];
  /** Objects into which a file of the path writes: `scope Kind/name`. */
  readonly patched?: readonly string[];
}

const base = 'kustomize/base';
const prod = 'kustomize/overlays/prod';
const dev = 'kustomize/overlays/dev';
const canary = 'kustomize/components/canary';
const shop = 'charts/shop';
const db = 'charts/shop/charts/db';

const inProd = [`${base}/service.yaml`, `${canary}/canary.yaml`];
const builtByProd = [`${base}/config.yaml`, ...inProd, `${canary}/tag.yaml`, `${prod}/extra.yaml`];
const inShop = [`${db}/templates/service.yaml`, `${shop}/templates/service.yaml`];
const ofShop = [inShop[0] ?? '', `${shop}/templates/config.yaml`, inShop[1] ?? ''];
const pol = ['pol/np.yaml', 'pol/svc.yaml'];
const cart = ['team/back/service.yaml'];
const never = /^$/;

const concerns: readonly Concern[] = [
  { path: 'pol', found: pol, written: /^pol\// },
  { path: 'pol/np.yaml', found: pol, written: /^pol\/np/ },
  { path: 'ledger.yaml', found: pol, written: /^ledger\.yaml/ },
  { path: 'ledger-config.yaml', found: ['ledger-config.yaml', ...pol], written: /^ledger-config/ },
  { path: prod, found: builtByProd, written: /overlays\/prod/, scopes: [prod] },
  { path: `${prod}/kustomization.yaml`, found: builtByProd, written: never, scopes: [prod] },
  { path: `${prod}/patch.yaml`, found: inProd, written: never, patched: [`${prod} Service/web`] },
  { path: dev, found: [`${base}/config.yaml`], written: never, scopes: [dev] },
  { path: `${dev}/kustomization.yaml`, found: [`${base}/config.yaml`], written: never, scopes: [dev] },
  { path: 'kustomize/overlays', found: builtByProd, written: /overlays/, scopes: [dev, prod] },
  { path: base, found: [`${base}/config.yaml`, ...inProd], written: /kustomize\/base/ },
  { path: `${base}/kustomization.yaml`, found: [`${base}/config.yaml`, ...inProd], written: /kustomize\/base/ },
  { path: `${base}/web.yaml`, found: inProd, written: /base\/web/ },
  {
    path: canary,
    found: [...inProd, `${canary}/tag.yaml`],
    written: /canary/,
    patched: [`${prod} Deployment/web`],
  },
  {
    path: `${canary}/kustomization.yaml`,
    found: inProd,
    written: /canary\/canary/,
  },
  {
    path: `${canary}/tag.yaml`,
    found: [...inProd, `${canary}/tag.yaml`],
    written: never,
    patched: [`${prod} Deployment/web`],
  },
  { path: shop, found: ofShop, written: /charts\/shop/, scopes: [shop] },
  { path: `${shop}/Chart.yaml`, found: ofShop, written: never, scopes: [shop] },
  { path: `${shop}/values.yaml`, found: ofShop, written: never, scopes: [shop] },
  { path: `${shop}/templates/_helpers.tpl`, found: ofShop, written: never, scopes: [shop] },
  { path: `${shop}/templates/basket.yaml`, found: inShop, written: /templates\/basket/ },
  { path: db, found: inShop, written: /charts\/db/ },
  { path: `${db}/values.yaml`, found: inShop, written: /charts\/db/ },
  { path: 'team', found: cart, written: /^team/ },
  { path: 'team/.selector-lens.yaml', found: cart, written: /^team/ },
  { path: 'team/front', found: cart, written: /^team\/front/ },
  { path: 'team/front/cart.yaml', found: cart, written: /^team\/front/ },
];

/** What `objects`, `match` and `explain` tell of an object. */
interface Shown {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly file: string;
  readonly line: number;
  readonly scope: { readonly kind: string; readonly path: string };
}

function isSelected({ kind, name, file, scope }: Shown, { written, scopes = [], patched = [] }: Concern): boolean {
  const short = (path: string) => path.slice(home.length + 1);
  if (written.test(short(file)) || scopes.includes(short(scope.path))) return true;
  return patched.includes(`${short(scope.path)} ${kind}/${name}`);
}

async function listed([command = '', ...words]: readonly string[], folder = home): Promise<readonly Shown[]> {
  const ran = await runInMemory([command, '--format', 'json', ...words], { ...inRepository(), currentFolder: folder });
  assert.equal(ran.code, 0, ran.err.join('\n'));
  const { objects } = ran.json as { readonly objects: readonly Shown[] };
  return objects.map((each) => ({
    ...each,
    file: absolute(folder, each.file),
    scope: { ...each.scope, path: absolute(folder, each.scope.path) },
  }));
}

const everyFinding = once(() => check(['.']));
const everyEdge = once(() => edges(['.']));
const lists = new Map<string, Promise<readonly Shown[]>>();
const everyObject = (words: readonly string[]) => getOrAdd(lists, words.join(' '), () => listed([...words, '.']));

describe('a path on the command line', () => {
  it('is one of a workspace in which every kind of scope has findings', async () => {
    const files = (await check(['.'])).map(({ file }) => file);
    assert.deepEqual(
      files.toSorted(),
      [...ofShop, ...builtByProd, 'ledger-config.yaml', ...pol, ...cart].map(rooted).toSorted(),
    );
  });

  for (const concern of concerns) {
    const { path, found } = concern;

    it(`selects of all findings what concerns ${path}, however it is written`, async () => {
      const all = await everyFinding();
      const expected = all.filter(({ file }) => found.some((each) => rooted(each) === file));
      assert.equal(expected.length, found.length);
      for (const [words, folder] of waysTo(path))
        assert.deepEqual(await check(words, inRepository(), folder), expected, `${folder}: ${words.join(' ')}`);
      const list = { ...inRepository(), standardInput: { text: `${path}\n` } };
      assert.deepEqual(await check(['--files-from', '-'], list), expected);
      // As git lists it, from any folder of the repository.
      assert.deepEqual(await check(['--files-from', '-'], list, rooted('docs')), expected);
    });

    it(`selects of all objects what concerns ${path}`, async () => {
      for (const words of [['objects'], ['match', '-l', '!nobody'], ['match', '--pods', '-l', 'app']]) {
        const expected = (await everyObject(words)).filter((each) => isSelected(each, concern));
        assert.deepEqual(await listed([...words, path]), expected, `${words.join(' ')} ${path}`);
      }
    });

    it(`selects of the whole graph what begins or ends in ${path}`, async () => {
      const objects = (await everyObject(['objects'])).filter((each) => isSelected(each, concern));
      const keys = new Set(objects.map(keyOf));
      const isDrawn = ({ from, to }: Edge) => keys.has(from) || keys.has(to);
      assert.deepEqual(await edges([path]), (await everyEdge()).filter(isDrawn));
    });

    it(`explains of all objects those that concern ${path}`, async () => {
      const all = await everyObject(['objects']);
      // One of each scope, and what has a prefix in one.
      for (const each of all.filter(({ kind, name }) => `${kind} ${name}` === 'Deployment web' || kind === 'Service')) {
        const words = ['explain', '--format', 'json', '-l', 'app', '--object', `${each.kind}/${each.name}`, path];
        const ran = await runInMemory(words, inRepository());
        const told = ran.code === 0 ? (ran.json as { readonly objects: readonly Explained[] }).objects : [];
        const builtBy = each.scope.kind === 'kustomization' ? each.scope.path.slice(home.length + 1) : undefined;
        const isTold = told.some((one) => rooted(one.file) === each.file && one.builtBy === builtBy);
        assert.equal(isTold, isSelected(each, concern), `${words.join(' ')}: ${ran.out.join('\n')}`);
      }
    });
  }
});

interface Explained {
  readonly file: string;
  readonly builtBy?: string;
}

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly path: string;
}

function keyOf({ file, kind, name, namespace }: Omit<Shown, 'scope' | 'line'>): string {
  return `${file} ${kind}/${name} ${namespace}`;
}

async function edges(words: readonly string[]): Promise<readonly Edge[]> {
  const { json } = await runInMemory(['graph', '--format', 'json', ...words], inRepository());
  const graph = json as {
    readonly nodes: readonly (Shown & { readonly id: string })[];
    readonly edges: readonly Edge[];
  };
  const names = new Map(graph.nodes.map((node) => [node.id, keyOf({ ...node, file: rooted(node.file) })]));
  return graph.edges.map(({ from, to, path }) => ({ from: names.get(from) ?? '', to: names.get(to) ?? '', path }));
}

describe('a changed file', () => {
  const mutations: readonly (readonly [string, (text: string) => string | undefined])[] = [
    ['is deleted', () => undefined],
    ['is relabeled', (text) => text.replaceAll(/\b(app|owner|color): ?[\w]+/g, '$1: other')],
    ['selects something else', (text) => text.replace(/app: \w+\n$/, 'app: else\n')],
    ['loses its content', () => 'a: b\n'],
    ['is renamed', (text) => text.replace(/name: (\w+)/, 'name: renamed')],
    ['moves to a namespace', (text) => text.replace('metadata:\n', 'metadata:\n  namespace: moved\n')],
    ['names fewer resources', (text) => text.replace(/, \w+\.yaml\]/, ']').replace(/components: \S+\n/, '')],
    ['adds a label', (text) => `${text}commonLabels: {owner: Team New}\n`],
    ['is broken', (text) => `${text}  x: [\n`],
  ];
  for (const [what, mutate] of mutations) {
    it(`that ${what} selects every finding that this causes`, async () => {
      const before = new Set((await everyFinding()).map(findingKey));
      let caused = 0;
      for (const [path, text] of Object.entries(pathWorkspace)) {
        const after = mutate(text);
        if (after === text) continue;
        const { [path]: _, ...others } = pathWorkspace;
        const files = after === undefined ? others : { ...others, [path]: after };
        const isBroken = path.endsWith('.selector-lens.yaml') && after !== undefined;
        if (isBroken) continue;
        const all = await check(['.'], inRepository(files));
        const options = { ...inRepository(files), standardInput: { text: `${path}\n` } };
        const selected = new Set((await check(['--files-from', '-'], options)).map(findingKey));
        const fresh = all.map(findingKey).filter((each) => !before.has(each));
        caused += fresh.length;
        assert.deepEqual(
          fresh.filter((each) => !selected.has(each)),
          [],
          path,
        );
      }
      assert.ok(caused > 0, 'nothing is caused by it');
    });
  }
});

/** Without the overlays in which it holds: that there are others now is nothing new in this one. */
function findingKey({ file, rule, message, range }: Found): string {
  return `${file} ${JSON.stringify(range)} ${rule}: ${message.replace(/ \(As .+ applies it\.\)$/, '')}`;
}

describe('a root', () => {
  it('is without a repository the current folder, if that holds the path, so that every way gives the same', async () => {
    const alone = { files: pathWorkspace };
    const all = (await check(['.'], alone)).filter(({ file }) => file.startsWith(rooted('pol/')));
    assert.equal(all.length, 2);
    for (const path of ['pol', 'pol/np.yaml', rooted('pol')]) assert.deepEqual(await check([path], alone), all, path);
  });

  it('is never the whole home folder', async () => {
    const files = { ...pathWorkspace, 'other/ledger.yaml': pathWorkspace['ledger.yaml'] ?? '' };
    const { json } = await runInMemory(['objects', '--format', 'json', 'pol'], { files, homeFolder: home });
    const { objects } = json as { readonly objects: readonly Shown[] };
    assert.deepEqual(
      objects.map(({ scope }) => scope.path),
      ['pol', 'pol'],
    );
  });

  it('that does not hold all that an overlay takes is said to be too small', async () => {
    const inside = { files: pathWorkspace, currentFolder: rooted(dev) };
    const { err } = await runInMemory(['check'], inside);
    const says =
      "selector-lens: Not read: kustomization.yaml names '../../base', which is outside of the folders that are read. Name a larger '--root'.";
    assert.deepEqual(err, [says]);
    assert.deepEqual((await runInMemory(['check', '--root', '../../..'], inside)).err, []);
  });

  it('is that of every path', async () => {
    const files = { '/home/ada/one/a.yaml': pathWorkspace['pol/np.yaml'] ?? '', '/home/ada/two/x/b.yaml': 'a: b\n' };
    const repositories = ['/home/ada/one', '/home/ada/two'];
    const { json } = await runInMemory(['objects', '--format', 'json', '../two/x/b.yaml', '../one/a.yaml'], {
      files,
      repositories,
    });
    assert.equal((json as { objects: readonly unknown[] }).objects.length, 1);
  });

  it('is read as one scope, also where git ignores a folder that is named in it', async () => {
    const ignored = inRepository({ ...pathWorkspace, '.gitignore': 'pol\n' });
    const found = await check(['pol/np.yaml'], ignored);
    assert.deepEqual(
      await check(['pol'], ignored),
      await check(['pol', '.'], ignored).then((all) => all.filter(({ file }) => file.includes('/pol/'))),
    );
    assert.equal(found[0]?.related[0]?.file, rooted('ledger.yaml'));
  });
});

describe('--scope', () => {
  const limited = async (command: string, ...words: readonly string[]) => {
    const { json } = await runInMemory([command, '--format', 'json', ...words], inRepository());
    const { objects } = json as { readonly objects: readonly Shown[] };
    return [...new Set(objects.map(({ scope }) => `${scope.kind} ${scope.path}`))];
  };

  it('limits lists of objects to what a scope applies, with and without paths', async () => {
    for (const words of [['objects'], ['match', '-l', '!nobody']]) {
      const [command = '', ...more] = words;
      assert.deepEqual(await limited(command, ...more, '--scope', prod), [`kustomization ${prod}`]);
      assert.deepEqual(await limited(command, ...more, '--scope', `./${prod}/`, base), [`kustomization ${prod}`]);
      assert.deepEqual(await limited(command, ...more, '--scope', `${prod}/kustomization.yaml`), [
        `kustomization ${prod}`,
      ]);
      assert.deepEqual(await limited(command, ...more, '--scope', 'kustomize/overlays', base), [
        `kustomization ${dev}`,
        `kustomization ${prod}`,
      ]);
      assert.deepEqual(await limited(command, ...more, '--scope', dev, '--scope', shop), [
        `kustomization ${dev}`,
        `chart ${shop}`,
      ]);
      assert.deepEqual(await limited(command, ...more, '--scope', 'team'), ['declared team']);
      assert.deepEqual(await limited(command, ...more, '--scope', '.'), ['folder .']);
    }
  });

  it('limits findings to those that hold in a scope', async () => {
    const all = await everyFinding();
    const inFiles = (files: readonly string[]) => all.filter(({ file }) => files.map(rooted).includes(file));
    assert.deepEqual(await check(['--scope', prod]), inFiles(builtByProd));
    assert.deepEqual(await check(['--scope', dev]), inFiles([`${base}/config.yaml`]));
    assert.deepEqual(await check(['--scope', dev, base]), inFiles([`${base}/config.yaml`]));
    assert.deepEqual(await check(['--scope', shop]), inFiles(ofShop));
    assert.deepEqual(await check(['--scope', 'pol/np.yaml']), inFiles(['ledger-config.yaml', ...pol]));
    assert.deepEqual(
      await check(['--scope', 'overlays/prod'], inRepository(), rooted('kustomize')),
      inFiles(builtByProd),
    );
  });

  it('limits explanations and the graph', async () => {
    const words = ['explain', '-l', 'app', '--object', 'deploy/web', '--format', 'json', '--scope'];
    const built = async (at: string) =>
      ((await runInMemory([...words, at], inRepository())).json as { objects: readonly Explained[] }).objects.map(
        ({ builtBy }) => builtBy,
      );
    assert.deepEqual(await built('kustomize/overlays'), [prod]);
    assert.deepEqual(await built(dev), [dev]);
    const drawn = await edges(['--scope', dev]);
    assert.ok(drawn.length > 0);
    assert.deepEqual(
      drawn.filter(({ from }) => !from.includes('dev-')),
      [],
    );
  });

  it('must name a scope, and no other path than it holds', async () => {
    const err = async (...words: readonly string[]) => {
      const ran = await runInMemory(['check', ...words], inRepository());
      assert.equal(ran.code, 2, ran.out.join('\n'));
      return ran.err;
    };
    assert.deepEqual(await err('--scope', base), [
      `selector-lens: There is no scope '${base}'. It is part of ${dev}, ${prod}.`,
    ]);
    assert.deepEqual(await err('--scope', 'docs'), [
      "selector-lens: There is no scope 'docs'. 'selector-lens objects' lists all.",
    ]);
    assert.deepEqual(await err('--scope', 'nowhere'), ["selector-lens: There is no file or folder 'nowhere'."]);
    assert.deepEqual(await err('--scope', dev, 'pol'), ['selector-lens: No Kubernetes objects in the given paths.']);
    assert.deepEqual(await err('--scope', dev, '-'), [
      "selector-lens: Standard input is one scope: '--scope' does not apply to it.",
    ]);
  });
});

describe('diff of paths', () => {
  const changed = {
    ...pathWorkspace,
    [`${base}/service.yaml`]: (pathWorkspace[`${base}/service.yaml`] ?? '').replace(
      /app: website\n$/,
      'app: websites\n',
    ),
    'ledger.yaml': (pathWorkspace['ledger.yaml'] ?? '').replaceAll('app: ledgers', 'app: ledger'),
  };
  const trees = (old: string, fresh: string) =>
    Object.fromEntries([
      ...Object.entries(pathWorkspace).map(([path, text]) => [`${old}/${path}`, text]),
      ...Object.entries(changed).map(([path, text]) => [`${fresh}/${path}`, text]),
    ]);
  const diff = async (words: readonly string[], options: MemoryOptions) => {
    const ran = await runInMemory(['diff', ...words], options);
    assert.notEqual(ran.code, 2, ran.err.join('\n'));
    return ran.out.filter((line) => /^[-+!] /.test(line));
  };
  const lost = '- Service/dev-web no longer selects Deployment/dev-web.';
  const gained = '+ NetworkPolicy/ledger now isolates Deployment/ledger.';

  it('compares of two checkouts what an overlay builds, wherever its files are', async () => {
    const files = trees('/home/ada/old', '/home/ada/new');
    const options = { files, repositories: ['/home/ada/old', '/home/ada/new'] };
    for (const way of ['', '/', '/kustomization.yaml'])
      assert.deepEqual(await diff([`../old/${dev}${way}`, `../new/${dev}${way}`], options), [lost]);
    assert.deepEqual(await diff(['../old/pol', '../new/pol'], options), [gained]);
    assert.deepEqual(await diff(['../old/pol/np.yaml', '../new/pol/np.yaml'], options), [gained]);
    const refused =
      "! The selector of Deployment/ledger changed from 'app=ledgers' to 'app=ledger': it is immutable, the update will be refused.";
    assert.deepEqual(await diff(['../old', '../new'], options), [refused, lost, gained]);
    assert.deepEqual(await diff(['../old', '../new', '--scope', dev], options), [lost]);
    assert.deepEqual(await diff([`../old/${shop}`, `../new/${shop}`], options), []);
  });

  it('compares of two folders in one repository, or in none, what an overlay builds', async () => {
    const files = trees('old', 'new');
    for (const repositories of [[home], []]) {
      assert.deepEqual(await diff([`old/${dev}`, `new/${dev}`], { files, repositories }), [lost]);
      // Each is a state of its own: the rest of the repository is not part of it.
      assert.deepEqual(await diff(['old/pol', 'new/pol'], { files, repositories }), []);
      const roots = ['--root', 'old', '--root', 'new'];
      assert.deepEqual(await diff(['old/pol', 'new/pol', ...roots], { files, repositories }), [gained]);
    }
  });

  it('must name a scope that is in one of the trees', async () => {
    const { code, err } = await runInMemory(['diff', 'old', 'new', '--scope', 'x'], { files: trees('old', 'new') });
    assert.deepEqual([code, err], [2, ["selector-lens: There is no scope 'x' in either tree."]]);
  });
});
