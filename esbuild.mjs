/** Builds the bundles in dist/: `node esbuild.mjs [--production] [--types] [--watch]`. With `--executable`, builds only the bundle that `executable.mjs` puts into a single executable; with `--playground`, only the page in dist/playground/. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { minifySync } from 'oxc-minify';

const root = fileURLToPath(new URL('.', import.meta.url));
process.chdir(root);
const watch = process.argv.includes('--watch');
const production = process.argv.includes('--production');

/** Leaves the import of one module unresolved until run time, with its name next to the bundle. */
function leaveOut(filter, bundledAs) {
  return {
    name: `leave out ${bundledAs}`,
    setup(build) {
      build.onResolve({ filter }, ({ kind }) =>
        kind === 'dynamic-import' ? { path: bundledAs, external: true } : undefined,
      );
    },
  };
}

/** The id of this build: equal for equal sources and dependencies. */
function buildId() {
  const hash = createHash('sha256');
  const sources = readdirSync('server/src', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).replaceAll('\\', '/'));
  for (const path of ['esbuild.mjs', 'package-lock.json', ...sources.sort()])
    hash.update(`${path}\n`).update(readFileSync(path)).update('\n');
  return hash.digest('hex').slice(0, 32);
}

/** The validator of the SDK for agents, which compiles code from schemas: nothing uses it. */
const withoutValidator = without(/^ajv(?:-formats)?$/);

/** Leaves out the reasons and examples of rules, which only pages, tests and agents show: an editor opens the pages of the extension. */
const withoutExamples = {
  name: 'without reasons and examples',
  setup(build) {
    build.onLoad({ filter: /[\\/]server[\\/]src[\\/]rules[\\/].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8')
        .replace(/^ {2}(bad|good): \[(?:[^\n]*\]|\n.*?^ {2}\]),$/gms, '  $1: [],')
        .replace(/^ {2}(summary|why|withoutFix):\s+(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"),$/gm, "  $1: '',"),
      loader: 'ts',
    }));
  },
};

/** For the playground, which has no command that adopts labels and no view of changes: it needs nothing of these modules. */
const withoutCommands = {
  name: 'without adoption and the view of changes',
  setup(build) {
    const replace = (filter, contents) => build.onLoad({ filter }, () => ({ contents }));
    replace(
      /[\\/]lsp[\\/]adoption\.ts$/,
      'export let adoptLabels, plannedEdits; export const isAdoptParams = () => false;',
    );
    replace(/[\\/]lsp[\\/]changes\.ts$/, 'export const provideChanges = () => () => {};');
  },
};

/** For the playground: features of the protocol that the server does not have, 2 KB of what is loaded first. In the library, each is a function that adds one to a class. */
const withoutUnusedFeatures = {
  name: 'without unused features of the protocol',
  setup(build) {
    const unused = 'inlineCompletion|inlineValue|linkedEditingRange|moniker|notebook|textDocumentContent|typeHierarchy';
    build.onLoad({ filter: new RegExp(`[\\\\/]common[\\\\/]protocol\\.(?:${unused})\\.js$`) }, () => ({
      contents: '',
    }));
    build.onLoad({ filter: new RegExp(`[\\\\/]lib[\\\\/]common[\\\\/](?:${unused})\\.js$`) }, ({ path }) => {
      const names = [...readFileSync(path, 'utf8').matchAll(/^exports\.(\w+Feature) = /gm)].map(([, name]) => name);
      return { contents: names.map((name) => `exports.${name} = (Base) => Base;`).join('\n') };
    });
  },
};

/** An empty module, for dynamic imports that a bundle never reaches. */
const nothing = 'data:text/javascript,';

/** For servers, which contain the rules: the command line loads them. */
const withLoadedRules = leaveOut(/\/all\.ts$/, nothing);

/** Imports the modules of Node.js that CommonJS libraries require: a module of JavaScript has no `require`. */
const importedBuiltIns = {
  name: 'imported built-in modules',
  setup(build) {
    const namespace = 'built-in';
    build.onResolve({ filter: /^(?:node:)?[a-z_]+$/ }, ({ path, kind }) =>
      kind === 'require-call' && isBuiltin(path) ? { path, namespace } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
      contents: `export * from '${path}'; export { default } from '${path}';`,
    }));
  },
};

/** Replaces modules that a bundle never uses by empty ones. */
function without(filter) {
  return {
    name: `without ${filter}`,
    setup(build) {
      build.onResolve({ filter }, ({ path }) => ({ path, namespace: `${filter}` }));
      build.onLoad({ filter: /.*/, namespace: `${filter}` }, () => ({ contents: 'export default class {}' }));
    },
  };
}

const catalogue = /engine\/catalogue\/(?:index|key-descriptions)\.ts$/;
const { version, engines } = JSON.parse(readFileSync('package.json', 'utf8'));
const minimumNode = /^>=(\d+)$/.exec(engines.node)[1];
const common = {
  bundle: true,
  // The library's build for Node is CommonJS and requires built-ins; the other one is plain modules.
  alias: { yaml: './node_modules/yaml/browser/dist/index.js' },
  logLevel: watch ? 'info' : 'warning',
  metafile: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  legalComments: 'none',
  define: {
    SELECTOR_LENS_VERSION: JSON.stringify(version),
    SELECTOR_LENS_MINIMUM_NODE: minimumNode,
    SELECTOR_LENS_BUILD: JSON.stringify(watch ? new Date().toISOString() : buildId()),
  },
};
const forNode = { ...common, platform: 'node', target: `node${minimumNode}`, mainFields: ['module', 'main'] };
const inExtension = { ...forNode, format: 'cjs', external: ['vscode'] };
const inBrowser = {
  ...common,
  platform: 'browser',
  target: 'es2022',
  external: ['vscode'],
  define: { ...common.define, global: 'globalThis' },
};
const module = { ...forNode, format: 'esm' };

/** The whole command in one file: an executable cannot load others. */
const executable = {
  ...forNode,
  format: 'cjs',
  entryPoints: ['server/src/node/cli-executable.ts'],
  outfile: 'dist/selector-lens.cjs',
  plugins: [withoutValidator],
};

const allBundles = [
  {
    ...inExtension,
    entryPoints: ['client/src/node/main.ts'],
    outfile: 'dist/extension/client-node.js',
    // VS Code provides `vscode` only to `require`, so the rest is not loaded by `import()`.
    supported: { 'dynamic-import': false },
    plugins: [leaveOut(/\/rest\.ts$/, './client-node-main.js')],
  },
  { ...inExtension, entryPoints: ['client/src/node/rest.ts'], outfile: 'dist/extension/client-node-main.js' },
  {
    ...inBrowser,
    format: 'cjs',
    entryPoints: ['client/src/browser/main.ts'],
    outfile: 'dist/extension/client-browser.js',
  },
  // The servers on the desktop and in a web worker share nearly all of their code.
  {
    ...module,
    entryPoints: { node: 'server/src/node/extension-server.ts', browser: 'server/src/browser/server.ts' },
    outdir: 'dist/server',
    splitting: true,
    // The only one: a second one would have the same name, which is an error.
    chunkNames: 'shared',
    conditions: ['browser'],
    define: { ...common.define, global: 'globalThis' },
    plugins: [
      leaveOut(catalogue, '../catalogue.js'),
      leaveOut(/\/mcp-server\.ts$/, '../mcp.js'),
      // `selector-lens lsp` starts the server, and only `graph --format svg` needs the layout.
      leaveOut(/^\.\/server\.ts$/, nothing),
      withLoadedRules,
      leaveOut(/drawing\/svg-image\.ts$/, nothing),
      importedBuiltIns,
      withoutExamples,
    ],
  },
  { ...inBrowser, format: 'iife', entryPoints: ['server/src/browser/worker.ts'], outfile: 'dist/extension/worker.js' },
  // The page of the Selector Map, and its style sheet.
  { ...inBrowser, format: 'iife', entryPoints: ['client/src/webview/main.ts'], outfile: 'dist/extension/map.js' },
  { ...inBrowser, entryPoints: ['client/src/webview/map.css'], outfile: 'dist/extension/map.css' },
  {
    ...module,
    entryPoints: ['server/src/node/cli.ts'],
    outfile: 'dist/cli.js',
    // Old versions of Node.js must be able to parse the file in order to report that they are not supported.
    target: 'es2015',
    supported: { 'dynamic-import': true },
    banner: { js: '#!/usr/bin/env node' },
    plugins: [leaveOut(/\/cli-start\.ts$/, './cli-start.js')],
  },
  {
    ...module,
    entryPoints: ['server/src/node/cli-start.ts'],
    outfile: 'dist/cli-start.js',
    plugins: [leaveOut(/\/cli-main\.ts$/, './cli-main.js')],
  },
  {
    ...module,
    // Some commands evaluate no rules.
    entryPoints: { 'cli-main': 'server/src/node/cli-main.ts', rules: 'server/src/rules/all.ts' },
    outdir: 'dist',
    splitting: true,
    chunkNames: 'cli-shared',
    plugins: [
      leaveOut(catalogue, './catalogue.js'),
      leaveOut(/\/server\.ts$/, './server/node.js'),
      leaveOut(/drawing\/svg-image\.ts$/, './svg-image.js'),
      leaveOut(/\/mcp-server\.ts$/, './mcp.js'),
    ],
  },
  // Only `mcp` needs the protocol of agents.
  { ...module, entryPoints: ['server/src/node/mcp-server.ts'], outfile: 'dist/mcp.js', plugins: [withoutValidator] },
  // Only `graph --format svg` needs the layout.
  { ...module, platform: 'neutral', entryPoints: ['server/src/drawing/svg-image.ts'], outfile: 'dist/svg-image.js' },
  { ...module, platform: 'neutral', entryPoints: ['server/src/engine/index.ts'], outfile: 'dist/engine.js' },
  {
    ...module,
    platform: 'neutral',
    entryPoints: ['server/src/engine/catalogue/library.ts'],
    outfile: 'dist/catalogue.js',
  },
];

/** The playground for any static host: its page, the language server in a worker, and the page of the Selector Map. */
const inPage = { ...inBrowser, external: [], outdir: 'dist/playground' };
const playground = [
  { ...inPage, format: 'esm', entryPoints: ['playground/page.ts'] },
  // What the first findings do not need is loaded later.
  {
    ...inPage,
    format: 'esm',
    splitting: true,
    entryPoints: ['playground/server.ts'],
    plugins: [withLoadedRules, withoutExamples, withoutCommands, withoutUnusedFeatures],
  },
  {
    ...inPage,
    format: 'iife',
    entryPoints: {
      map: 'client/src/webview/main.ts',
      'map-host': 'playground/map-host.ts',
      'map-style': 'client/src/webview/map.css',
    },
  },
];

const isPlayground = process.argv.includes('--playground');
if (isPlayground) rmSync('dist/playground', { recursive: true, force: true });
const bundles = process.argv.includes('--executable') ? [executable] : isPlayground ? playground : allBundles;

mkdirSync('dist/extension', { recursive: true });
writeFileSync('dist/package.json', '{ "type": "module" }\n');
writeFileSync('dist/extension/package.json', '{ "type": "commonjs" }\n');

if (watch) {
  const announced = announceBuilds(bundles.length);
  for (const options of bundles) {
    const plugins = [...(options.plugins ?? []), announced()];
    await (await esbuild.context({ ...options, plugins })).watch();
  }
} else {
  const results = await Promise.allSettled(bundles.map((options) => esbuild.build(options)));
  const metafiles = results.flatMap(({ status, value }) => (status === 'fulfilled' ? [value.metafile] : []));
  if (metafiles.length < bundles.length) process.exitCode = 1;
  for (const metafile of metafiles) report(metafile);
  if (bundles === allBundles) writeNotices(metafiles, 'dist');
  if (isPlayground) await finishPlayground(metafiles);
  if (process.argv.includes('--types')) writeTypes();
}

/** Adds the files of the playground that are not bundles, and the service worker, which knows the names of all files. */
async function finishPlayground(metafiles) {
  const folder = 'dist/playground';
  writeNotices(metafiles, folder);
  for (const name of ['index.html', 'style.css', 'map.html', 'map-theme.css'])
    copyFileSync(`playground/${name}`, join(folder, name));
  copyFileSync('images/icon.png', join(folder, 'icon.png'));
  const outputs = metafiles.flatMap((metafile) => Object.keys(metafile.outputs)).map((file) => relative(folder, file));
  if (production) for (const file of outputs.filter((each) => each.endsWith('.js'))) minifyAgain(join(folder, file));
  const files = [
    './',
    'style.css',
    'map.html',
    'map-theme.css',
    'icon.png',
    ...outputs.filter((file) => !file.endsWith('.map')),
  ];
  await esbuild.build({
    ...inPage,
    format: 'iife',
    entryPoints: ['playground/offline.ts'],
    define: { ...inPage.define, PLAYGROUND_FILES: JSON.stringify(files) },
  });
}

/** Minifies a bundle with a second minifier: the result is 4 % smaller when it is compressed. */
function minifyAgain(file) {
  const { code, errors } = minifySync(file, readFileSync(file, 'utf8'), {
    module: true,
    compress: { target: inBrowser.target },
    mangle: { toplevel: true },
  });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  writeFileSync(file, code);
}

/** Prints a line whenever all bundles are built: the task in .vscode/tasks.json waits for it. */
function announceBuilds(count) {
  let pending = count;
  return () => {
    let isFirst = true;
    return {
      name: 'announce builds',
      setup(build) {
        build.onStart(() => {
          if (!isFirst) pending++;
          isFirst = false;
        });
        build.onEnd(() => {
          if (--pending === 0) console.log('[watch] all built');
        });
      },
    };
  };
}

function report(metafile) {
  for (const [file, { bytes }] of Object.entries(metafile.outputs)) {
    if (file.endsWith('.js')) console.log(`${file.padEnd(36)} ${(bytes / 1024).toFixed(1).padStart(8)} KB`);
  }
}

/** The declarations of what package.json exports, with file extensions in imports that every TypeScript project can resolve. */
function writeTypes() {
  const compiled = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-b', 'server'], {
    stdio: 'inherit',
  });
  if (compiled.status !== 0) process.exitCode = 1;
  const from = '.tsbuild/server/engine';
  rmSync('dist/types', { recursive: true, force: true });
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.name.endsWith('.d.ts')) continue;
    const path = join(entry.parentPath, entry.name);
    const to = join('dist/types/engine', relative(from, path));
    mkdirSync(join(to, '..'), { recursive: true });
    writeFileSync(to, readFileSync(path, 'utf8').replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
  }
}

/** The licenses of the packages in the bundles. */
function writeNotices(metafiles, folder) {
  const inputs = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
  const packages = inputs.map((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]);
  const folders = [...new Set(packages)].filter((folder) => folder !== undefined).sort();
  const notices = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? `Licensed under ${license}.` : readFileSync(join(folder, file), 'utf8').trim();
    return `${name} ${version}\n\n${text}\n`;
  });
  const line = `\n${'-'.repeat(80)}\n\n`;
  writeFileSync(`${folder}/NOTICES.txt`, `The bundles contain these packages.\n${line}${notices.join(line)}`);
}
