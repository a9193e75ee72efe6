/** Is everything there that a kustomization lists? */

import { isRemote, type Kustomization, type PathReference } from '../manifests/kustomization.ts';
import { folderOf, isWithin, nameOf } from '../workspace/uri.ts';
import { isInWorkspace, kustomizationIn, referencesOf } from './kustomization-places.ts';
import { type Fact, type RuleContext, rule } from './rule.ts';
import { shorten } from './say.ts';

interface Missing extends Fact {
  readonly reference: PathReference;
  /** What is there instead. */
  readonly there: 'nothing' | 'another folder' | 'a component' | 'no component';
}

export const kustomizeResourceMissing = rule<Missing>({
  id: 'kustomize-resource-missing',
  severity: 'warning',
  about: 'kustomization',
  acrossFiles: true,
  summary: 'A resource, component or patch that a kustomization lists and that is not there, or is of the other kind.',
  why: 'Kustomize builds nothing at all when one file is missing. What such a file would hold is unknown to us too, so that findings on the rest of its objects stay silent.',
  withoutFix:
    'The file may have been renamed, forgotten or be made by a script; which of these it is only its author knows.',
  bad: [
    {
      title: 'A file that was renamed.',
      file: 'kustomization.yaml',
      text: `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
  - basket-service.yaml
`,
    },
  ],
  good: [
    {
      title: 'What lies elsewhere cannot be looked at.',
      file: 'kustomization.yaml',
      text: `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
  - https://github.com/example/basket//deploy?ref=v1.4.2
`,
    },
  ],
  *check(context) {
    const { kustomization } = context.file;
    if (kustomization === undefined) return;
    const seen = new Set<number>();
    for (const reference of referencesOf(kustomization)) {
      if (seen.has(reference.span.start)) continue;
      seen.add(reference.span.start);
      const there = whatIsThere(context, kustomization, reference);
      if (there !== undefined) yield { span: reference.span, reference, there };
    }
  },
  say({ reference, there }) {
    const path = shorten(reference.path);
    switch (there) {
      case 'nothing':
        return `There is nothing at '${path}': kustomize cannot build this.`;
      case 'another folder':
        return `There is no kustomization in '${path}': kustomize cannot build it.`;
      case 'a component':
        return `'${path}' is a Component: it must be listed in \`components\`.`;
      case 'no component':
        return `'${path}' is no Component: it must be listed in \`resources\`.`;
    }
  },
  mend: () => [],
});

/** Undefined where it is what is wanted, or may be. */
function whatIsThere(
  context: RuleContext,
  { resources, components }: Kustomization,
  reference: PathReference,
): Missing['there'] | undefined {
  const { workspace, uri } = context;
  const isUnread = (each: string) => context.isUnread(each);
  const { path } = reference;
  const target = workspace.at(folderOf(uri), path);
  if (workspace.files.has(target)) return undefined;
  const found = kustomizationIn(workspace, target);
  if (found?.kustomization?.component) return resources.includes(reference) ? 'a component' : undefined;
  if (found !== undefined) {
    const { readInPart, unresolved } = found.manifest;
    const isRead = readInPart !== true && unresolved !== true;
    return isRead && components.includes(reference) ? 'no component' : undefined;
  }
  // A template fills the path, or the plugin is written in the list itself.
  if (isRemote(path) || path.startsWith('/') || /[\n{}$<>*]|: /.test(path)) return undefined;
  if (!isInWorkspace(workspace, target) || isUnread(target) || isUnread(`${target}/kustomization.yaml`))
    return undefined;
  if ([...workspace.files.keys()].some((each) => isWithin(each, target))) return 'another folder';
  if (/\.(?:ya?ml|json)$/.test(target)) return 'nothing';
  // A file without an extension, which is not read, may be there; outside of its root kustomize loads only folders.
  const isFolder = components.includes(reference) || path.endsWith('/') || !isWithin(target, folderOf(uri));
  return isFolder && !/\.[A-Za-z]\w*$/.test(nameOf(target)) ? 'nothing' : undefined;
}
