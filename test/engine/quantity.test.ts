/** Tests quantities with the cases of `TestQuantityParse` and `TestQuantityParseFail` in apimachinery, and with common mistakes. */
import assert from 'node:assert/strict';
import { isQuantity, meantQuantity } from '../../server/src/engine/quantity.ts';

describe('quantities', () => {
  it('are read as the API server reads them', () => {
    const sound =
      '0 0n 0u 0m 0Ki 0k 0Mi 1 1Ki 8Ki 7Mi 1E 1Ei 1.5Gi .001 0.0001k 1.1E-1 1.2E6 1e3 1E100 +1 -1 . - Mi 1.G 100035G';
    for (const text of [...sound.split(' '), ' 1Gi ']) assert.ok(isQuantity(text), text);
    const invalid =
      '1.1.M 1+1.0M 0.1mi 0.1am aoeu .5i 1i -3.01i -3.01e- 1K 1KB 1GB 512MB 1gi 1kb 1,5 50% 1e 1Gib 0x10 1_000 +1+1';
    for (const text of [...invalid.split(' '), '', ' ', '100 m', '1 Gi']) assert.ok(!isQuantity(text), text);
  });

  it('are corrected if the meaning is certain', () => {
    const meant: Readonly<Record<string, string | undefined>> = {
      ...{ '1GB': '1G', '512mb': '512M', '1gi': '1Gi', '1GiB': '1Gi', '10KB': '10k', '1K': '1k', '100 m': '100m' },
      ...{ '10 Gi': '10Gi', '1,5': '1.5', '1,5Gi': '1.5Gi', '1,500': undefined, '1e': undefined, '50%': undefined },
      ...{ '4 cores': undefined, '8gigabytes': undefined, half: undefined, '': undefined },
    };
    for (const [text, expected] of Object.entries(meant)) assert.equal(meantQuantity(text), expected, text);
  });
});
