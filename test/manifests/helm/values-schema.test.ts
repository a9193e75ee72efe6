/** Tests which values the `values.schema.json` of a chart forbids. */

import assert from 'node:assert/strict';
import { WorkBudget } from '../../../server/src/engine/work-budget.ts';
import type { Data } from '../../../server/src/manifests/helm/value.ts';
import { forbiddenValue } from '../../../server/src/manifests/helm/values-schema.ts';

/** Returns the path of the first value that a schema forbids, such as `db.port`; undefined if it certainly forbids none. */
function forbidden(schema: Data, value: Data): string | undefined {
  return new WorkBudget(10_000).during(() => forbiddenValue(schema, value)?.join('.'));
}

const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#' };

/** Asserts that a schema for the value `a` allows some values and forbids others. */
function decides(schema: Data, allowed: readonly Data[], refused: readonly Data[], root: Data = draft7): void {
  const whole = { ...(root as object), properties: { a: schema } };
  for (const a of allowed) assert.equal(forbidden(whole, { a }), undefined, JSON.stringify(a));
  for (const a of refused) assert.notEqual(forbidden(whole, { a }), undefined, JSON.stringify(a));
}

describe('the schema of values', () => {
  it('limits texts', () => {
    decides({ minLength: 1 }, ['a', 1, null], ['']);
    decides({ maxLength: 2 }, ['ab', '\u{1f600}\u{1f600}'], ['abc']);
    decides({ pattern: '^[a-z]+$' }, ['ab', 1], ['', 'A', '1']);
    decides({ pattern: 'b' }, ['abc'], ['a']);
    // A pattern that Go rejects is not evaluated.
    decides({ pattern: '(?=a)' }, ['a', 'b'], []);
    decides({ format: 'uri' }, ['a'], []);
  });

  it('limits numbers', () => {
    decides({ minimum: 1, maximum: 3 }, [1, 3, 'x'], [0, 4]);
    decides({ exclusiveMinimum: 1, exclusiveMaximum: 3 }, [2], [1, 3]);
    decides({ minimum: 1, exclusiveMinimum: true }, [2], [1], { $schema: 'http://json-schema.org/draft-04/schema#' });
    decides({ multipleOf: 5 }, [10, 0], [7]);
    decides({ multipleOf: 0.1 }, [0.35], []);
    decides({ type: 'integer' }, [1], [1.5, '1', null]);
  });

  it('compares with constants', () => {
    decides({ enum: ['a', 1, { b: [1] }] }, ['a', 1, { b: [1] }], ['b', '1', { b: [2] }]);
    decides({ const: { a: 1, b: 2 } }, [{ b: 2, a: 1 }], [{ a: 1 }, 1]);
    decides({ const: null }, [null], [0]);
    decides({ enum: ['a'] }, ['{{ unknown }}', 'a'], ['b']);
  });

  it('limits lists', () => {
    decides({ minItems: 1, maxItems: 2 }, [[1]], [[], [1, 2, 3]]);
    decides({ items: { type: 'string' } }, [['a'], []], [[1]]);
    decides({ items: [{ type: 'string' }], additionalItems: false }, [['a'], []], [[1], ['a', 'b']]);
    decides(
      { uniqueItems: true },
      [[1, '1']],
      [
        [1, 1],
        [{ a: 1 }, { a: 1 }],
      ],
    );
    decides({ contains: { const: 1 } }, [[0, 1]], [[], [0]]);
  });

  it('limits maps', () => {
    decides({ required: ['b'] }, [{ b: null }], [{}]);
    decides({ minProperties: 1, maxProperties: 1 }, [{ b: 1 }], [{}, { b: 1, c: 2 }]);
    decides({ additionalProperties: false, properties: { b: true } }, [{ b: 1 }], [{ c: 1 }]);
    decides({ additionalProperties: { type: 'string' } }, [{ b: 'x' }], [{ b: 1 }]);
    decides(
      { patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false },
      [{ 'x-a': 'b' }],
      [{ 'x-a': 1 }, { y: 1 }],
    );
    decides({ propertyNames: { pattern: '^[a-z]+$' } }, [{ b: 1 }], [{ B: 1 }]);
    decides({ dependencies: { b: ['c'], d: { required: ['e'] } } }, [{ c: 1 }, { b: 1, c: 1 }], [{ b: 1 }, { d: 1 }]);
    decides(false, [], ['a']);
    // Helm adds this entry to the values of a chart.
    assert.equal(forbidden({ additionalProperties: false }, { global: {} }), undefined);
    assert.equal(forbidden({ additionalProperties: false }, { other: {} }), 'other');
  });

  it('combines schemas', () => {
    decides({ allOf: [{ minimum: 1 }, { maximum: 3 }] }, [2], [0, 4]);
    decides({ anyOf: [{ type: 'string' }, { minimum: 3 }] }, ['a', 4], [1]);
    decides({ oneOf: [{ minimum: 1 }, { maximum: 3 }] }, [0, 4], [2]);
    decides({ oneOf: [{ format: 'ipv4' }, { type: 'string' }] }, ['a'], []);
    decides({ not: { type: 'string' } }, [1], ['a']);
    decides({ not: { format: 'ipv4' } }, ['a'], []);
    // biome-ignore lint/suspicious/noThenProperty: a keyword of the schema
    const either = { if: { type: 'string' }, then: { minLength: 2 }, else: { minimum: 2 } };
    decides(either, ['ab', 2], ['a', 1]);
    decides({ ...either, if: { format: 'ipv4' } }, ['a', 1], []);
  });

  it('refers to other parts of itself', () => {
    const definitions = { port: { type: 'integer' }, 'a/b': { type: 'string' }, list: { items: { $ref: '#' } } };
    const root = { ...draft7, definitions };
    decides({ $ref: '#/definitions/port' }, [1], ['a'], root);
    decides({ $ref: '#/definitions/a~1b' }, ['a'], [1], root);
    // Until draft 7, a reference replaces the keywords beside it; without `$schema`, this depends on Helm.
    decides({ $ref: '#/definitions/port', minimum: 3 }, [1], ['a'], root);
    decides({ $ref: '#/definitions/port', minimum: 3 }, [1], ['a'], { definitions });
    decides({ $ref: '#/definitions/port', minimum: 3 }, [3], ['a', 1], {
      definitions,
      $schema: 'https://json-schema.org/draft/2020-12/schema',
    });
    decides({ $ref: 'https://example.com/schema.json' }, ['a', 1], [], root);
    decides({ $ref: '#/definitions/none' }, ['a', 1], [], root);
  });

  it('is not evaluated without end', () => {
    const endless = { $ref: '#' };
    assert.equal(forbidden(endless, {}), undefined);
  });

  it('names the forbidden value', () => {
    const schema = { properties: { db: { properties: { port: { type: 'integer' } } } } };
    assert.equal(forbidden(schema, { db: { port: 'a' } }), 'db.port');
  });
});
