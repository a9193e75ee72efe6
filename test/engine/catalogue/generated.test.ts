/** Is the committed data what the facts say today, and is what stays unknown what was reviewed? */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { data } from '../../../server/src/engine/catalogue/data.generated.ts';
import type { PackedCatalogue } from '../../../server/src/engine/catalogue/packed.ts';
import { listUnknown } from '../../project/catalogue/unknown.ts';
import { DATA, generateCatalogue, UNKNOWN } from '../../project/generate-catalogue.ts';

const command = 'run: npm run generate:catalogue';

describe('the generated data', () => {
  it('is what the facts say', () => {
    const generated = generateCatalogue();
    if (!generated) {
      console.log('      (the collected facts are not at hand: the data was not compared with them)');
      return;
    }
    assert.deepEqual([...generated.unmapped], [], 'phrases of the facts without a row');
    assert.ok(generated.text === readFileSync(DATA, 'utf8'), `the data is stale; ${command}`);
    assert.equal(generated.unknown, readFileSync(UNKNOWN, 'utf8'), command);
  });

  it('leaves unknown what was reviewed, and nothing more', () => {
    const packed = JSON.parse(data) as PackedCatalogue;
    assert.equal(listUnknown(packed), readFileSync(UNKNOWN, 'utf8'), command);
  });

  it('is small', () => {
    assert.ok(data.length < 250_000, `${data.length} characters`);
  });
});
