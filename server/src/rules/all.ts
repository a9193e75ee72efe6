/** Which rules are there? In the order in which documentation lists them. */

import { labelKeySyntax } from './label-key-syntax.ts';
import { labelValueSyntax } from './label-value-syntax.ts';
import { labelValueType } from './label-value-type.ts';
import type { Rule } from './rule.ts';

export const allRules: readonly Rule[] = [labelKeySyntax, labelValueSyntax, labelValueType];
