/** Updates the images of the README and of the walkthrough, by tours of the packaged extension: `npm run images`. Requires pngquant. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { animate } from './animate.ts';
import { launchBrowser } from './browser.ts';
import { root } from './code-server.ts';
import { newFolder, removeFolder } from './folders.ts';
import { imagesVsix } from './images-vsix.ts';
import { forTest } from './patience.ts';
import { packageVsix } from './vsix/package-vsix.ts';

/** The screenshots that the README shows. */
const ofReadme = ['hover', 'completion', 'rename', 'try-a-selector'];
/** The steps of the walkthrough with an image. */
const ofWalkthrough = ['manifest', 'hover', 'fix', 'matches', 'try', 'commands', 'level'];

/** The frames of the animated image of the README, each shown for two seconds. */
const ofAnimation = ['manifest', 'hover', 'fix', 'matches', 'try'];
const frameTime = 2_000;

const folder = await newFolder('images');
const env = { ...process.env, [imagesVsix]: packageVsix(folder) };
const runTest = (file: string, title: string) => {
  const mocha = ['node_modules/mocha/bin/mocha.js', '--no-config', '--timeout', `${forTest}`, '-g', title, file];
  const { status } = spawnSync(process.execPath, mocha, { cwd: root, stdio: 'inherit', env });
  if (status !== 0) process.exitCode = status ?? 1;
  return status === 0;
};
const screenshot = (name: string) => join(root, 'test', 'host', 'screenshots', name);
const copy = (from: string, to: string) => {
  mkdirSync(dirname(join(root, to)), { recursive: true });
  copyFileSync(screenshot(from), join(root, to));
};
/** Reduces images to 16 colors, so that the VSIX with the walkthrough stays below 2 MB. */
const reduceColors = (paths: readonly string[]) => {
  const options = ['--force', '--ext', '.png', '--strip', '--speed', '1', '--nofs', '16'];
  const { status, error } = spawnSync('pngquant', [...options, ...paths], { cwd: root, stdio: 'inherit' });
  if (status === 0) return;
  console.error(`The images still have all colors, because pngquant failed. ${error?.message ?? ''}`);
  process.exitCode = 1;
};
if (runTest('test/host/ui/tour.test.ts', 'tour')) {
  for (const name of ofReadme) copy(`tour-${name}.png`, `docs/images/${name}.png`);
}
if (runTest('test/host/ui/walkthrough.test.ts', 'desktop-like')) {
  for (const name of ofWalkthrough) copy(`walkthrough-desktop-like-${name}.png`, `images/walkthrough/${name}.png`);
  reduceColors(ofWalkthrough.map((name) => `images/walkthrough/${name}.png`));
  const frames = ofAnimation.map((name) => readFileSync(screenshot(`walkthrough-desktop-like-${name}-window.png`)));
  writeFileSync(join(root, 'docs', 'images', 'tour.png'), animate(frames, frameTime));
}
// The marketplace shows no SVG in a README.
const browser = await launchBrowser();
const page = await browser.newPage({ viewport: { width: 860, height: 469 }, deviceScaleFactor: 1.5 });
await page.goto(pathToFileURL(join(root, 'docs/images/review.svg')).href);
await page.locator('svg').screenshot({ path: join(root, 'docs/images/review.png') });
await browser.close();
await removeFolder(folder);
