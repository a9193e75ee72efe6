/** Creates a rule: its file, its registration and its first stories. `npm run new-rule FAMILY/NAME` runs it. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);
const registration = 'server/src/rules/all.ts';

/** The folders of `server/src/rules/` that contain rules; the other folders contain shared code. */
export const ruleFamilies = [
  'objects',
  'labels',
  'names',
  'selectors',
  'nodes',
  'kustomize',
  'helm',
  'gitops',
  'network',
  'commands',
  'updates',
  'housekeeping',
] as const;

/** The family and the id of a new rule from `FAMILY/NAME`. */
function partsOf(path: string): { readonly family: string; readonly name: string } {
  const slash = path.indexOf('/');
  return { family: path.slice(0, Math.max(slash, 0)), name: path.slice(slash + 1) };
}

/**
 * The problem with the path of a new rule (`labels/label-value-null`); undefined if it can be used. `exists` is called
 * with paths from the root.
 */
export function problemOfPath(path: string, exists: (path: string) => boolean): string | undefined {
  const { family, name } = partsOf(path);
  if (!ruleFamilies.some((each) => each === family))
    return `'${path}' must start with a family: ${ruleFamilies.join(', ')}. For example 'labels/label-value-null'.`;
  if (!/^[a-z]+(?:-[a-z0-9]+)+$/.test(name))
    return `'${name}' must be two or more words in kebab-case, such as 'label-value-null'.`;
  const files = ruleFamilies.map((each) => `server/src/rules/${each}/${name}.ts`);
  const taken = [...files, `test/rules/${name}`, `docs/rules/${name}.md`].find(exists);
  return taken === undefined ? undefined : `The name '${name}' is taken: ${taken} exists.`;
}

/** The files of a new rule by their paths from the root, including the registration with the rule added. */
export function filesOfRule(path: string, registered: string): ReadonlyMap<string, string> {
  const { family, name } = partsOf(path);
  return new Map([
    [`server/src/rules/${family}/${name}.ts`, ruleFile(name)],
    [registration, register(family, name, registered)],
    [`test/rules/${name}/reported.yaml`, reportedStory(name)],
    [`test/rules/${name}/not-reported.yaml`, silentStory],
  ]);
}

function camelCase(name: string): string {
  return name.replaceAll(/-([a-z0-9])/g, (_, first: string) => first.toUpperCase());
}

/** Imports stay sorted by their paths, as the linter requires. The rule comes before those about suppressions. */
function register(family: string, name: string, text: string): string {
  const path = `${family}/${name}`;
  const added = `import { ${camelCase(name)} } from './${path}.ts';`;
  const lines = text.split('\n');
  const pathOf = (line: string) => /^import .* from '\.\/([^']+)\.ts';$/.exec(line)?.[1];
  const next = lines.findIndex((line) => (pathOf(line) ?? '') > path);
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

import type { Written } from '../../manifests/model.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { shorten } from '../helpers/sentences.ts';

/** What \`check\` finds, with all that \`message\` and \`fixes\` need. */
interface Found extends Fact {
  readonly name: Written;
}

export const ${camelCase(name)} = rule<Found>({
  id: '${name}',
  severity: 'warning',
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
  message: ({ name }) => \`Name '\${shorten(name.text)}' is a placeholder; change it before the object is applied.\`,
  // A rule without a fix says why in \`withoutFix\`, and returns [] here.
  fixes: ({ name }) => [
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

function nextSteps(path: string): string {
  const { name } = partsOf(path);
  return `
Next:
  1. Replace the check, the texts and the examples in server/src/rules/${path}.ts.
  2. Move it to its place among related rules in ${registration}: documentation lists rules in this order.
  3. Write stories in test/rules/${name}/, run  npm run approve -- ${name}  and read the margins.
  4. npm run generate                        writes the page, the settings and the tables
  5. npm run test:fast -- ${name} project/   runs its stories and the tests of the project
  6. npm run check`;
}

function run(paths: readonly string[]): number {
  const [path = '', ...others] = paths;
  if (path === '' || others.length > 0) {
    console.error('Usage: npm run new-rule FAMILY/NAME');
    return 2;
  }
  const problem = problemOfPath(path, (each) => existsSync(new URL(each, root)));
  if (problem !== undefined) {
    console.error(problem);
    return 2;
  }
  for (const [each, text] of filesOfRule(path, readFileSync(new URL(registration, root), 'utf8'))) {
    const file = fileURLToPath(new URL(each, root));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(each);
  }
  console.log(nextSteps(path));
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = run(process.argv.slice(2));
