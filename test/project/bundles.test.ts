/** Tests the bundles in dist/: their sizes, and that they use only modules of their environment. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runInNewContext, Script } from 'node:vm';
import { built } from '../harness/built.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = built('.');
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

function bundle(name: string): string {
  return readFileSync(built(name), 'utf8');
}

/** Every module that a CommonJS bundle requires or imports, each once. */
function modulesOf(code: string): readonly string[] {
  const found = code.matchAll(/\b(?:require|import)\(\s*(["'])([^"']+)\1\s*\)/g);
  return [...new Set([...found].map((match) => match[2] ?? ''))].sort();
}

/** Every module that an ESM bundle imports, at its top or at run time, each once. */
function importsOf(code: string): readonly string[] {
  const found = code.matchAll(/\b(?:from|import)\s*\(?\s*(["'])([^"'\n]+)\1/g);
  return [...new Set([...found].map((match) => match[2] ?? ''))]
    .filter((name) => /^(?:node:|\.\/|\.\.\/)/.test(name))
    .sort();
}

describe('the bundles', () => {
  it('have an id that depends on their contents, which their caches name', () => {
    const ids = ['cli-main.js', 'server/shared.js'].map((name) => bundle(name).match(/"[0-9a-f]{32}"/g));
    assert.equal(ids[0]?.length, 1);
    assert.deepEqual(ids[0], ids[1]);
  });
});

describe('the bundles of the extension', () => {
  it('load less than 30 KB at activation', () => {
    const gate = bundle('extension/client-node.js');
    assert.ok(gate.length < 30 * 1024, `${gate.length} bytes`);
    assert.deepEqual(modulesOf(gate), ['./client-node-main.js', 'vscode']);
  });

  it('require only VS Code and Node on the desktop', () => {
    const required = modulesOf(bundle('extension/client-node-main.js'));
    const strangers = required.filter((module) => module !== 'vscode' && !isBuiltin(module));
    assert.deepEqual(strangers, []);
    const imported = importsOf(bundle('server/node.js')).filter((module) => !isBuiltin(module));
    assert.deepEqual(imported, ['../mcp.js', './shared.js']);
  });

  it('require only VS Code in the browser, and load without Node', () => {
    const code = bundle('extension/client-browser.js');
    assert.deepEqual(modulesOf(code), ['vscode']);
    const module = { exports: {} };
    const vscode = new Proxy(class {}, { get: (target, key) => (key === 'prototype' ? target.prototype : vscode) });
    const require = (name: string): unknown => {
      assert.equal(name, 'vscode');
      return vscode;
    };
    runInNewContext(code, { module, exports: module.exports, require });
    assert.deepEqual(Object.keys(module.exports).sort(), ['activate', 'deactivate']);
  });

  it('import only what the servers share and the catalogue in the worker of the browser', () => {
    assert.deepEqual(modulesOf(bundle('extension/worker.js')), []);
    assert.deepEqual(importsOf(bundle('server/browser.js')), ['./shared.js']);
    assert.deepEqual(importsOf(bundle('server/shared.js')), ['../catalogue.js']);
  });
});

describe('every bundle', () => {
  it('is stored with one byte a character: other characters would double its size in memory', () => {
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' });
    // The playground is a site, with bundles of its own.
    const names = files.filter((name) => name.endsWith('.js') && !name.startsWith('playground'));
    const wide = names.flatMap((name) =>
      [...bundle(name).matchAll(/.{0,20}[^\0-\xff]/g)].map(([found]) => `${name}: ${found}`),
    );
    assert.deepEqual(wide, []);
    assert.ok(names.length > 5);
  });
});

describe('the bundles of the libraries and the command line', () => {
  it('import nothing', () => {
    for (const name of ['engine.js', 'catalogue.js']) assert.deepEqual(importsOf(bundle(name)), [], name);
  });

  it('keep the engine with the policies of other systems under 162 KB', () => {
    const { length } = bundle('engine.js');
    assert.ok(length < 162 * 1024, `${length} bytes`);
  });

  it('import only Node, the catalogue, the server and the layout in the command line', () => {
    const strangers = (name: string) => importsOf(bundle(name)).filter((each) => !isBuiltin(each));
    assert.ok(bundle('cli.js').startsWith('#!/usr/bin/env node\n'));
    assert.deepEqual(strangers('cli.js'), ['./cli-start.js']);
    assert.deepEqual(strangers('cli-start.js'), ['./cli-main.js']);
    const lazy = ['./catalogue.js', './mcp.js', './rules.js', './server/node.js', './svg-image.js'];
    assert.deepEqual(strangers('cli-main.js'), [...lazy, './cli-shared.js'].sort());
    assert.doesNotMatch(bundle('cli-main.js'), /\bfrom\s*"\.\/rules\.js"/);
    assert.deepEqual(strangers('rules.js'), ['./cli-shared.js']);
    assert.deepEqual(strangers('cli-shared.js'), []);
    assert.deepEqual(strangers('mcp.js'), []);
  });

  it('are exactly the files in the container image, with the package.json that makes them modules', () => {
    const loaded = new Set(['cli.js']);
    // The loop also visits the files that it adds.
    for (const name of loaded)
      for (const path of importsOf(bundle(name)))
        if (path.startsWith('.')) loaded.add(posix.join(posix.dirname(name), path));
    loaded.add('package.json');
    const copied = readFileSync(join(root, 'Dockerfile'), 'utf8').matchAll(/\/src\/dist\/(\S+\.js(?:on)?)(?=\s)/g);
    assert.deepEqual([...copied].map(([, name = '']) => name).sort(), [...loaded].sort());
  });

  it('keep the protocol of agents small, without code that is made of text', () => {
    const code = bundle('mcp.js');
    assert.ok(code.length < 162 * 1024, `${code.length} bytes`);
    assert.doesNotMatch(code, /\bnew Function\b|\beval\(|\bFunction\(/);
  });

  it('report a Node.js that is too old in one line, by code that it can parse', () => {
    // Without static imports, an old Node.js can parse it as CommonJS; syntax after ES2015 may be unknown to it.
    const code = bundle('cli.js').replace('import("./cli-start.js")', '0');
    assert.doesNotMatch(code, /\b(?:import|export|await|async)\b|\?\.|\?\?|\*\*/);
    assert.doesNotThrow(() => new Script(code));
    const fake = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"18.20.4"})';
    for (const words of [['--version'], ['check', 'nowhere']]) {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        ['--import', fake, join(dist, 'cli.js'), ...words],
        { encoding: 'utf8' },
      );
      assert.equal(stderr, 'selector-lens: Node.js 20 or later is required, and this is 18.20.4.\n');
      assert.deepEqual({ status, stdout }, { status: 2, stdout: '' });
    }
  });

  it('run simple commands without loading the rest', () => {
    assert.ok(bundle('cli.js').length < 3000);
  });

  it('are modules that can be imported by their public names', async () => {
    const { resolve } = createRequire(join(root, 'package.json'));
    const engine: object = await import(pathToFileURL(resolve('selector-lens/engine')).href);
    const catalogue: object = await import(pathToFileURL(resolve('selector-lens/catalogue')).href);
    assert.ok('parseSelector' in engine);
    assert.ok(Object.keys(catalogue).length > 0);
  });

  it('have types that a project with ordinary settings can use', () => {
    const folder = mkdtempSync(join(tmpdir(), 'selector-lens-consumer-'));
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(root, join(folder, 'node_modules', 'selector-lens'), 'junction');
    writeFileSync(
      join(folder, 'use.mts'),
      `import { parseSelector } from 'selector-lens/engine';
       import * as catalogue from 'selector-lens/catalogue';
       const parsed = parseSelector('app=web');
       export const kind: 'everything' | 'nothing' | 'all' | undefined = parsed.ok ? parsed.value.kind : undefined;
       export const known: number = Object.keys(catalogue).length;`,
    );
    const settings = ['--noEmit', '--strict', '--module', 'nodenext', '--types', ''];
    const compiled = spawnSync(process.execPath, [tsc, ...settings, 'use.mts'], { cwd: folder, encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    assert.equal(compiled.stdout, '');
    assert.equal(compiled.status, 0);
  });

  it('keep the catalogue out of the server and the command line', () => {
    const catalogue = bundle('catalogue.js');
    // Data from the middle of the catalogue, which would be in every bundle with a copy.
    const piece = catalogue.slice(catalogue.length / 2, catalogue.length / 2 + 60);
    for (const name of ['server/shared.js', 'server/node.js', 'cli-main.js'])
      assert.ok(!bundle(name).includes(piece), name);
  });
});
