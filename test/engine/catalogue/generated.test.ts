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
  DESCRIPTIONS,
  FACTS,
  type Generated,
  generateCatalogue,
  IMMUTABLE,
  STRUCTURES,
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
    const { text, immutable, structures, descriptions } = generated;
    const written = [
      [DATA, text],
      [IMMUTABLE, immutable],
      [STRUCTURES, structures],
      [DESCRIPTIONS, descriptions],
    ] as const;
    for (const [path, fresh] of written)
      assert.ok(fresh === readFileSync(path, 'utf8'), `${path} is stale; ${command}`);
  });

  it('has exactly the reviewed unknowns', () => {
    assert.equal(generated.unknown, readFileSync(UNKNOWN, 'utf8'), command);
  });

  it('is small', () => {
    assert.ok(data.length < 220_000, `${data.length} characters`);
  });
});
