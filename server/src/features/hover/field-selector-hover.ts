/** The hover for a field selector: its meaning, and the fields that field selectors of its kind support. */

import { type FieldSelector, parseFieldSelector } from '../../engine/index.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import { fieldsOf } from '../../workspace/selectable-fields.ts';
import { pluralKind, pluralKinds } from '../presentation/object-names.ts';
import { type Block, type Line, paragraph, type RichText } from '../presentation/rich-text.ts';
import type { View } from '../view.ts';

/** Describes a `--field-selector` in words, and lists the fields that its kind supports; undefined for any other selector. */
export function aboutFields(view: View, site: SelectorSite): RichText | undefined {
  const { fact, text } = site;
  if (fact.form !== 'fieldSelectorString' || text === undefined) return undefined;
  const read = parseFieldSelector(text.text);
  if (!read.ok) {
    const lines = read.problems.map((problem): Line => [problem.message]);
    return [paragraph(localize`This field selector is invalid, so it selects nothing:`), { kind: 'list', lines }];
  }
  return [
    paragraph({ kind: 'strong', text: 'Selects' }, ' ', ...fieldsLine(site, read.value)),
    ...supported(view, site),
  ];
}

/** Returns a phrase such as "Pods whose `spec.nodeName` is `node-1`." */
export function fieldsLine({ fact }: SelectorSite, { requirements }: FieldSelector): Line {
  const what = pluralKinds(fact.targets.filter(({ kind }) => kind !== '*')) || 'objects';
  const parts = requirements.flatMap(({ field, operator, value }, index): Line => {
    const described = operator === '!=' ? localize` is not ` : ' is ';
    const meant = typeof value === 'string' ? value : value.unknown;
    return [
      index === 0 ? '' : ' and ',
      { kind: 'code', text: field },
      described,
      meant === '' ? 'empty' : { kind: 'code', text: meant },
    ];
  });
  return parts.length === 0 ? ['all ', what, '.'] : [localize`${what} whose `, ...parts, '.'];
}

function supported(view: View, { fact }: SelectorSite): readonly Block[] {
  const [target, ...others] = fact.targets;
  if (target === undefined || others.length > 0 || target.kind === '*') return [];
  const fields = fieldsOf(view, target)?.fields ?? [];
  if (fields.length === 0) return [];
  const names = fields.flatMap(({ field }, index): Line => [index === 0 ? '' : ', ', { kind: 'code', text: field }]);
  return [paragraph(localize`${pluralKind(target)} can be selected by the fields `, ...names, '.')];
}
