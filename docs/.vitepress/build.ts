/** Builds the documentation site in docs/.vitepress/dist: `npm run site`. Fails if a link is dead. */
import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vitepress';
import { deadLinks } from './dead-links.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const site = join(root, 'docs/.vitepress/dist');

const { status } = spawnSync(process.execPath, ['esbuild.mjs', '--production', '--playground'], {
  cwd: root,
  stdio: 'inherit',
});
if (status !== 0) process.exit(1);
await build(join(root, 'docs'));
cpSync(join(root, 'dist/playground'), join(site, 'playground'), { recursive: true });
for (const name of ['schemas', 'selector-lens.schema.json'])
  cpSync(join(root, 'docs', name), join(site, name), { recursive: true });
const dead = deadLinks(site, '/selector-lens/');
for (const { page, link } of dead) console.error(`${page}: dead link ${link}`);
console.log(dead.length === 0 ? 'No dead links.' : `${dead.length} dead links.`);
if (dead.length > 0) process.exitCode = 1;
