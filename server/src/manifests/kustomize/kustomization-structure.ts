/** The fields of kustomizations, with their types. */

import { openStructures, type Structure } from '../../engine/catalogue/structures.ts';
import { once } from '../../engine/memoize.ts';
import type { FieldFault } from '../model.ts';
import { fieldFaults } from '../sites/field-faults.ts';
import type { MapEntry, MapNode, Node } from '../yaml/tree.ts';

/**
 * The structures of kustomize, in the notation of `openStructures` with names in place of line numbers, from the
 * folder `api/types` of kustomize. `inventory` is from earlier versions; `valuesInline` and `valuesLocal` have any fields.
 */
const types = {
  Kustomization:
    'apiVersion=S kind=S metadata=ObjectMeta openapi*S namePrefix=S nameSuffix=S namespace=S commonLabels*S labels+Label commonAnnotations*S patchesStrategicMerge+S patchesJson6902+Patch patches+Patch images+Image imageTags+Image replacements+Replacement replicas+Replica vars+Var sortOptions=SortOptions resources+S components+S crds+S bases+S configMapGenerator+ConfigMapArgs secretGenerator+SecretArgs helmGlobals=HelmGlobals helmCharts+HelmChart helmChartInflationGenerator+HelmChartArgs generatorOptions=GeneratorOptions configurations+S generators+S transformers+S validators+S buildMetadata+S inventory',
  ObjectMeta: 'name=S namespace=S labels*S annotations*S',
  Label: 'pairs*S includeSelectors=B includeTemplates=B includeVolumeClaimTemplates=B fields+FieldSpec',
  FieldSpec: 'group=S version=S kind=S path=S create=B',
  Patch: 'path=S patch=S target=Selector options*B',
  Selector: 'group=S version=S kind=S name=S namespace=S annotationSelector=S labelSelector=S',
  Image: 'name=S newName=S tagSuffix=S newTag=S digest=S',
  Replacement: 'source=Source sourceValue=S targets+Target path=S',
  Source: 'group=S version=S kind=S name=S namespace=S fieldPath=S options=FieldOptions',
  Target: 'select=Selector reject+Selector fieldPaths+S options=FieldOptions',
  FieldOptions: 'delimiter=S index=I encoding=S create=B',
  Replica: 'name=S count=I',
  Var: 'name=S objref=ObjRef fieldref=FieldRef',
  ObjRef: 'apiVersion=S group=S version=S kind=S name=S namespace=S',
  FieldRef: 'fieldPath=S',
  SortOptions: 'order=S legacySortOptions=LegacySortOptions',
  LegacySortOptions: 'orderFirst+S orderLast+S',
  ConfigMapArgs: 'namespace=S name=S behavior=S literals+S files+S envs+S env=S options=GeneratorOptions',
  SecretArgs: 'namespace=S name=S behavior=S literals+S files+S envs+S env=S options=GeneratorOptions type=S',
  GeneratorOptions: 'labels*S annotations*S disableNameSuffixHash=B immutable=B',
  HelmGlobals: 'chartHome=S configHome=S',
  HelmChart:
    'name=S version=S repo=S releaseName=S namespace=S additionalValuesFiles+S valuesFile=S valuesInline valuesMerge=S includeCRDs=B skipHooks=B apiVersions+S kubeVersion=S nameTemplate=S skipTests=B debug=B devel=B',
  HelmChartArgs:
    'chartName=S chartVersion=S chartRepoUrl=S chartHome=S chartRepoName=S helmBin=S helmHome=S values=S valuesLocal valuesMerge=S releaseName=S releaseNamespace=S extraArgs+S',
};

const structure = once((): Structure => {
  const names = Object.keys(types);
  const lines = Object.values(types).map((line) =>
    line.replaceAll(/(?<=[=+*])[A-Z]\w+/g, (name) => names.indexOf(name).toString(36)),
  );
  const text = [lines.length.toString(36), ...lines, 'kustomize Kustomization=0'].join('\n');
  return (
    openStructures(() => text).kind('kustomize', 'Kustomization') ?? { fields: new Map(), required: [], open: true }
  );
});

/** Returns the tree of a kustomization with the standard spelling of field names: kustomize also accepts, for example, `nameprefix` for `namePrefix`. */
export function withKnownNames(root: Node | undefined): Node | undefined {
  return root && named(root, structure());
}

function named(node: Node, structure: Structure): Node {
  if (node.kind !== 'map') return node;
  const entries = node.entries.map((entry) => namedEntry(entry, structure));
  return entries.every((entry, at) => entry === node.entries[at]) ? node : { ...node, entries };
}

function namedEntry(entry: MapEntry, { fields }: Structure): MapEntry {
  const { key, value } = entry;
  const text = fields.has(key.text) ? key.text : nameIn(fields, key.text);
  const inside = fields.get(text)?.structure;
  const known = inside === undefined ? value : namedValue(value, inside);
  return text === key.text && known === value ? entry : { ...entry, key: { ...key, text }, value: known };
}

/** Returns a structure, or a list of structures, with the standard spelling of field names. */
function namedValue(value: Node, structure: Structure): Node {
  if (value.kind !== 'list') return named(value, structure);
  const items = value.items.map((item) => named(item, structure));
  return items.every((item, at) => item === value.items[at]) ? value : { ...value, items };
}

function nameIn(fields: Structure['fields'], text: string): string {
  const lower = text.toLowerCase();
  for (const name of fields.keys()) if (name.toLowerCase() === lower) return name;
  return text;
}

/** Returns the unknown fields of a kustomization, and its values that kustomize cannot decode. */
export function kustomizationFaults(root: MapNode): readonly FieldFault[] {
  const at = { start: root.span.start, end: root.span.start };
  const place = { path: '', object: root.span.start, at, ofKubernetes: false, knowsScalars: true, type: '' };
  return fieldFaults(root, structure(), place);
}
