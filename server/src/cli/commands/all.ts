/** The table of commands, in the order in which help and documentation list them. */

import { adopt } from './adopt.ts';
import { check } from './check.ts';
import type { Command } from './command.ts';
import { completionOf } from './completion.ts';
import { diff } from './diff.ts';
import { explain } from './explain.ts';
import { graph } from './graph.ts';
import { impact } from './impact.ts';
import { init } from './init.ts';
import { labels } from './labels.ts';
import { lsp } from './lsp.ts';
import { match } from './match.ts';
import { mcp } from './mcp.ts';
import { objects } from './objects.ts';
import { reach } from './reach.ts';
import { renamePlan } from './rename-plan.ts';
import { review } from './review.ts';
import { rule } from './rule.ts';
import { uses } from './uses.ts';
import { whoSelects } from './who-selects.ts';

export const commands: readonly Command[] = [
  check,
  match,
  explain,
  whoSelects,
  uses,
  objects,
  labels,
  review,
  diff,
  impact,
  renamePlan,
  adopt,
  graph,
  reach,
  rule,
  init,
  lsp,
  mcp,
  completionOf(() => commands),
];
