/** Reports suppressions whose `until=` date is invalid or in the past. */

import { localize } from '../../text/localize.ts';
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
  needs: 'suppressions',
  summary: 'A suppression whose `until=` date is past or invalid.',
  why: 'After this date, a suppression has no effect. The date is a reminder to review the finding: fix it, or set a later date.',
  bad: [
    {
      title: 'A date in the past.',
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
      title: 'A date in the future.',
      change: [
        `# selector-lens-disable-next-line label-value-syntax: until the move is done until=2020-12-31
    owner: team-blue`,
        `# selector-lens-disable-next-line label-value-syntax: until the move is done until=2999-12-31
    owner: Team Blue`,
      ],
    },
  ],
  *check({ suppressions }) {
    for (const suppression of suppressions.all) {
      const { until } = suppression;
      if (until !== undefined && until.state !== 'ahead') yield { span: until.span, suppression, until };
    }
  },
  message({ until }) {
    if (until.state === 'invalid') {
      return localize`The date of a suppression must have the form 'until=2030-12-31', not '${shorten(until.text)}'.`;
    }
    return localize`This suppression expired on ${until.text} and has no effect; remove it or set a later date.`;
  },
  fixes({ suppression, until }, { text }) {
    if (until.state === 'invalid') return [];
    const edit = removeSuppression(text, suppression);
    return edit === undefined
      ? []
      : [{ title: localize`Remove the suppression`, edits: [edit], preferred: true, safe: true }];
  },
});
