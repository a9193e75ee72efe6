/**
 * Tests that the committed data of the catalogue is generated from the facts of the repository, and that its unknown
 * parts were reviewed.
 */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { data } from '../../../server/src/engine/catalogue/data.generated.ts';
import { textsIn } from '../../project/catalogue/facts.ts';
import {
  DATA,
  FACTS,
  type Generated,
  generateCatalogue,
  IMMUTABLE,
  UNKNOWN,
} from '../../project/generate-catalogue.ts';

const command = 'run: npm run generate:catalogue';

describe('the generated data', () => {
  let generated: Generated;
  before(() => {
    generated = generateCatalogue();
  });

  it('is based on facts without problems', () => {
    assert.deepEqual(generated.problems, []);
  });

  it('is based on sorted facts', () => {
    for (const [fileName, text] of generated.sorted) {
      assert.ok(text === textsIn(FACTS)(fileName), `${fileName} is not sorted; ${command}`);
    }
    assert.equal(generated.sorted.size, 17);
  });

  it('is up to date', () => {
    assert.ok(generated.text === readFileSync(DATA, 'utf8'), `the data is stale; ${command}`);
    assert.ok(generated.immutable === readFileSync(IMMUTABLE, 'utf8'), `the immutable fields are stale; ${command}`);
  });

  it('has exactly the reviewed unknowns', () => {
    assert.equal(generated.unknown, readFileSync(UNKNOWN, 'utf8'), command);
  });

  it('is small', () => {
    assert.ok(data.length < 263_000, `${data.length} characters`);
  });
});
