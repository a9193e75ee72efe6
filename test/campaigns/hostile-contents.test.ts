/** Parses 2,000 workspaces with hostile contents and file names, and makes all requests about them. */

import assert from 'node:assert/strict';
import { type Random, randomNumbers } from '../../bench/generate-workspace.ts';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { completion } from '../../server/src/features/completion/completion.ts';
import { lenses, lensText } from '../../server/src/features/decorations/code-lenses.ts';
import { hover } from '../../server/src/features/hover/hover.ts';
import { definition } from '../../server/src/features/navigation/definition.ts';
import { documentSymbols } from '../../server/src/features/navigation/document-symbols.ts';
import { highlights } from '../../server/src/features/navigation/highlights.ts';
import { references } from '../../server/src/features/navigation/references.ts';
import { workspaceSymbols } from '../../server/src/features/navigation/workspace-symbols.ts';
import { explainObject } from '../../server/src/features/pages/explain-object.ts';
import { preview, previewText } from '../../server/src/features/pages/preview.ts';
import { toMarkdown } from '../../server/src/features/presentation/rich-text.ts';
import { copiesAt } from '../../server/src/features/refactor/convert-selector.ts';
import { prepareRename, rename } from '../../server/src/features/rename/rename.ts';
import { Session } from '../../server/src/session.ts';
import { percentEncode } from '../../server/src/text/percent-encoding.ts';
import { canonicalUri } from '../../server/src/workspace/uri.ts';
import { storyDay, TestLog } from '../harness/bench.ts';
import { MemoryFiles } from '../harness/memory-files.ts';
import { Measure, nextTask } from './measure.ts';
import { campaignRuns } from './scale.ts';
import { seeds } from './seeds.ts';

const folder = 'file:///work';

/** A placeholder of an OpenShift Template, and of a shell. */
const placeholder = '\u0024{X}';

/** Words in place of a name, a key, a value, a path or a kind, in JSON notation. */
const words = [
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'length', 'prototype', 'then', 'toJSON'],
  ...[
    '\ud800',
    'a\udfff',
    '\ud83d\ude00',
    '\u0000',
    '\u0007',
    '\u001b[31m',
    '\u0085',
    '\u2028',
    '\ufeff',
    '\ue000',
    '\u202e',
  ],
  ...[
    '%',
    '%00',
    '%ff',
    '%2F',
    '#',
    '?',
    '\\',
    '/',
    '//',
    '.',
    '..',
    '../..',
    '../'.repeat(50),
    'C:\\x',
    '//host/share',
  ],
  ...[
    '',
    ' ',
    '\n',
    '\t',
    '*',
    '~',
    'null',
    'true',
    '1e400',
    '0x',
    '-',
    '---',
    placeholder,
    '{{ x }}',
    '{{',
    '}}',
    '$(x)',
    '$$',
    '`',
    '|',
    '<a>',
    '[a](b)',
  ],
  ...[
    'x'.repeat(300),
    'a.'.repeat(200),
    '/'.repeat(200),
    '-'.repeat(1_000),
    '9'.repeat(400),
    'é'.repeat(100),
    'ä/ö=ü,!=()',
  ],
  ...[
    'app',
    'web',
    'app=web',
    'app in (a',
    '(?:a+)+$',
    '[',
    '***',
    '{a,b}',
    '!',
    'kubernetes.io/arch',
    'apps/v1',
    'v1',
    'Pod',
    'List',
  ],
];

/** Positions of hostile words: `@` in a text represents one. */
const texts: readonly (readonly [name: string, text: string])[] = [
  [
    'pod.yaml',
    'apiVersion: @\nkind: @\nmetadata: {name: @, namespace: @, labels: {@: @, app: @}, annotations: {@: @}}\n',
  ],
  [
    'service.yaml',
    'apiVersion: v1\nkind: Service\nmetadata: {name: @, namespace: @, labels: {@: @}}\nspec: {selector: {@: @, app: web}}\n',
  ],
  [
    'deployment.yaml',
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: @, labels: {@: @}}\nspec:\n  selector: {matchLabels: {@: @}, matchExpressions: [{key: @, operator: @, values: [@, @]}, {key: @, operator: In, values: [@]}]}\n  template:\n    metadata: {labels: {@: @, app: web}}\n    spec:\n      nodeSelector: {@: @}\n      affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: @, operator: Gt, values: [@]}], matchFields: [{key: @, operator: In, values: [@]}]}]}}}\n',
  ],
  [
    'policy.yaml',
    'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: @}\nspec: {podSelector: {matchLabels: {@: @}}, ingress: [{from: [{namespaceSelector: {matchLabels: {@: @}}, podSelector: {}}], ports: [{port: @}]}]}\n',
  ],
  [
    'list.json',
    '{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": @, "kind": @, "metadata": {"name": @, "labels": {@: @}}}]}\n',
  ],
  [
    'crd.yaml',
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: @}\nspec: {group: @, names: {kind: @, plural: @}, scope: @, versions: [{name: @, schema: {openAPIV3Schema: {type: object, properties: {@: {type: object, properties: {matchLabels: {type: object}, matchExpressions: {type: array}}}}}}}]}\n',
  ],
  [
    'template.yaml',
    'apiVersion: template.openshift.io/v1\nkind: Template\nmetadata: {name: @}\nparameters: [{name: @, value: @}]\nlabels: {@: @}\nobjects: [{apiVersion: v1, kind: Service, metadata: {name: @}, spec: {selector: {@: "\u0024{X}"}}}]\n',
  ],
  [
    'kustomization.yaml',
    'resources: [@, @, pod.yaml, service.yaml, deployment.yaml, base]\ncomponents: [@]\nnamespace: @\nnamePrefix: @\nnameSuffix: @\ncommonLabels: {@: @}\nlabels: [{pairs: {@: @}, includeSelectors: true, fields: [{path: @, kind: @, create: true}]}]\ncommonAnnotations: {@: @}\npatches: [{path: @, target: {kind: @, name: @, labelSelector: @, annotationSelector: @, namespace: @}}, {patch: @}, {target: {kind: Pod}, patch: "- {op: add, path: /metadata/labels/x, value: y}\\n- {op: @, path: @, from: @, value: {@: @}}"}]\nconfigMapGenerator: [{name: @, namespace: @, literals: [@, "a=b"], files: [@, "x=@"], envs: [@], options: {labels: {@: @}}}]\nimages: [{name: @, newName: @, newTag: @, digest: @}]\nreplicas: [{name: @, count: @}]\nreplacements: [{source: {kind: @, name: @, fieldPath: @, options: {delimiter: @, index: @}}, targets: [{select: {kind: @, name: @}, fieldPaths: [@, "metadata.labels.[@]"], options: {create: true, delimiter: @}}]}]\nconfigurations: [@]\ntransformers: [@]\ngenerators: [@]\nhelmCharts: [{name: @}]\n',
  ],
  ['base/kustomization.yaml', 'resources: [../service.yaml, @]\nlabels: [{pairs: {@: @}}]\n'],
  [
    'chart/Chart.yaml',
    'apiVersion: v2\nname: @\nversion: @\nappVersion: @\ndependencies: [{name: @, version: @, repository: @, alias: @, condition: @, tags: [@]}]\n',
  ],
  ['chart/values.yaml', '@: @\nlabels: {@: @, app: @}\nglobal: {@: @}\nnodeSelector: @\nweb: {@: {@: @}}\n'],
  [
    'chart/templates/web.yaml',
    'apiVersion: v1\nkind: Service\nmetadata:\n  name: {{ .Values.@ }}\n  labels: {{- include @ . | nindent 4 }}\n    {{- toYaml .Values.labels | nindent 4 }}\n    {{ @ }}: {{ printf @ @ .Values.web | quote }}\nspec:\n  selector: {{ get .Values.labels @ }}\n    {{- range $k, $v := .Values.@ }}\n    {{ $k }}: {{ index $v @ | replace @ @ | trunc @ | default @ }}\n    {{- end }}\n',
  ],
  [
    'chart/templates/_helpers.tpl',
    '{{- define @ -}}\n@: {{ tpl @ . }}\napp: {{ .Values.@ | default @ }}\n{{ include @ . }}\n{{- end }}\n',
  ],
  [
    '.selector-lens.yaml',
    'scopes: [{name: @, files: [@, "**"], namespace: @, with: [@]}]\ngenerated: [@]\nplaceholders: [@]\nrules: {@: error, label-key-syntax: @}\nlabels: {required: [{key: @, values: [@], pattern: @}]}\nkinds: [{group: @, kind: @, selectors: [{path: @, targets: [@]}]}]\nexternal: [{kind: @, name: @, namespace: @, labels: {@: @}}]\n',
  ],
  [
    'kyverno-test.yaml',
    'apiVersion: cli.kyverno.io/v1alpha1\nkind: Test\nmetadata: {name: @}\npolicies: [@]\nresources: [@, service.yaml]\nvariables: @\nresults: [{policy: @, rule: @, resources: [@], kind: @}]\n',
  ],
  [
    'run.sh',
    "kubectl get @ -n @ -l '@=@,@ in (@),!@' --field-selector=@=@\nkubectl label pod @ @=@ @- --overwrite\ncurl https://x/api/v1/pods?labelSelector=@%3D@\n",
  ],
];

/** Names that some file systems allow. */
const names = [
  ...[
    '__proto__.yaml',
    'constructor',
    'toString.yml',
    '%.yaml',
    '%2e%2e.yaml',
    '#.yaml',
    '?.yaml',
    'a#b?c%d.yaml',
    ' .yaml',
    '-.yaml',
  ],
  ...[
    '\u0001.yaml',
    '\n.yaml',
    '\u202e.yaml',
    '\ud800.yaml',
    '\ufffd.yaml',
    'é.yaml',
    '[a].yaml',
    '{a,b}.yaml',
    '**.yaml',
    '$(x).yaml',
  ],
  ...[
    `${'x'.repeat(240)}.yaml`,
    `${'d/'.repeat(60)}x.yaml`,
    'kustomization.yaml/kustomization.yaml',
    '__proto__/kustomization.yaml',
  ],
  ...[
    'constructor/Chart.yaml',
    'chart/charts/__proto__/Chart.yaml',
    'chart/charts/__proto__/values.yaml',
    'chart/templates/__proto__.yaml',
  ],
];

class Generator {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  one<T>(list: readonly T[]): T {
    assert.ok(list.length > 0);
    return list[this.#random(list.length)] as T; // the index is below the length
  }

  below(bound: number): number {
    return this.#random(bound);
  }

  /** A template with hostile words, unquoted or quoted as in JSON and YAML. */
  text(template: string): string {
    const quoted = template.startsWith('{"') || this.below(3) > 0;
    return template.replaceAll('@', () => (quoted ? JSON.stringify(this.one(words)) : this.one(words)));
  }

  files(): ReadonlyMap<string, string> {
    const files = new Map<string, string>();
    for (const [name, template] of texts) if (this.below(3) > 0) files.set(uriOf(name), this.text(template));
    for (let count = this.below(3); count > 0; count--)
      files.set(uriOf(this.one(names)), this.text(this.one(texts)[1]));
    if (this.below(3) === 0) {
      const { name, text } = this.one(seeds);
      files.set(
        uriOf(name),
        text.replace(/\bapp\b/g, () => this.one(words)),
      );
    }
    files.set(uriOf('service.yaml'), this.text(texts[1]?.[1] ?? ''));
    return files;
  }
}

function uriOf(name: string): string {
  return canonicalUri(`${folder}/${name.split('/').map(percentEncode).join('/')}`);
}

/** Makes all requests at some positions of a file. */
function askWith(session: Session, uri: string, text: string, given: Generator): void {
  session.workspace.edit(uri, text);
  for (const finding of session.findings(uri)) finding.fixes();
  const view = session.fileView(uri);
  assert.ok(view !== undefined);
  documentSymbols(view);
  for (const lens of lenses(view)) lensText(view, lens);
  for (let count = 0; count < 2; count++) {
    const offset = given.below(text.length + 1);
    const hovered = session.at(uri, offset, hover);
    if (hovered !== undefined) toMarkdown(hovered.text);
    session.at(uri, offset, completion);
    session.at(uri, offset, copiesAt);
    session.at(uri, offset, preview);
    session.at(uri, offset, explainObject);
    definition(view, offset);
    references(view, offset, true);
    highlights(view, offset);
    prepareRename(view, offset);
    rename(view, offset, given.one(words));
  }
}

describe('campaign: hostile workspaces', () => {
  it('are parsed and queried without an exception', async () => {
    const given = new Generator(randomNumbers(23));
    const measure = new Measure('hostile workspaces');
    const runs = campaignRuns(2_000);
    for (let run = 0; run < runs; run++) {
      const files = given.files();
      const shown = () => JSON.stringify([...files]);
      const session = new Session({
        catalogue,
        log: new TestLog(),
        clock: { today: () => storyDay, after: () => () => undefined },
      });
      try {
        await measure.stepAsync(shown, () =>
          session.workspace.load(
            new MemoryFiles(files),
            [folder],
            () => undefined,
            () => false,
          ),
        );
        assert.equal(session.workspace.summary().skipped, 0);
        for (const [uri, text] of files)
          measure.step(
            () => `${uri} in ${shown()}`,
            () => askWith(session, uri, text, given),
          );
        for (const query of ['', '__proto__', 'web', given.one(words)]) workspaceSymbols(session.view(), query);
        for (const selector of [given.one(words), `${given.one(words)}=${given.one(words)}`])
          previewText(session.view(), selector);
        for (const uri of files.keys()) session.workspace.close(uri);
      } catch (error) {
        throw new Error(`run ${run}: ${shown()}`, { cause: error });
      }
      await nextTask();
      if (run % Math.ceil(runs / 5) === 0) await measure.heap();
    }
    measure.finish();
  });
});
