/** Reports labels without a value. */

import { kustomizeGroup } from '../../manifests/kustomize/kustomization-sites.ts';
import type { LabelEntry } from '../../manifests/model.ts';
import type { Edit } from '../../text/edit.ts';
import { localize } from '../../text/localize.ts';
import { fileNameOf, folderOf } from '../../workspace/uri.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { shorten } from '../helpers/sentences.ts';
import { isLabelSite, type LabelMapEntry, labelMapEntries } from '../helpers/validated-labels.ts';

interface NoValue extends Fact {
  readonly place: LabelMapEntry;
}

export const labelValueNull = rule<NoValue>({
  id: 'label-value-null',
  severity: 'warning',
  needs: 'maps',
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
      if (place.object.inValues && isOverride(context, key.span.start)) continue;
      if (!isLabelSite(place.site) && key.value.startsWith(nodeRole)) continue;
      const isWritten = value.span.start < value.span.end;
      if (isWritten && place.object.replacedFields !== undefined) continue;
      if (isWritten || isBlankAfter(key.span.end, context.text))
        yield { span: isWritten ? value.span : key.span, place };
    }
  },
  message({ place: { object, site, entry } }) {
    const key = shorten(entry.key.text);
    if (!isLabelSite(site))
      return localize`Key '${key}' must have a value; without one, the selector requires an empty string.`;
    if (object.group === kustomizeGroup)
      return localize`Label '${key}' has no value; kustomize writes an empty string.`;
    return localize`Label '${key}' has no value; the API server stores an empty string, and 'kubectl apply -l' skips the object.`;
  },
  fixes({ place: { entry } }, { text }) {
    // The author may have written null in order to remove the label from an existing object, so no editor prefers the fix.
    if (entry.value.span.start < entry.value.span.end) {
      const isWord = entry.value.origin === undefined && !entry.value.anchored && !entry.value.tagged;
      const edits = [{ span: entry.value.span, text: '""' }];
      return isWord ? [{ title: localize`Change to an empty string`, edits, preferred: false }] : [];
    }
    const edit = writeEmpty(entry, text);
    if (edit === undefined) return [];
    return [{ title: localize`Add an empty string`, edits: [edit], preferred: true, safe: true }];
  },
});

/** The label with this prefix has an empty value on every node, so that a selector without a value does what its author wants. */
const nodeRole = 'node-role.kubernetes.io/';

/** Whether values override the defaults of a chart, so that null removes a default value: in another file than the defaults, and in the values of a subchart. */
function isOverride({ uri, workspace, text }: RuleContext, offset: number): boolean {
  if (!/^values\.ya?ml$/.test(fileNameOf(uri))) return true;
  const chart = workspace.files.get(`${folderOf(uri)}/Chart.yaml`)?.scope.chart;
  const above = text.slice(Math.max(0, offset - longestValues), offset);
  const [, name] = [...above.matchAll(/^([A-Za-z][\w-]{0,100}):/gm)].at(-1) ?? [];
  return (
    name !== undefined &&
    (chart?.dependencies.some((each) => (each.alias ?? each.name) === name) === true ||
      workspace.files.get(`${folderOf(uri)}/charts/${name}/Chart.yaml`) !== undefined)
  );
}

/** The maximum length of the text in which the key of a subchart is searched. */
const longestValues = 50_000;

/** Whether no value follows the key. An anchor or a tag may change the meaning, and a key without a colon is incomplete. */
function isBlankAfter(offset: number, text: string): boolean {
  return /^[ \t]*(?:[,}]|:[ \t]*(?:[,}\r\n#]|$))/.test(text.slice(offset, offset + 200));
}

function writeEmpty({ key }: LabelEntry, text: string): Edit | undefined {
  const colon = /^[ \t]*:/.exec(text.slice(key.span.end, key.span.end + 200));
  if (colon === null) return undefined;
  const at = key.span.end + colon[0].length;
  return { span: { start: at, end: at }, text: ' ""' };
}
