/** Tests that reachability under policies of network plugins equals a brute-force evaluation. */

import { compareCalico, compareCilium } from './plugin-questions.ts';

describe('reachability under policies of network plugins', () => {
  it('equals a brute-force evaluation of Cilium', () => compareCilium({ numRuns: 100, seed: 48 }));
  it('equals a brute-force evaluation of Calico', () => compareCalico({ numRuns: 100, seed: 48 }));
});
