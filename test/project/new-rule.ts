/** Creates a rule: its file, its registration and its first stories. `npm run new-rule NAME` runs it. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);
const registration = 'server/src/rules/all.ts';

/** The problem with the name of a new rule; undefined if it can be used. `exists` is asked for paths from the root. */
export function problemOfName(name: string, exists: (path: string) => boolean): string | undefined {
  if (!/^[a-z]+(?:-[a-z0-9]+)+$/.test(name))
    return `'${name}' must be two or more words in kebab-case, such as 'label-value-null'.`;
  const taken = [`server/src/rules/${name}.ts`, `test/rules/${name}`, `docs/rules/${name}.md`].find(exists);
  return taken === undefined ? undefined : `The name '${name}' is taken: ${taken} exists.`;
}

/** The files of a new rule by their paths from the root, the registration with the rule added among them. */
export function filesOfRule(name: string, registered: string): ReadonlyMap<string, string> {
  return new Map([
    [`server/src/rules/${name}.ts`, ruleFile(name)],
    [registration, register(name, registered)],
    [`test/rules/${name}/reported.yaml`, reportedStory(name)],
    [`test/rules/${name}/not-reported.yaml`, silentStory],
  ]);
}

function camelCase(name: string): string {
  return name.replaceAll(/-([a-z0-9])/g, (_, first: string) => first.toUpperCase());
}

/** Imports stay sorted by their paths, as the linter demands. The rule comes before those about suppressions. */
function register(name: string, text: string): string {
  const added = `import { ${camelCase(name)} } from './${name}.ts';`;
  const lines = text.split('\n');
  const pathOf = (line: string) => /^import .* from '\.\/([^']+)\.ts';$/.exec(line)?.[1];
  const next = lines.findIndex((line) => (pathOf(line) ?? '') > name);
  const last = lines.findLastIndex((line) => pathOf(line) !== undefined);
  lines.splice(next === -1 ? last + 1 : next, 0, added);
  const place = lines.indexOf('  unusedSuppression,');
  if (last === -1 || place === -1) throw new Error(`${registration} does not have the expected form.`);
  lines.splice(place, 0, `  ${camelCase(name)},`);
  return lines.join('\n');
}

const badExample = `apiVersion: v1
kind: ConfigMap
metadata:
  name: replace-me
`;
const goodExample = badExample.replace('replace-me', 'prices');

function ruleFile(name: string): string {
  return `/** Reports objects that are called \`replace-me\`. Replace this with what the rule reports. */

import type { Written } from '../manifests/manifest.ts';
import { type Fact, rule } from './rule.ts';
import { shorten } from './say.ts';

/** What \`check\` finds, with all that \`say\` and \`mend\` need. */
interface Found extends Fact {
  readonly name: Written;
}

export const ${camelCase(name)} = rule<Found>({
  id: '${name}',
  severity: 'warning',
  // What a file must contain for the rule to look at it: see \`Subject\` in rule.ts.
  about: 'objects',
  summary: 'An object that is called \`replace-me\`.',
  why: 'Replace this: what Kubernetes does with such an object, and what goes wrong for its users.',
  // Each gives exactly one finding. The examples are the page of the rule.
  bad: [
    {
      title: 'The name is a placeholder.',
      text: \`${badExample}\`,
    },
  ],
  good: [
    {
      title: 'Any other name.',
      text: \`${goodExample}\`,
    },
  ],
  *check({ stored }) {
    for (const { name } of stored) if (name?.value === 'replace-me') yield { span: name.span, name };
  },
  say: ({ name }) => \`Name '\${shorten(name.text)}' is a placeholder; change it before the object is applied.\`,
  // A rule without a fix says why in \`withoutFix\`, and returns [] here.
  mend: ({ name }) => [
    { title: "Change the name to 'replaced'", edits: [{ span: name.span, text: 'replaced' }], preferred: true },
  ],
});
`;
}

function reportedStory(name: string): string {
  return `# Replace this: what the rule reports. The margin below a line says what is expected of it.
${badExample}  #     ~~~~~~~~~~ warning ${name} "Name 'replace-me' is a placeholder" [Change the name to 'replaced']
`;
}

const silentStory = `# Replace this: what the rule must not report.
${goodExample}#= 1 object, 0 labels
`;

function nextSteps(name: string): string {
  return `
Next:
  1. Replace the check, the texts and the examples in server/src/rules/${name}.ts.
  2. Move it to its place among related rules in ${registration}: documentation lists rules in this order.
  3. Write stories in test/rules/${name}/, run  npm run approve -- ${name}  and read the margins.
  4. npm run generate                        writes the page, the settings and the tables
  5. npm run test:fast -- ${name} project/   runs its stories and the tests of the project
  6. npm run check`;
}

function run(names: readonly string[]): number {
  const [name = '', ...others] = names;
  if (name === '' || others.length > 0) {
    console.error('Usage: npm run new-rule NAME');
    return 2;
  }
  const problem = problemOfName(name, (path) => existsSync(new URL(path, root)));
  if (problem !== undefined) {
    console.error(problem);
    return 2;
  }
  for (const [path, text] of filesOfRule(name, readFileSync(new URL(registration, root), 'utf8'))) {
    const file = fileURLToPath(new URL(path, root));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(path);
  }
  console.log(nextSteps(name));
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = run(process.argv.slice(2));
