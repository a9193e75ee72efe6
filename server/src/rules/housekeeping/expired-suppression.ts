/** Has a suppression come to its end? */

import { removeSuppression } from '../fixes/fix-suppression.ts';
import { type Fact, rule } from '../framework/rule.ts';
import type { Suppression, Until } from '../framework/suppressions.ts';
import { shorten } from '../helpers/sentences.ts';

interface Expired extends Fact {
  readonly suppression: Suppression;
  readonly until: Until;
}

export const expiredSuppression = rule<Expired>({
  id: 'expired-suppression',
  severity: 'warning',
  summary: 'A suppression whose `until=` date has passed, or is no date.',
  why: 'After its date a suppression silences nothing any more. The date was set so that somebody looks again: mend what it hid, or set a later date.',
  bad: [
    {
      title: 'The date has passed.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  labels:
    # selector-lens-disable-next-line label-value-syntax: until the move is done until=2020-12-31
    owner: team-blue
`,
    },
  ],
  good: [
    {
      title: 'The date is still to come.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  labels:
    # selector-lens-disable-next-line label-value-syntax: until the move is done until=2999-12-31
    owner: Team Blue
`,
    },
  ],
  *check({ suppressions }) {
    for (const suppression of suppressions.all) {
      const { until } = suppression;
      if (until !== undefined && until.state !== 'ahead') yield { span: until.span, suppression, until };
    }
  },
  say({ until }) {
    if (until.state === 'invalid') {
      return `The end of a suppression must be a date such as 'until=2030-12-31', not '${shorten(until.text)}'.`;
    }
    return `The suppression has silenced nothing since it expired on ${until.text}: remove it, or set a later date.`;
  },
  mend({ suppression, until }, { text }) {
    if (until.state === 'invalid') return [];
    const edit = removeSuppression(text, suppression);
    return edit === undefined ? [] : [{ title: 'Remove the suppression', edits: [edit], preferred: true, safe: true }];
  },
});
