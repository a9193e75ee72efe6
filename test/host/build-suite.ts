/** Bundles each suite folder into one file, so that it runs in every VS Code. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from './code-server.ts';

const suites = join(root, 'test', 'host', 'suite');

/** Builds the bundle of a suite, and returns its path. */
export async function buildSuite(name: string): Promise<string> {
  const files = readdirSync(join(suites, name)).filter((file) => file.endsWith('.test.ts'));
  if (files.length === 0) throw new Error(`The suite ${name} has no tests.`);
  const outfile = join(root, '.vscode-test', 'suites', `${name}.cjs`);
  const imports = files.map((file) => `await import('./${name}/${file}');`).join('\n');
  await build({
    stdin: {
      contents: `import { runSuite } from './run-suite.ts';
        export const run = () => runSuite(async () => { ${imports} });`,
      resolveDir: suites,
    },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    sourcemap: 'inline',
    external: ['vscode', 'mocha'],
    outfile,
  });
  return outfile;
}
