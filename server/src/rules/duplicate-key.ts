/** Is a key there twice where labels and selectors are? */

import type { RepeatedKey } from '../manifests/manifest.ts';
import { readKey } from '../manifests/scalar.ts';
import { removeWritten } from '../manifests/write.ts';
import { type Fact, rule } from './rule.ts';
import { shorten } from './say.ts';

interface Duplicate extends Fact {
  readonly repeated: RepeatedKey;
}

export const duplicateKey = rule<Duplicate>({
  id: 'duplicate-key',
  severity: 'warning',
  about: 'objects',
  summary: 'A key that is there again in its map, so that only the last one counts.',
  why: 'Of a repeated key `kubectl` takes the last one: what stands at the others has no effect, and who reads them is misled.',
  bad: [
    {
      title: 'Two values for one label.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  labels:
    app: basket
    team: blue
    app: prices
`,
    },
    {
      title: 'Two selectors: the first one is not used.',
      text: `apiVersion: v1
kind: Service
metadata:
  name: basket
spec:
  selector:
    app: basket
  ports:
    - port: 80
  selector:
    app: basket
    track: stable
`,
    },
  ],
  good: [
    {
      title: 'What a merge key brings may be replaced.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  annotations: &common
    shop.example.com/owner: blue
  labels:
    <<: *common
    shop.example.com/owner: red
`,
    },
  ],
  *check({ manifest, file }) {
    const seen = new Set<number>();
    for (const object of manifest.objects) {
      for (const repeated of object.repeated ?? []) {
        if (!object.forCluster || seen.has(repeated.key.span.start)) continue;
        seen.add(repeated.key.span.start);
        const related = [{ file, span: repeated.winner.span, message: 'This one counts.' }];
        yield { span: repeated.key.span, repeated, related, tags: ['unnecessary'], common: 'duplicateKeys' };
      }
    }
  },
  say({ repeated: { key, winner } }) {
    const again = key.text === winner.text ? '' : `, as '${shorten(winner.text)}'`;
    const becomes = key.text === winner.text ? '' : ` (both become '${readKey(winner)}')`;
    return `Key '${shorten(key.text)}' must be there only once: it is there again below${again}, and the last one counts${becomes}.`;
  },
  mend({ repeated: { key, span, flow } }, { text }) {
    // What has a name may be shown again below.
    if (span === undefined || /[:\s]&\S/.test(text.slice(span.start, span.end))) return [];
    const removed = removeWritten(text, span, flow);
    if (removed === undefined) return [];
    return [{ title: `Remove this '${shorten(key.text)}'`, edits: [removed], preferred: true, safe: true }];
  },
});
