/** Which rules are there? In the order in which documentation lists them. */

import { expiredSuppression } from './expired-suppression.ts';
import { labelKeySyntax } from './label-key-syntax.ts';
import { labelValueSyntax } from './label-value-syntax.ts';
import { labelValueType } from './label-value-type.ts';
import type { Rule } from './rule.ts';
import { unknownRule } from './unknown-rule.ts';
import { unusedSuppression } from './unused-suppression.ts';

export const allRules: readonly Rule[] = [
  labelKeySyntax,
  labelValueSyntax,
  labelValueType,
  unusedSuppression,
  expiredSuppression,
  unknownRule,
];
