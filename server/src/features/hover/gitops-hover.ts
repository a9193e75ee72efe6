/** The hover for a GitOps object, and for the paths of folders in it: the objects that it builds. */

import { objectAt } from '../../manifests/cursor/cursor-target.ts';
import { nameSpan } from '../../manifests/sites/object-sites.ts';
import { localize } from '../../text/localize.ts';
import { type Span, touches } from '../../text/span.ts';
import { type GitopsScope, scopesDefinedBy } from '../../workspace/gitops/defined-scopes.ts';
import { assumedRepositories } from '../../workspace/gitops/model.ts';
import { group, maximumShown, objectLine } from '../presentation/object-lines.ts';
import { type Line, paragraph, type RichText } from '../presentation/rich-text.ts';
import { builtBy, createsScopes, gitopsPaths, readsThisRepository } from '../selected/gitops-objects.ts';
import { effectTitle } from '../selected/kustomization-effects.ts';
import type { FileView } from '../view.ts';

/** Returns the hover for the kind or name of a GitOps object, or for a path of a folder in it; undefined elsewhere. */
export function aboutGitopsAt(
  view: FileView,
  offset: number,
): { readonly span: Span; readonly text: RichText } | undefined {
  const object = objectAt(view.file.manifest, offset);
  if (object?.gitopsSpec === undefined || !view.complete) return undefined;
  const scopes = scopesDefinedBy(view.workspace, view.file.uri, object);
  const spans = [object.kindSpan, nameSpan(object), ...gitopsPaths(view).map(({ span }) => span)];
  const span = scopes.length === 0 ? undefined : spans.find((each) => touches(each, offset));
  if (span === undefined) return undefined;
  if (createsScopes(scopes)) {
    // Variants for clusters that are not known have one name.
    const created = [...new Map(scopes.map(({ gitops: { facts } }) => [facts.name, facts])).values()];
    const lines = created.slice(0, maximumShown).map(({ name, suspended }): Line => {
      const named = { kind: 'code', text: name } as const;
      return suspended ? [named, localize` (suspended)`] : [named];
    });
    const isKnown = scopes.every((each) => readsThisRepository(view, each));
    const title = isKnown ? localize`Creates` : localize`May create`;
    return { span, text: group(view, title, lines, object.kindSpan.start, created.length) };
  }
  const { objects, isPartial } = builtBy(view, scopes);
  const lines = objects.slice(0, maximumShown).map((each) => objectLine(view, each, nameSpan(each.object)));
  const open = scopes.flatMap(({ closed }) => (closed === true ? [] : closed.openBecause));
  const assumed = scopes.flatMap(({ gitops }) => assumedRepositories(gitops));
  const suspended = scopes.find(({ gitops }) => gitops.facts.suspended);
  return {
    span,
    text: [
      ...group(view, effectTitle('build'), lines, object.kindSpan.start, objects.length),
      ...(objects.length > 0 || isPartial ? [] : [paragraph(localize`Builds no objects.`)]),
      ...(suspended === undefined ? [] : [paragraph(suspensionText(suspended))]),
      ...open.slice(0, maximumShown).map((reason) => paragraph(reason)),
      ...assumed.map((text) =>
        paragraph({ kind: 'code', text }, localize` is assumed to be this repository, because its paths exist here.`),
      ),
    ],
  };
}

function suspensionText({ gitops }: GitopsScope): string {
  return gitops.kind === 'argo-application'
    ? localize`Suspended: Argo CD does not apply changes.`
    : localize`Suspended: Flux does not apply changes.`;
}
