/** Tests that reachability under policies of network plugins equals brute-force evaluations in many random worlds. */

import { compareCalico, compareCilium } from '../engine/reach/plugin-questions.ts';
import { campaignRuns } from './scale.ts';

describe('reachability under policies of network plugins, in many worlds', () => {
  it('equals a brute-force evaluation of Cilium', () => compareCilium({ numRuns: campaignRuns(5000), seed: 1 }));
  it('equals a brute-force evaluation of Calico', () => compareCalico({ numRuns: campaignRuns(5000), seed: 1 }));
});
