/**
 * Tests that a path on the command line has one meaning, however it is written: the part of the result for the whole
 * root that concerns it.
 */
import assert from 'node:assert/strict';
import { home, runInMemory } from './memory-world.ts';
import {
  base,
  builtByProd,
  canary,
  cart,
  check,
  db,
  dev,
  type Edge,
  type Explained,
  edges,
  everyEdge,
  everyFinding,
  everyObject,
  inProd,
  inRepository,
  inShop,
  keyOf,
  listed,
  ofShop,
  pol,
  prod,
  rooted,
  type Shown,
  shop,
} from './path-answers.ts';
import { pathWorkspace } from './path-workspace.ts';

/** The ways to write a path, each with the current folder. */
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
/** The selection of each path: findings by their files, objects by their files and the scopes that apply them. */
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
function isSelected({ kind, name, file, scope }: Shown, { written, scopes = [], patched = [] }: Concern): boolean {
  const short = (path: string) => path.slice(home.length + 1);
  if (written.test(short(file)) || scopes.includes(short(scope.path))) return true;
  return patched.includes(`${short(scope.path)} ${kind}/${name}`);
}
describe('a path on the command line', () => {
  it('is in a workspace in which every kind of scope has findings', async () => {
    const files = (await check(['.'])).map(({ file }) => file);
    assert.deepEqual(
      files.toSorted(),
      [...ofShop, ...builtByProd, 'ledger-config.yaml', ...pol, ...cart].map(rooted).toSorted(),
    );
  });

  for (const concern of concerns) {
    const { path, found } = concern;

    it(`selects the findings for ${path}, however it is written`, async () => {
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

    it(`selects the objects for ${path}`, async () => {
      for (const words of [['objects'], ['match', '-l', '!nobody'], ['match', '--pods', '-l', 'app']]) {
        const expected = (await everyObject(words)).filter((each) => isSelected(each, concern));
        assert.deepEqual(await listed([...words, path]), expected, `${words.join(' ')} ${path}`);
      }
    });

    it(`selects the edges that begin or end in ${path}`, async () => {
      const objects = (await everyObject(['objects'])).filter((each) => isSelected(each, concern));
      const keys = new Set(objects.map(keyOf));
      const isDrawn = ({ from, to }: Edge) => keys.has(from) || keys.has(to);
      assert.deepEqual(await edges([path]), (await everyEdge()).filter(isDrawn));
    });

    it(`explains the objects for ${path}`, async () => {
      const all = await everyObject(['objects']);
      // One object of each scope, and those whose name has a prefix in one.
      for (const each of all.filter(({ kind, name }) => `${kind} ${name}` === 'Deployment web' || kind === 'Service')) {
        const words = ['explain', '--format', 'json', '-l', 'app', '--object', `${each.kind}/${each.name}`, path];
        const ran = await runInMemory(words, inRepository());
        const told = ran.code === 0 ? (ran.json as { readonly objects: readonly Explained[] }).objects : [];
        const builtBy = ['kustomization', 'chart'].includes(each.scope.kind)
          ? each.scope.path.slice(home.length + 1)
          : undefined;
        const isRendered = told.some((one) => rooted(one.file) === each.file && one.builtBy === builtBy);
        assert.equal(isRendered, isSelected(each, concern), `${words.join(' ')}: ${ran.out.join('\n')}`);
      }
    });
  }
});
