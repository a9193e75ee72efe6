/** The formats of `selector-lens check`, the default first. Help, completion and documentation are generated from this table. */

import type { CheckFormat } from './format.ts';
import { github } from './github.ts';
import { gitlab } from './gitlab.ts';
import { json } from './json.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import { sarif } from './sarif.ts';
import { text } from './text.ts';

export const checkFormats: readonly [CheckFormat, ...CheckFormat[]] = [
  text,
  json,
  sarif,
  github,
  gitlab,
  junit,
  markdown,
];
