/**
 * Tests the security of the program: no network, child processes, code from text, telemetry or slow regular
 * expressions.
 */
import assert from 'node:assert/strict';
import { isSuperLinear } from './regular-expressions.ts';
import { bareCode, importsOf, regularExpressionsOf, sourcesIn } from './sources.ts';

const sources = sourcesIn('server/src', 'client/src');

/** Modules with access outside of the process, or that run given code. */
const reachingModules =
  /^(?:node:)?(?:child_process|cluster|dgram|dns|http2?|https|inspector|net|repl|tls|trace_events|vm|wasi)(?:\/.*)?$/;

/** Names with access outside of the process, or that run text, without an import. */
const reachingNames: Readonly<Record<string, RegExp>> = {
  'the network': /\b(?:fetch|XMLHttpRequest|WebSocket|EventSource|WebTransport|sendBeacon|importScripts)\b\s*[(.]/,
  'code made of text': /\beval\s*\(|\bFunction\s*\(|\bnew Function\b|\bsetTimeout\s*\(\s*['"`]/,
  'a child process': /\b(?:fork|spawn|spawnSync|execFile|execFileSync|execSync|createTerminal)\s*\(/,
  'somebody told': /telemetry|sendTelemetry|appInsights|createTelemetryLogger/i,
  'a door to the outside': /\b(?:openExternal|process\.binding|process\.dlopen)\b/,
};

describe('the sources of server and client', () => {
  it('import no module with access to networks or processes', () => {
    const found = sources.flatMap((source) =>
      importsOf(source)
        .filter(({ from }) => reachingModules.test(from))
        .map(({ from }) => `${source.path} -> ${from}`),
    );
    assert.deepEqual(found, []);
    assert.ok(reachingModules.test('node:child_process') && reachingModules.test('dns/promises'));
  });

  it('start threads only for the calls of agents', () => {
    const threads = sources.filter((source) => importsOf(source).some(({ from }) => from === 'node:worker_threads'));
    assert.deepEqual(
      threads.map(({ path }) => path),
      [
        'server/src/node/call-thread.ts',
        'server/src/node/cli-executable.ts',
        'server/src/node/cli-main.ts',
        'server/src/node/cli-start.ts',
        'server/src/node/extension-server.ts',
        'server/src/node/mcp.ts',
      ],
    );
  });

  for (const [what, names] of Object.entries(reachingNames)) {
    it(`contain nothing for ${what}`, () => {
      const found = sources.filter((source) => names.test(bareCode(source)));
      assert.deepEqual(
        found.map(({ path }) => path),
        [],
      );
    });
  }

  it('import at run time only the listed modules', () => {
    const computed = sources.filter((source) =>
      /\b(?:import|require)\s*\(\s*[^\s'")]/.test(source.text.replaceAll(/^ *(?:\*|\/\/|\/\*\*).*$/gm, '')),
    );
    // The URL of our server in a web worker, which the client sends.
    assert.deepEqual(
      computed.map(({ path }) => path),
      ['server/src/browser/worker.ts'],
    );
  });
});

describe('the regular expressions of the server', () => {
  it('take linear time on any text', () => {
    const slow = sourcesIn('server/src').flatMap((source) =>
      regularExpressionsOf(source)
        .filter(isSuperLinear)
        .map((literal) => `${source.path}: ${literal}`),
    );
    assert.deepEqual(slow, []);
  });

  it('are created once, and never from text of a workspace', () => {
    const made = sourcesIn('server/src').flatMap((source) =>
      bareCode(source)
        .split('\n')
        .filter((line) => /\bRegExp\s*\(/.test(line) && !/^(?:export )?const \w+ = new RegExp\(/.test(line))
        .map((line) => `${source.path}: ${line.trim()}`),
    );
    assert.deepEqual(made, []);
  });
});

describe('the check of regular expressions', () => {
  const slow = [
    ...['/(a+)+$/', '/^(a|a)*b/', '/^(?:a*)*$/', '/(?:x+x+)+y/', '/^(\\w+\\s?)*$/', '/^([a-z]|\\p{L})+!/u'],
    ...[
      '/\\s+$/',
      '/^[^\\S\\uFEFF]+|[^\\S\\uFEFF]+$/g',
      '/\\s*[\\r\\n]\\s*/g',
      '/^\\s*\\s*x/',
      '/^.*foo.*bar/',
      '/a*b/',
    ],
    ...['/^(?:a?){9}b|c+d/', '/^\\s*x/m', '/^(?=(a+)+b)/', '/(?<!x)y+z/', '/^\\d*\\d+$/', '/^(?:.|\\n)*?a.*b/'],
    ...['/(?<=:[ \\t]+)"/', '/(?=[" ])(?<=:[ \\t]+)./', '/(?<!x\\s*)y/'],
  ];
  const linear = [
    ...['/a+/g', '/^a+$/', '/^(?:ab)*$/', '/^(?:[^/]+\\/)*$/', '/^a*b*c*$/', '/^\\s*(?:#.*)?$/', '/[^a-z]+/gu'],
    ...[
      '/^(?:"(?:[^"\\\\]|\\\\.)*"|x)$/',
      '/\\s*x/y',
      '/^ *x/m',
      '/a{1,63}b/',
      '/^[a-z]+(?:-[a-z]+)*$/',
      '/^---(?=[ \\t]|$)/gm',
    ],
    ...['/^(?:--?)?[a-z]*=?/', '/\\//', '/x|y/', '/^[ \\t]*\\t[ \\t]*/gm', '/./su', '/[)\\]}]+/'],
    ...['/(?=["])(?<=:[ \\t]+)"/', '/(?<=:[ \\t]{1,9})"/'],
  ];

  for (const literal of slow) it(`reports ${literal} as slow`, () => assert.ok(isSuperLinear(literal)));

  for (const literal of linear) it(`reports ${literal} as linear`, () => assert.ok(!isSuperLinear(literal)));
});
