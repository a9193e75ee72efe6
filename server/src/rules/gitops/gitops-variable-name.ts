/** Reports keys of ConfigMaps and Secrets that Flux rejects because they are not valid variable names. */

import { isVariableName } from '../../manifests/gitops/spec.ts';
import type { ManifestObject, Written } from '../../manifests/model.ts';
import { written } from '../../manifests/sites/sites.ts';
import { nodeAt } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { kustomizationsWithVariables } from '../../workspace/gitops/variable-sources.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { fluxKustomization } from '../helpers/example-manifests.ts';
import { definitionNote } from '../helpers/gitops-definitions.ts';
import { shorten } from '../helpers/sentences.ts';

interface Rejected extends Fact {
  readonly key: Written;
  readonly kustomization: string;
}

export const gitopsVariableName = rule<Rejected>({
  id: 'gitops-variable-name',
  severity: 'warning',
  needs: 'stored',
  acrossFiles: true,
  needsNoRendering: true,
  summary: 'A key of a ConfigMap or Secret that Flux rejects as the name of a variable.',
  why: 'A Flux Kustomization uses every key of the ConfigMaps and Secrets in `substituteFrom` as a variable. A name consists of letters, digits and underscores, and does not start with a digit. With any other key, the Kustomization fails and applies nothing, whether the variable is used or not.',
  withoutFix: 'Other objects may use the key, so it cannot be renamed safely.',
  bad: [
    {
      title: 'A key with a hyphen.',
      file: 'apps/shop.yaml',
      text: `${fluxKustomization('shop', './apps', {
        more: `  postBuild:
    substituteFrom:
      - kind: ConfigMap
        name: settings
`,
      })}---
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
  namespace: flux-system
data:
  shop-domain: shop.example.com
`,
    },
  ],
  good: [
    {
      title: 'A ConfigMap that provides no variables.',
      file: 'apps/shop.yaml',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: other
  namespace: flux-system
data:
  nginx.conf: ''
`,
      beside: {
        'flux/shop.yaml': fluxKustomization('shop', './apps', {
          more: `  postBuild:
    substituteFrom:
      - kind: ConfigMap
        name: settings
`,
        }),
        'flux/settings.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
  namespace: flux-system
data:
  SHOP_DOMAIN: shop.example.com
`,
      },
    },
  ],
  *check({ workspace, stored, uri }) {
    for (const object of stored) {
      const rejected = keysOf(object).filter(({ text, value }) => typeof value === 'string' && !isVariableName(text));
      if (rejected.length === 0) continue;
      const isOwn = object.gitopsSpec !== undefined;
      const [user] = isOwn ? [] : kustomizationsWithVariables(workspace, uri, object);
      const kustomization = isOwn ? (object.name?.text ?? '') : user?.facts.name;
      if (kustomization === undefined) continue;
      const related = user === undefined ? [] : definitionNote(workspace, user);
      for (const key of rejected) yield { span: key.span, key, kustomization, related };
    }
  },
  message: ({ key, kustomization }) =>
    localize`'${shorten(key.text)}' is not a valid variable name, so Kustomization '${shorten(kustomization)}' fails; use letters, digits and '_'.`,
  fixes: () => [],
});

/** Returns the keys that Flux uses as variable names: the keys of `substitute` in a Kustomization, or the data keys of a ConfigMap or Secret. */
function keysOf({ dataKeys, gitopsSpec }: ManifestObject): readonly Written[] {
  const own = gitopsSpec && nodeAt(gitopsSpec, 'postBuild', 'substitute');
  if (own?.kind === 'map') return own.entries.map(({ key }) => written(key));
  return dataKeys?.keys ?? [];
}
