/** Reports kinds that the API server does not know under their apiVersion, if the intended kind is known. */

import { isBuiltIn } from '../../engine/catalogue/built-in.ts';
import type { Catalogue, GroupKind } from '../../engine/catalogue/types.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import type { Edit } from '../../text/edit.ts';
import { localize } from '../../text/localize.ts';
import { misspelling } from '../../text/misspelling.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { shorten } from '../helpers/sentences.ts';

interface UnknownKind extends Fact {
  readonly object: ManifestObject;
  /** The kind of the same group that was probably intended. */
  readonly near?: string;
  /** The apiVersion of the built-in kind with this name, if a different group contains it. */
  readonly apiVersion?: string;
}

export const unknownKind = rule<UnknownKind>({
  id: 'unknown-kind',
  severity: 'error',
  summary: 'A kind that does not exist in its `apiVersion`.',
  why: 'The API server rejects the object ("no matches for kind"), and no selector matches objects of this kind. The rule reports a kind of a built-in group that is misspelled or belongs to a different group.',
  bad: [
    {
      title: 'A letter of the kind is missing.',
      text: `apiVersion: apps/v1
kind: Deploymnt
metadata:
  name: basket
`,
    },
    {
      title: 'The wrong group: Deployments are in the group `apps`.',
      text: `apiVersion: v1
kind: Deployment
metadata:
  name: basket
`,
    },
  ],
  good: [
    {
      title: 'A kind in its own group.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: basket
`,
    },
  ],
  *check({ stored, catalogue, file }) {
    // A configuration declares external objects by their kinds only.
    if (file.config !== undefined) return;
    for (const object of stored) {
      const { group, version, kind, kindSpan } = object;
      if (!isBuiltIn(group) || catalogue.kind(group, version, kind) !== undefined || /[^\w]/.test(kind)) continue;
      if (catalogue.structuresOf(group === '' ? version : `${group}/${version}`).length === 0) continue;
      const apiVersion = apiVersionOf(catalogue, kind);
      const near = apiVersion === undefined ? nearIn(catalogue, object) : undefined;
      if (apiVersion !== undefined) yield { span: kindSpan, object, apiVersion };
      else if (near !== undefined) yield { span: kindSpan, object, near };
    }
  },
  message({ object: { group, version, kind }, near, apiVersion }) {
    const written = group === '' ? version : `${group}/${version}`;
    const help = near === undefined ? localize`it is in ${apiVersion}` : localize`did you mean '${near}'?`;
    return localize`${written} has no kind '${shorten(kind)}'; ${help}${near === undefined ? '.' : ''}`;
  },
  fixes({ object, near, apiVersion }, { text }) {
    const { kind, kindSpan } = object;
    if (near !== undefined) {
      const edit = replaced(text, kindSpan, kind, near);
      return edit === undefined ? [] : [{ title: localize`Change to '${near}'`, edits: [edit], preferred: true }];
    }
    const written = object.group === '' ? object.version : `${object.group}/${object.version}`;
    const span = apiVersionSpan(text, object, written);
    if (span === undefined || apiVersion === undefined) return [];
    return [
      { title: localize`Change apiVersion to '${apiVersion}'`, edits: [{ span, text: apiVersion }], preferred: true },
    ];
  },
});

/** Returns the newest version of the only other built-in group that has a kind. */
function apiVersionOf(catalogue: Catalogue, name: string): string | undefined {
  const [only, ...others] = catalogue
    .named(name)
    .filter(({ group, kind }) => kind === name && isBuiltIn(group) && group !== 'extensions');
  if (only === undefined || others.length > 0) return undefined;
  const version = versionsOf(catalogue, only)[0];
  return version === undefined ? undefined : only.group === '' ? version : `${only.group}/${version}`;
}

/** Returns the versions of a kind whose fields are known, newest first. */
function versionsOf(catalogue: Catalogue, { group, kind }: GroupKind): readonly string[] {
  const versions = catalogue.kind(group, '', kind)?.versions ?? [];
  return versions.filter((version) => catalogue.structure(group, version, kind) !== undefined);
}

/** Returns the kind of the same group and version that was probably intended. */
function nearIn(catalogue: Catalogue, { group, version, kind }: ManifestObject): string | undefined {
  const [only, ...others] = catalogue.kindsOf(group === '' ? version : `${group}/${version}`).filter((name) => {
    const how = misspelling(name, kind);
    return how === 'evident' || how === 'likely';
  });
  return others.length > 0 ? undefined : only;
}

function replaced(text: string, { start, end }: Edit['span'], from: string, to: string): Edit | undefined {
  const at = text.slice(start, end).indexOf(from);
  return at === -1 ? undefined : { span: { start: start + at, end: start + at + from.length }, text: to };
}

/** Returns the span of the value of `apiVersion` on the line above or below the kind. */
function apiVersionSpan(text: string, { kindSpan, span }: ManifestObject, written: string): Edit['span'] | undefined {
  const within = text.slice(span.start, span.end);
  const found = /(?:^|[\n{,])[ \t]*["']?apiVersion["']?[ \t]*:[ \t]*["']?/.exec(within);
  const start = found === null ? -1 : span.start + found.index + found[0].length;
  const isNear = Math.abs(start - kindSpan.start) < 500;
  return start >= 0 && isNear && text.startsWith(written, start) ? { start, end: start + written.length } : undefined;
}
