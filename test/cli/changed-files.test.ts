/** Whether a changed file selects every finding that its change causes, also in other files. */
import assert from 'node:assert/strict';
import { check, everyFinding, type Found, inRepository } from './path-answers.ts';
import { pathWorkspace } from './path-workspace.ts';

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
  return `${file} ${JSON.stringify(range)} ${rule}: ${message.replace(/ In (?:(?! In ).)+\.$/, '')}`;
}
