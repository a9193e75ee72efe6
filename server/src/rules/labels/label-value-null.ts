/** Reports labels without a value. */

import type { LabelEntry } from '../../manifests/model.ts';
import type { Edit } from '../../text/edit.ts';
import { localize } from '../../text/localize.ts';
import { fileNameOf } from '../../workspace/uri.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { shorten } from '../helpers/sentences.ts';
import { isLabelSite, type LabelMapEntry, labelMapEntries } from '../helpers/validated-labels.ts';

interface NoValue extends Fact {
  readonly place: LabelMapEntry;
}

export const labelValueNull = rule<NoValue>({
  id: 'label-value-null',
  severity: 'warning',
  summary: 'A label without a value, which becomes an empty string.',
  why: 'If a label has no value, the API server stores an empty string, but `kubectl -l` and other tools that read the file ignore all labels of the map. Write `""` if an empty string is intended.',
  bad: [
    {
      title: 'A label without a value.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  labels:
    app: prices
    team:
`,
    },
  ],
  good: [
    {
      title: 'An empty string is a valid value.',
      change: ['team:', 'canary: ""'],
    },
  ],
  *check(context) {
    const { manifest, file, workspace } = context;
    // In a patch, null removes a label. A part of an object is for `kubectl patch` or server-side apply.
    if (workspace.scopes().isPatch(file.uri) || /patch/i.test(fileNameOf(file.uri))) return;
    for (const place of labelMapEntries(manifest)) {
      const { key, value, conditional } = place.entry;
      if (value.type !== 'null' || conditional || typeof key.value !== 'string') continue;
      // In other values files than the defaults of a chart, null removes a default value.
      if (place.object.inValues && !/^values\.ya?ml$/.test(fileNameOf(file.uri))) continue;
      const isWritten = value.span.start < value.span.end;
      if (isWritten && place.object.replacedFields !== undefined) continue;
      if (isWritten || isBlankAfter(key.span.end, context.text))
        yield { span: isWritten ? value.span : key.span, place };
    }
  },
  message({ place: { site, entry } }) {
    const key = shorten(entry.key.text);
    if (!isLabelSite(site))
      return localize`Key '${key}' must have a value; without one, the selector requires an empty string.`;
    return localize`Label '${key}' has no value; the API server stores an empty string, and 'kubectl apply -l' skips the object.`;
  },
  fixes: ({ place: { entry } }, { text }) =>
    writeEmpty(entry, text).map((edit) => ({
      title: localize`Add an empty string`,
      edits: [edit],
      preferred: true,
      safe: true,
    })),
});

/** Whether no value follows the key. An anchor or a tag may change the meaning, and a key without a colon is incomplete. */
function isBlankAfter(offset: number, text: string): boolean {
  return /^[ \t]*(?:[,}]|:[ \t]*(?:[,}\r\n#]|$))/.test(text.slice(offset, offset + 200));
}

function writeEmpty({ key, value }: LabelEntry, text: string): readonly Edit[] {
  if (value.span.start < value.span.end) return [{ span: value.span, text: '""' }];
  const colon = /^[ \t]*:/.exec(text.slice(key.span.end, key.span.end + 200));
  if (colon === null) return [];
  const at = key.span.end + colon[0].length;
  return [{ span: { start: at, end: at }, text: ' ""' }];
}
