/** Reads the examples on the pages about policies, and draws their graphs for the documentation. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInMemory } from '../cli/memory-world.ts';
import { root } from './sources.ts';

export const policySystems = ['admission', 'calico', 'cilium', 'gatekeeper', 'istio', 'kyverno', 'linkerd'] as const;

/** A command line and its output. */
interface ConsoleRun {
  readonly words: readonly string[];
  readonly output: readonly string[];
}

interface PolicyExample {
  /** The files of the example, by name. */
  readonly files: Readonly<Record<string, string>>;
  readonly runs: readonly ConsoleRun[];
}

/** Returns the example on the page of a system. */
export function policyExample(system: string): PolicyExample {
  const page = readFileSync(join(root, 'docs/policies', `${system}.md`), 'utf8');
  const manifests = blockIn(page, 'yaml').join('\n');
  const runs: ConsoleRun[] = [];
  let output: string[] = [];
  for (const line of blockIn(page, 'console')) {
    if (line.startsWith('$ selector-lens ')) {
      output = [];
      runs.push({ words: wordsOf(line.slice('$ selector-lens '.length)), output });
    } else output.push(line);
  }
  return { files: { 'shop.yaml': `${manifests}\n` }, runs };
}

function blockIn(page: string, language: string): readonly string[] {
  const found = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'm').exec(page)?.[1];
  if (found === undefined) throw new Error(`a page has no example in ${language}`);
  return found.trimEnd().split('\n');
}

/** Splits a command line into words, which may be in quotes. */
function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );
}

/** Returns the graphs of the examples, by their paths from the root. */
export async function policyPictures(): Promise<readonly (readonly [path: string, text: string])[]> {
  return Promise.all(
    policySystems.map(async (system) => {
      const { out } = await runInMemory(['graph', '--format', 'svg'], { files: policyExample(system).files });
      return [`docs/images/policies/${system}.svg`, `${out.join('\n')}\n`] as const;
    }),
  );
}
