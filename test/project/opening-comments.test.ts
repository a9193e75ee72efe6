/** Checks source files: the opening sentence, the words of comments, the name, and the size of files and functions. */
import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { faultsOf } from './glossary.ts';
import { commentsOf, type Source, sourcesIn, undocumentedFunctions } from './sources.ts';

const sources = sourcesIn('server/src', 'client/src', 'playground', 'test', 'bench');

const maximumLines = 500;
const maximumFunctionLines = 60;

/** The text of a documentation comment at the start of a file. */
function openingOf({ text }: Source): string | undefined {
  const comment = /^\/\*\*([\s\S]*?)\*\/\n/.exec(text)?.[1];
  return comment
    ?.replaceAll(/^\s*\* ?/gm, '')
    .trim()
    .replaceAll(/\s+/g, ' ');
}

/** The sources whose comments must be statements, without the words of the old dialect. */
const isCommented = /^(?:server|client|playground|bench|test)\//;

/** Elsewhere, a comment is needed only where the name and the type do not say what a function does. */
const isDocumented = /^server\/src\/(?:engine\/|protocol(?:-[a-z]+)?\.ts$|.*\/model\.ts$)/;

interface LongFunction {
  readonly path: string;
  readonly line: number;
  readonly lines: number;
}

const control = /^\s*(?:\} )?(?:if|for|while|switch|else|try|catch|describe|describeCorpora|describeCorporaWith)\b/;
const opensFunction = /(?:\)|\): .+|=>) \{$/;

/**
 * Functions that exceed the limit, found by their indentation, which the formatter guarantees. The body of a test suite
 * is a list, and does not count as a function.
 */
function longFunctions({ path, text }: Source): readonly LongFunction[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    if (control.test(line) || !opensFunction.test(line)) return [];
    const indentation = /^ */.exec(line)?.[0] ?? '';
    const end = lines.findIndex((other, at) => at > index && other.startsWith(`${indentation}}`));
    const length = end - index + 1;
    return length > maximumFunctionLines ? [{ path, line: index + 1, lines: length }] : [];
  });
}

describe('every source file', () => {
  it('opens with a sentence about its purpose', () => {
    for (const source of sources) {
      const opening = openingOf(source);
      assert.ok(opening !== undefined, `${source.path} does not open with a comment of documentation`);
      const first = /^[A-Z`].*?[.?:](?= |$)/.exec(opening)?.[0];
      assert.ok(first !== undefined, `${source.path} opens with no sentence: ${opening}`);
      assert.ok(
        !isCommented.test(source.path) || !first.endsWith('?'),
        `${source.path} opens with a question: ${first}`,
      );
      assert.ok(first.length >= 12 && first.length <= 240, `${source.path} opens with a long sentence: ${first}`);
    }
  });

  it('has comments in standard words', () => {
    const texts = sources
      .filter(({ path }) => isDocumented.test(path))
      .flatMap((source) =>
        commentsOf(source).map((comment) => ({
          where: source.path,
          text: comment.replaceAll(/`[^`\n]*`|"[^"\n]*"/g, '`').replaceAll(/\s+/g, ' '),
        })),
      );
    assert.deepEqual(faultsOf(texts), []);
  });

  it('documents the exported functions of the engine, models and the protocol', () => {
    const missing = sources
      .filter(({ path }) => isDocumented.test(path))
      .flatMap((source) => undocumentedFunctions(source).map((name) => `${source.path}: ${name}`));
    assert.deepEqual(missing, []);
  });

  it('has at most one documentation comment for each declaration', () => {
    const repeated = sources.flatMap(({ path, text }) => {
      const declarations = text.slice((/^\/\*\*[\s\S]*?\*\/\n/.exec(text)?.[0] ?? '').length);
      return [...declarations.matchAll(/\*\/\n[ \t]*\/\*\*[^\n]*/g)].map(([comments]) => `${path}: ${comments}`);
    });
    assert.deepEqual(repeated, []);
  });

  it('has a name in kebab-case', () => {
    for (const { path } of sources) {
      assert.match(basename(path), /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.test|\.d)?\.ts$/, path);
      for (const folder of path.split('/').slice(0, -1)) assert.match(folder, /^[a-z0-9]+(?:-[a-z0-9]+)*$/, path);
    }
  });

  it(`has at most ${maximumLines} lines`, () => {
    const long = sources
      .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
      .filter(({ lines }) => lines > maximumLines);
    assert.deepEqual(long, []);
  });

  it(`has functions of at most ${maximumFunctionLines} lines`, () => {
    assert.deepEqual(sources.flatMap(longFunctions), []);
  });

  it('is measured: a long function is detected', () => {
    const body = '  a();\n'.repeat(70);
    for (const text of [
      `function long(a: number): void {\n${body}}\n`,
      `export async function long(\n  a: number,\n): Promise<void> {\n${body}}\n`,
      `const long = (a: number) => {\n${body}};\n`,
      `class A {\n  #long(): string {\n  ${body.replaceAll('\n', '\n  ')}\n  }\n}\n`,
      `it('is long', async () => {\n${body}});\n`,
    ]) {
      assert.equal(longFunctions({ path: 'x.ts', text }).length, 1, text.slice(0, 60));
    }
    assert.deepEqual(longFunctions({ path: 'x.ts', text: `describe('a', () => {\n${body}});\n` }), []);
  });
});
