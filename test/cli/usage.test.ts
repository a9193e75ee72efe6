/** Tests that an invalid command line is refused with one line and exit code 2, and that help is shown on request. */
import assert from 'node:assert/strict';
import { commands } from '../../server/src/cli/commands/all.ts';
import { goodPrices } from './manifests.ts';
import { runInMemory } from './memory-world.ts';

const files = {
  'prices.yaml': goodPrices,
  'notes.txt': 'nothing',
  'binary.yaml': { skipped: 'it is not text' },
};

const locked = ['locked', 'locked.yaml'];

/** The command line, and its error message. */
const refused: readonly (readonly [words: string, message: RegExp])[] = [
  ['chek', /Unknown command 'chek'/],
  ['toString', /Unknown command 'toString'/],
  ['__proto__', /Unknown command '__proto__'/],
  ['--format json', /Unknown command '--format'/],
  ['check --frmat json', /Unknown option '--frmat'/],
  ['check --toString', /Unknown option '--toString'/],
  ['check --frmat=json', /Unknown option '--frmat'/],
  ['check -x', /Unknown option '-x'/],
  ['check -f prices.yaml', /'--format' must be one of .*, not 'prices\.yaml'\. Specify paths without an option/],
  ['init -f prices.yaml', /Unknown option '-f'\. Specify paths without an option/],
  ['match --filename=prices.yaml -l a', /Unknown option '--filename'\. Specify paths without an option/],
  ['check --show-settings', /'--show-settings' requires the path of one file/],
  ['check -o json', /'--output' must name a file; use '--format json'/],
  ['match -l a -o json', /Unknown option '-o'\. Use '--format'/],
  ['check -o locked', /The output 'locked' cannot be written: permission denied \(EACCES\)/],
  ['check --select selects-nothing', /Unknown option '--select'\. Use '--rule' here/],
  ['check --disable selects-nothing', /Unknown option '--disable'\. Use '--exclude-rule' here/],
  ['check --summary', /Unknown option '--summary'\. Use '--statistics' here/],
  ['check --strict', /Unknown option '--strict'\. Use '--level strict'/],
  ['check --kubernetes-version 1.36', /'--kubernetes-version'\. Set 'kubernetesVersion' in \.selector-lens\.yaml/],
  ['completion -o json', /Unknown option '-o'\. 'selector-lens completion --help' shows all/],
  ['check --context prod', /Unknown option '--context'\. No cluster is contacted/],
  ['check --set a=b', /Unknown option '--set'\. Pipe the output/],
  ['check --values prod.yaml', /no file or folder 'prod\.yaml'/],
  ['match -q', /Unknown option '-q'\. 'selector-lens match --help' shows all/],
  ['check --ignore-paths a', /Unknown option '--ignore-paths'\. Use '--exclude'/],
  ['check --format', /'--format' must have a value/],
  ['check --format xml', /'--format' must be one of .*text.*json.*, not 'xml'/],
  ['check --format=', /'--format' must be one of .*, not ''/],
  ['check --severity loud', /'--severity' must be one of error, warning, information, hint, not 'loud'/],
  ['check --selector app', /Unknown option '--selector'/],
  ['check nowhere.yaml', /no file or folder 'nowhere\.yaml'/],
  ['check prices.yaml nowhere', /no file or folder 'nowhere'/],
  ['check ', /no file or folder ''/],
  ['check --root=', /no file or folder ''/],
  ['check --root nowhere', /no file or folder 'nowhere'/],
  ['check --root prices.yaml', /'prices\.yaml' is not a folder/],
  ['check prices.yaml -', /standard input/i],
  ['check -', /Standard input cannot be read: there is none/],
  ['match', /'--selector' must be given/],
  ['match prices.yaml', /'--selector' must be given/],
  ['match --selector', /'--selector' must have a value/],
  ['match --pods=yes --selector a', /'--pods' must not have a value/],
  ['match --selector a=b=c', /The selector 'a=b=c' is invalid: /],
  ['match --selector a,', /The selector 'a,' is invalid: /],
  ['match -l -bad', /The selector '-bad' is invalid: /],
  ['match --field-selector a', /The field selector 'a' is invalid/],
  ['check --frmat json', /Did you mean '--format'\?/],
  ['chek', /Did you mean 'check'\?/],
  ['check --severity warn', /not 'warn'/],
  ['check --severity eror', /Did you mean 'error'\?/],
  ['check --dry-run', /'--dry-run' requires '--fix'/],
  ['check --update-baseline', /'--update-baseline' requires '--baseline'/],
  ['check --baseline nowhere.json', /'nowhere\.json' does not exist/],
  ['check --baseline prices.yaml', /'prices\.yaml' is not a baseline/],
  ['check --fix -', /Standard input cannot be changed/],
  ['check --stdin-filename a.yaml', /'--stdin-filename' requires the path '-'/],
  ['check --files-from nowhere', /no file or folder 'nowhere'/],
  ['check --files-from - -', /Standard input can be read only once/],
  ['check locked.yaml', /'locked\.yaml' cannot be read: permission denied \(EACCES\)/],
  ['check binary.yaml', /'binary\.yaml' cannot be read: it is not text/],
  ['match -l a locked', /'locked' cannot be read: permission denied \(EACCES\)/],
  ['explain --selector a', /'--object' must be given/],
  ['explain --object a/b', /'--selector' must be given/],
  ['explain --selector a --object prices', /must be a kind and a name/],
  ['explain --selector a --object ConfigMap/price', /no object ConfigMap\/price .* Did you mean 'ConfigMap\/prices'\?/],
  ['explain --selector a --object cm/price', /no object cm\/price .* Did you mean 'cm\/prices'\?/],
  ['explain --selector a --object cm/prices notes.txt', /No Kubernetes objects in the given paths/],
  ['explain --selector a --object cm/prices --namespace x prices.yaml extra', /no file or folder 'extra'/],
  ['diff prices.yaml', /requires two paths/],
  ['diff prices.yaml prices.yaml more', /unexpected 'more'/],
  ['diff prices.yaml nowhere', /no file or folder 'nowhere'/],
  ['diff prices.yaml notes.txt', /No Kubernetes objects in 'notes\.txt'/],
  ['rule slects-nothing', /Unknown rule 'slects-nothing'\. Did you mean 'selects-nothing'\?/],
  ['rule a b', /unexpected 'b'/],
  ['lsp', /'--stdio' must be given/],
  ['lsp --stdio here', /unexpected 'here'/],
  ['completion', /Specify a shell/],
  ['completion bas', /Did you mean 'bash'\?/],
  ['help chek', /Unknown command 'chek'/],
  ['match -l a,(,)', /The selector 'a,\(,\)' is invalid: /],
];

describe('a command line that cannot be run', () => {
  for (const [words, message] of refused) {
    it(`is ${words}`, async () => {
      const { code, out, err } = await runInMemory(words.split(' '), { files, locked });
      assert.equal(code, 2);
      assert.deepEqual(out, []);
      assert.equal(err.length, 1, err.join('\n'));
      assert.match(err[0] ?? '', message);
      assert.match(err[0] ?? '', /^selector-lens: .*[.?]$/);
    });
  }

  it('is reported on one line for a selector of several lines', async () => {
    const { code, err } = await runInMemory(['match', '-l', 'a\nb\n=c'], { files });
    assert.equal(code, 2);
    assert.equal(err.length, 1, err.join('\n'));
  });

  it('is distinguished from an internal error, which is also reported on one line', async () => {
    const { code, out, err } = await runInMemory(['check'], { files, failure: new Error('no\ncatalogue') });
    assert.deepEqual(
      { code, out, err },
      { code: 2, out: [], err: ['selector-lens: This should not happen, please report it: no catalogue'] },
    );
  });

  it('lists the commands if there is none', async () => {
    const { code, out, err } = await runInMemory([]);
    assert.equal(code, 2);
    assert.deepEqual(out, []);
    assert.ok(err.some((line) => line.includes('selector-lens check')));
  });
});

describe('help', () => {
  for (const words of ['--help', '-h', 'help']) {
    it(`is shown for ${words}: every command`, async () => {
      const { code, out, err } = await runInMemory([words]);
      assert.equal(code, 0);
      assert.deepEqual(err, []);
      for (const { name } of commands) assert.ok(out.some((line) => line.includes(`selector-lens ${name} `)));
    });
  }

  it('is shown for one command, whatever its other arguments are', async () => {
    for (const words of [
      ['check', '--help'],
      ['check', 'nowhere', '-h'],
      ['match', '--frmat', '--help'],
    ]) {
      const { code, out } = await runInMemory(words);
      assert.equal(code, 0);
      assert.match(out[0] ?? '', new RegExp(`^selector-lens ${words[0]} `));
    }
  });

  it('names every option of a command', async () => {
    for (const { name, options, summary, examples } of commands) {
      const { out } = await runInMemory([name, '--help']);
      const words = out.join(' ').replaceAll(/ +/g, ' ');
      for (const option of options) assert.ok(words.includes(`--${option.name}`), `${name} --${option.name}`);
      assert.ok(words.includes(summary.replaceAll('`', "'")), name);
      assert.ok(examples.length > 0, name);
      for (const { line } of examples) assert.ok(out.includes(`  ${line}`), line);
      assert.ok(
        out.every((line) => line.length <= 100 || examples.some((each) => line.endsWith(each.line))),
        name,
      );
    }
  });

  it('fits into a narrow terminal, and keeps an option and its value together', async () => {
    const examples = commands.flatMap((each) => each.examples.map(({ line }) => `  ${line}`));
    for (const words of [['--help'], ...commands.map(({ name }) => [name, '--help'])]) {
      const { out } = await runInMemory(words, { columns: 80 });
      assert.deepEqual(
        out.filter((line) => line.length > 80 && !examples.includes(line)),
        [],
      );
      for (const line of out.filter((each) => /^ {4}\S/.test(each))) assert.match(line, /^ {4}\[[^\]]+\]/);
    }
  });

  it('on a rule has lines of a readable width', async () => {
    const { out } = await runInMemory(['rule', 'selects-nothing'], { columns: 72 });
    assert.deepEqual(
      out.filter((line) => line.length > 72 && !/^(?: {4}|https:)/.test(line)),
      [],
    );
  });

  it('ignores a path after --', async () => {
    const { code, out } = await runInMemory(['check', '--', '--help'], { files: { '--help': goodPrices } });
    assert.equal(code, 0);
    assert.equal(out[0], 'No problems in 1 object, 1 file.');
  });
});

describe('--version', () => {
  it('prints only the version', async () => {
    const { code, out, err } = await runInMemory(['--version']);
    assert.deepEqual({ code, out, err }, { code: 0, out: ['1.2.3'], err: [] });
  });
});
