/** Tests the scopes that the grammars give to selectors, with the tokenizer of an editor. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import oniguruma from 'vscode-oniguruma';
import textmate from 'vscode-textmate';

const root = new URL('../../syntaxes/', import.meta.url);
const injection = 'kube-selector.injection';

/** Empty host languages, whose tokens all come from the injection. */
const hosts: Readonly<Record<string, object>> = {
  'source.shell': { scopeName: 'source.shell', patterns: [{ name: 'comment.line.shell', match: '#.*$' }] },
  'source.yaml': { scopeName: 'source.yaml', patterns: [{ name: 'comment.line.yaml', match: '#.*$' }] },
};

const files: Readonly<Record<string, string>> = {
  'source.kube-selector': 'kube-selector.tmLanguage.json',
  [injection]: 'kube-selector.injection.tmLanguage.json',
};

const wasm = createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm');

async function registry(): Promise<textmate.Registry> {
  await oniguruma.loadWASM(readFileSync(wasm));
  const onigLib = Promise.resolve({
    createOnigScanner: (patterns: string[]) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text: string) => new oniguruma.OnigString(text),
  });
  return new textmate.Registry({
    onigLib,
    getInjections: (scope) => (scope in hosts ? [injection] : []),
    loadGrammar: async (scope) => {
      const file = files[scope];
      const text = file === undefined ? JSON.stringify(hosts[scope]) : readFileSync(new URL(file, root), 'utf8');
      return textmate.parseRawGrammar(text, 'grammar.json');
    },
  });
}

describe('the grammar', () => {
  let known: textmate.Registry;
  beforeEach(async () => {
    known = await registry();
  });

  /** Each token with the last part of its innermost scope; blanks and tokens without a color are left out. */
  const coloured = async (line: string, scope = 'source.kube-selector'): Promise<string> => {
    const grammar = await known.loadGrammar(scope);
    assert.ok(grammar !== null);
    const tokens = grammar.tokenizeLine(line, textmate.INITIAL).tokens;
    return tokens
      .map(({ startIndex, endIndex, scopes }) => ({
        text: line.slice(startIndex, endIndex).trim(),
        own: scopes.at(-1) ?? '',
      }))
      .filter(({ text, own }) => text !== '' && own.endsWith('.kube-selector') && !own.startsWith('meta.'))
      .map(({ text, own }) => `${text}:${own.split('.').at(-2)}`)
      .join(' ');
  };

  it('distinguishes keys, prefixes, operators and values', async () => {
    assert.equal(
      await coloured('app.kubernetes.io/name in (web,api),!canary,tier!=db  # shops'),
      'app.kubernetes.io:namespace /:prefix name:tag in:wordlike (:begin web:value ,:separator api:value ):end ' +
        ',:separator !:logical canary:tag ,:separator tier:tag !=:comparison db:value # shops:number-sign',
    );
  });

  it('marks no other word as an operator', async () => {
    assert.equal(await coloured('in,notin=in'), 'in:tag ,:separator notin:tag =:comparison in:value');
  });

  it('leaves variables to the shell grammar', async () => {
    assert.equal(await coloured('app=$APP,tier'), 'app:tag =:comparison $APP:other ,:separator tier:tag');
  });

  it('finds selectors after the flags of commands', async () => {
    const web = 'app:tag =:comparison web:value';
    for (const line of [
      "kubectl get pods -l 'app=web'",
      'kubectl get pods -n shop --selector=app=web -o name',
      'POD=$(kubectl get pods -l "app=web" -o name)',
      'watch k get po -l app=web',
    ]) {
      assert.equal(await coloured(line, 'source.shell'), web, line);
    }
    assert.equal(await coloured('  - run: kubectl get pods -l app=web', 'source.yaml'), web);
    assert.equal(await coloured('    labelSelector: "app=web"', 'source.yaml'), web);
  });

  it('finds none after the flags of others', async () => {
    for (const line of [
      'ls -l app=web',
      'kubectl get pods; ls -l app=web',
      "grep -l 'app in (a)'",
      '# kubectl get po -l a=b',
    ]) {
      assert.equal(await coloured(line, 'source.shell'), '', line);
    }
    assert.equal(await coloured('    labelSelector: {matchLabels: {app: web}}', 'source.yaml'), '');
  });
});

describe('the language of selectors', () => {
  const text = readFileSync(new URL('kube-selector.language-configuration.json', root), 'utf8');
  const configuration: { readonly wordPattern: string; readonly brackets: unknown } = JSON.parse(text);

  it('treats a key with its prefix as one word', () => {
    const word = new RegExp(configuration.wordPattern, 'g');
    assert.deepEqual('app.kubernetes.io/name in (web,api-2)'.match(word), [
      'app.kubernetes.io/name',
      'in',
      'web',
      'api-2',
    ]);
    assert.deepEqual(configuration.brackets, [['(', ')']]);
  });

  it('is at the path in package.json', () => {
    const path = fileURLToPath(new URL('../package.json', root));
    const { contributes } = JSON.parse(readFileSync(path, 'utf8'));
    const named = [
      ...contributes.grammars.map((each: { path: string }) => each.path),
      contributes.languages[0].configuration,
    ];
    for (const each of named) assert.ok(readFileSync(new URL(each, new URL('..', root)), 'utf8').length > 0);
  });
});
