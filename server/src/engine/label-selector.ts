/** Parses selectors in manifests: a `LabelSelector`, or a plain map of labels. */

import { parsed } from './problems.ts';
import { labelSelectorOperators, type ReadRequirements, readEqualities, readExpressions } from './requirements.ts';
import { allOf, nothing } from './selector.ts';
import { fieldOf, StructuredParser } from './structured.ts';
import type { Parsed, Selector } from './types.ts';

/** Parses a `LabelSelector` (`matchLabels` and `matchExpressions`) from plain data, in which any string may be an unknown. Null matches nothing, and an empty selector matches everything. Reports the problems of keys and values, `operator-unknown`, `values-required`, `values-forbidden` and `wrong-type`, each with its path. Defined by `LabelSelectorAsSelector` and `ValidateLabelSelector` in k8s.io/apimachinery/pkg/apis/meta/v1. */
export function fromLabelSelector(value: unknown): Parsed<Selector> {
  if (value === null || value === undefined) return { ok: true, value: nothing };
  const parser = new StructuredParser();
  const read: ReadRequirements = { requirements: [], open: false };
  if (parser.map(value, [], 'label selector')) {
    readEqualities(parser, fieldOf(value, 'matchLabels'), ['matchLabels'], read);
    readExpressions(parser, fieldOf(value, 'matchExpressions'), ['matchExpressions'], labelSelectorOperators, read);
  }
  return finish(parser, read);
}

/** Parses a map of labels that must all be present (Service, ReplicationController, `nodeSelector`) from plain data, in which any value may be an unknown. Null and an empty map match everything; the catalogue contains their meanings in specific fields. Reports the problems of keys and values, and `wrong-type`, each with its path. Defined by `SelectorFromSet` in k8s.io/apimachinery/pkg/labels and `ValidateLabels` in pkg/apis/meta/v1/validation. */
export function fromMap(value: unknown): Parsed<Selector> {
  const parser = new StructuredParser();
  const read: ReadRequirements = { requirements: [], open: false };
  readEqualities(parser, value, [], read);
  return finish(parser, read);
}

function finish(parser: StructuredParser, read: ReadRequirements): Parsed<Selector> {
  return parsed(parser.problems, allOf(read.requirements, read.open), read.requirements.length > 0);
}
