/** Updates the images of the README from the tour of the examples: `npm run images`. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './code-server.ts';
import { forTest } from './patience.ts';

/** The screenshots that the README shows. */
const shown = ['hover', 'completion', 'rename', 'try-a-selector'];

const mocha = ['node_modules/mocha/bin/mocha.js', '--no-config', '--timeout', `${forTest}`, '-g', 'light theme'];
const run = spawnSync(process.execPath, [...mocha, 'test/host/ui/tour.test.ts'], { cwd: root, stdio: 'inherit' });
if (run.status === 0) {
  const images = join(root, 'docs', 'images');
  mkdirSync(images, { recursive: true });
  for (const name of shown) {
    copyFileSync(join(root, 'test', 'host', 'screenshots', `tour-light-${name}.png`), join(images, `${name}.png`));
  }
}
process.exitCode = run.status ?? 1;
