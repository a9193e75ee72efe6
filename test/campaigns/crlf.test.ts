/** Tests that the stories have the same findings and fixes with CRLF line endings. */

import { benchOver } from '../harness/bench.ts';
import { checkFixes } from '../harness/check-fixes.ts';
import { optionsFor, readStories } from '../harness/folders.ts';
import { checkMargins } from '../harness/stories.ts';

describe('stories with CRLF', () => {
  for (const { name, files } of readStories('\r\n'))
    it(`have the same findings and fixes: ${name}`, async () => {
      const bench = await benchOver(files, optionsFor(name));
      for (const file of bench.files) {
        checkMargins(bench, file.name);
        if (file.findings.some((finding) => finding.fixes.length > 0)) checkFixes(bench, file.name);
      }
    });
});
