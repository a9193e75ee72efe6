/** Reports edits after which a selector no longer matches an object that it matched at the base. */

import { localize } from '../../text/localize.ts';
import { type Fact, maximumRelated, rule } from '../framework/rule.ts';
import { type Lost, lostMatches } from '../helpers/lost-matches.ts';
import { distinctNames, listObjects, objectNameOf } from '../helpers/sentences.ts';

interface LostFact extends Fact, Lost {
  readonly base: string;
}

const service = `apiVersion: v1
kind: Service
metadata:
  name: basket
spec:
  selector:
    app: basket
  ports:
    - port: 80
`;
const pod = (app: string) => `apiVersion: v1
kind: Pod
metadata:
  name: basket
  labels:
    app: ${app}
`;

export const matchLost = rule<LostFact>({
  id: 'match-lost',
  severity: 'information',
  acrossFiles: true,
  acrossScopes: true,
  summary: 'An edit that prevents a selector from matching an object that it matched at HEAD.',
  why: 'The API server immediately accepts a changed label, and a changed selector of a Service, NetworkPolicy or PodDisruptionBudget: traffic stops, and policies no longer apply. The rule reports only certain losses, at the edited label or selector. If a label and the selectors that require it change together, no match is lost. The previous state comes from git: HEAD in the editor, and the commit given by `check --base` on the command line.',
  withoutFix: 'Only the author knows whether the match is still needed.',
  bad: [
    {
      title: 'A renamed label that a Service requires. At HEAD, the Pod has `app: basket`.',
      text: pod('cart'),
      beside: { 'service.yaml': service, 'at-base/example.yaml': pod('basket') },
    },
  ],
  good: [
    {
      title: 'A label that no selector requires.',
      text: pod('basket').concat('    team: blue\n'),
      beside: { 'service.yaml': service, 'at-base/example.yaml': pod('basket') },
    },
  ],
  *check(context) {
    const base = context.since?.base.name ?? '';
    for (const lost of lostMatches(context)) {
      const related = lost.others.slice(0, maximumRelated).map(({ file, object }) => ({
        file,
        span: object.kindSpan,
        message:
          lost.by === 'selector'
            ? localize`It selected ${objectNameOf(object)} at ${base}.`
            : localize`${objectNameOf(object)} selected it at ${base}.`,
      }));
      yield { ...lost, related, base };
    }
  },
  message({ by, edited, others, base }) {
    const [subject, object] = by === 'selector' ? [[edited], others] : [others, [edited]];
    return localize`${listObjects(subject)} selected ${listObjects(object)} at ${base} but no longer ${distinctNames(subject).length === 1 ? 'does' : 'do'}.`;
  },
  fixes: () => [],
});
