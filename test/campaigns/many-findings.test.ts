/**
 * Tests of files with very many findings of one rule: a limited number is reported, with a note on the omitted ones.
 */

import assert from 'node:assert/strict';
import { maximumFindings } from '../../server/src/rules/framework/rule.ts';
import { runInMemory } from '../cli/memory-world.ts';

const start = 'apiVersion: v1\nkind: Service\nmetadata:\n  name: a\nspec:\n  selector:\n';

interface Diagnostic {
  readonly rule: string;
  readonly message: string;
  readonly range: { readonly start: { readonly line: number } };
}

/** That the selector itself is too large is another finding. */
function isFindingLimit({ rule, message }: Diagnostic): boolean {
  return rule === 'analysis-limit' && /\bfindings of\b/.test(message);
}

async function diagnosticsOf(text: string): Promise<readonly Diagnostic[]> {
  const { json } = await runInMemory(['check', '--format', 'json'], { files: { 'a.yaml': text } });
  return (json as { readonly diagnostics: readonly Diagnostic[] }).diagnostics;
}

describe('a file with very many findings of one rule', () => {
  it('has a limited number of them, and a finding at the first omitted one', async () => {
    const found = await diagnosticsOf(`${start}${'    app: a\n'.repeat(20_000)}`);
    assert.equal(found.filter(({ rule }) => rule === 'duplicate-key').length, maximumFindings);
    const [limit, ...others] = found.filter(isFindingLimit);
    assert.deepEqual(others, []);
    assert.equal(
      limit?.message,
      'This file has more than 5000 findings of duplicate-key; findings from this position on are not reported.',
    );
    assert.equal(limit?.range.start.line, 7 + maximumFindings);
  });

  it('has all findings up to that number, without counting suppressed ones', async () => {
    const suppressed = '    app: a # selector-lens-disable-line duplicate-key\n'.repeat(10);
    const found = await diagnosticsOf(`${start}${suppressed}${'    app: a\n'.repeat(maximumFindings + 1)}`);
    assert.equal(found.filter(({ rule }) => rule === 'duplicate-key').length, maximumFindings);
    assert.deepEqual(found.filter(isFindingLimit), []);
  });
});

describe('fixes in many files that all change one file', () => {
  it('are verified, and offered, until the limit of parsed text', async () => {
    const names = Array.from({ length: 120 }, (_, number) => `p${number}.yaml`);
    const pods = names.map((name) => [name, `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\n`] as const);
    const fixable = async (comment: string) => {
      const kustomization = `# ${comment}\nresources: [p0.yaml]\n`;
      const files = { ...Object.fromEntries(pods), 'kustomization.yaml': kustomization };
      const { json } = await runInMemory(['check', '--format', 'json'], { files });
      const { diagnostics } = json as { readonly diagnostics: readonly { rule: string; fixable: boolean }[] };
      return diagnostics.filter((each) => each.rule === 'kustomize-orphan' && each.fixable).length;
    };
    assert.equal(await fixable('short'), 119);
    const some = await fixable('long '.repeat(20_000));
    assert.ok(some > 20 && some < 60, `${some}`);
  });
});
