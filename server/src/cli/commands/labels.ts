/** `selector-lens labels`: lists the label keys of a workspace with their users, or writes the registry of labels as admission policies. */

import { LabelCollector } from '../../features/labels/collect-labels.ts';
import type { LabelTable, Place } from '../../features/labels/label-table.ts';
import { labelsPage } from '../../features/labels/labels-page.ts';
import { linkToLine } from '../../features/presentation/markdown.ts';
import { labelRegistryFor } from '../../rules/framework/team-settings.ts';
import { allowedValues } from '../../rules/helpers/allowed-values.ts';
import { defaultSettings } from '../../settings/settings.ts';
import { isExternalFile } from '../../workspace/configs.ts';
import type { Shape } from '../../workspace/store/json-shape.ts';
import type { World } from '../environment.ts';
import { exitCodeOf, type Indexed, indexAsked } from '../indexed-workspace.ts';
import { admissionPolicies } from '../labels/admission-checks.ts';
import { labelsCsv } from '../labels/csv.ts';
import { type ExportFormat, exportedPolicies, exportFormats } from '../labels/export.ts';
import { labelsText } from '../labels/text.ts';
import { reportPartialScopes } from '../objects/partial-scopes.ts';
import { scopedObjects } from '../objects/scoped-objects.ts';
import { choice, UsageError } from '../options/arguments.ts';
import { color, formats, output, paths, whereToLook } from '../options/shared-options.ts';
import { writeJson } from '../output/json.ts';
import { colorizer, tame, tameLine } from '../output/terminal-escape.ts';
import { displayPath } from '../paths/display-path.ts';
import { type RequestedPaths, requestedPaths } from '../paths/requested-paths.ts';
import { cachedResult } from '../report/cached-result.ts';
import type { Arguments, Command, Option } from './command.ts';

const tableFormats = ['text', 'json', 'markdown', 'csv'] as const;

const exportOption: Option = {
  name: 'export',
  value: 'FORMAT',
  choices: exportFormats,
  description:
    'Write the registry of labels as admission policies instead of the table, for Kubernetes (`validating-admission-policy`), Kyverno or Gatekeeper.',
};

export const labels: Command = {
  name: 'labels',
  summary: 'Lists the label keys with their values and users, and the objects without required labels.',
  details: [
    'For each key, the table states how many objects and pods have it, with which values, what sets it (a manifest, a kustomization, a patch or a chart), and which selectors require it. Objects are counted as they are applied, once for each scope. The coverage states how many objects have the labels that `labels`, `labelPolicy` and `recommendedLabels` in `.selector-lens.yaml` require or recommend. Similar keys and values, such as `shop` and `Shop`, are listed as well.',
    'With `--export`, the command writes policies that check the registry of labels in the cluster. The policies only warn, until you change their action. Statements that the API server cannot check are listed on standard error.',
  ],
  operand: paths,
  options: [formats(...tableFormats), exportOption, output, color, ...whereToLook],
  examples: [
    { line: 'selector-lens labels apps', description: 'List the labels of a folder.' },
    { line: 'selector-lens labels -f markdown -o docs/labels.md', description: 'Write a reference page.' },
    {
      line: 'selector-lens labels --export kyverno -o policies/labels.yaml',
      description: 'Write the registry as policies of Kyverno.',
    },
  ],
  run: runLabels,
};

async function runLabels(world: World, given: Arguments): Promise<number> {
  const format = exportFormats.find((each) => each === given.values.get('export'));
  if (format !== undefined && given.values.has('format'))
    throw new UsageError("The options '--export' and '--format' exclude each other.");
  const requested = await requestedPaths(world, given);
  if (format !== undefined) return exportRegistry(world, given, requested, format);
  const { table, notes, code } = await resultOf(world, given, requested);
  for (const note of notes) world.err(note);
  writeTable(world, choice(given, 'format', tableFormats), table);
  return code;
}

/** The table, with what the command writes to standard error, and its exit code. */
interface Result {
  readonly table: LabelTable;
  readonly notes: readonly string[];
  readonly code: number;
}

/** Returns the result of the last run if no file has changed since; otherwise indexes the workspace. */
async function resultOf(world: World, given: Arguments, requested: RequestedPaths | '-'): Promise<Result> {
  const isKept = requested !== '-' && world.warm === undefined && !given.flags.has('no-cache');
  const command = ['labels', given.values.get('namespace') ?? '', given.values.get('release') ?? ''];
  const known =
    isKept && !given.lists.has('values')
      ? await cachedResult<Result>(world, requested, defaultSettings, command, resultShape)
      : undefined;
  if (known?.value !== undefined) return known.value;
  const notes: string[] = [];
  const recording: World = { ...world, err: (line) => notes.push(line) };
  const indexed = await indexAsked(recording, given, requested);
  const table = tableOf(world, indexed);
  reportPartialScopes(recording, indexed);
  const code = exitCodeOf(recording, indexed);
  const result = { table, notes, code };
  await known?.keep(result, indexed.session.workspace.generatedFrom());
  return result;
}

function tableOf(world: World, indexed: Indexed): LabelTable {
  const { session } = indexed;
  const workspace = session.snapshot();
  const collector = new LabelCollector({
    workspace,
    catalogueOf: (uri) => session.workspace.catalogueOf(uri),
    settings: session.workspace.settings,
    nameOf: (uri) => displayPath(world, uri),
  });
  for (const where of scopedObjects(indexed))
    if (!isExternalFile(workspace.configs(), where.file.uri)) collector.add(where);
  return collector.table();
}

function writeTable(world: World, format: (typeof tableFormats)[number], table: LabelTable): void {
  switch (format) {
    case 'text':
      for (const line of labelsText(table, colorizer(world.colours === true))) world.out(line);
      return;
    case 'json':
      writeJson(world, table);
      return;
    case 'markdown':
      for (const line of labelsPage(table, linkTo).trimEnd().split('\n')) world.out(tameLine(line));
      return;
    case 'csv':
      for (const line of labelsCsv(table)) world.out(line);
  }
}

function linkTo({ file, line }: Place, text: string): string {
  return linkToLine(tame(text), file, line);
}

/** Writes the registry that applies to the first path as policies. */
async function exportRegistry(
  world: World,
  given: Arguments,
  requested: RequestedPaths | '-',
  format: ExportFormat,
): Promise<number> {
  if (requested === '-') throw new UsageError("'--export' requires a folder with a '.selector-lens.yaml'.");
  const indexed = await indexAsked(world, given, requested);
  const { session } = indexed;
  const [first] = requested.named;
  const folder = first?.uri ?? requested.folders[0] ?? world.currentFolder;
  const uri = first?.kind === 'file' ? folder : `${folder}/manifest.yaml`;
  const context = { uri, workspace: session.snapshot(), settings: session.workspace.settings };
  const exported = labelRegistryFor(context).entries.map((label) => ({
    label,
    values: label.allowed && allowedValues(context, label.allowed),
  }));
  const catalogue = session.workspace.catalogueOf(uri);
  const policies = admissionPolicies(exported, catalogue);
  if (policies.policies.length > 0) for (const line of exportedPolicies(format, policies, catalogue)) world.out(line);
  for (const sentence of policies.omitted) world.err(`selector-lens: Not exported: ${tame(sentence)}`);
  if (policies.policies.length > 0) return 0;
  world.err(
    `selector-lens: The '.selector-lens.yaml' of '${tame(displayPath(world, folder))}' states nothing about labels.`,
  );
  return 1;
}

const place = { file: 'string', line: 'number' } as const;
const placed = { ...place, name: 'string' } as const;

function counted(first: Shape): Shape {
  return { keys: { count: 'number', first: { list: first } } };
}

const resultShape: Shape = {
  keys: {
    notes: { list: 'string' },
    code: 'number',
    table: {
      keys: {
        objects: 'number',
        pods: 'number',
        keys: {
          list: {
            keys: {
              key: 'string',
              statements: { list: 'string' },
              objects: 'number',
              pods: 'number',
              values: {
                list: { keys: { value: 'string', objects: 'number', pods: 'number', at: { keys: placed } } },
              },
              unknown: 'number',
              setBy: { list: { keys: { by: 'string', count: 'number', files: counted('string') } } },
              selectors: counted({ keys: { ...placed, path: 'string' } }),
            },
          },
        },
        coverage: {
          list: {
            keys: {
              key: 'string',
              of: 'string',
              is: 'string',
              total: 'number',
              have: 'number',
              unknown: 'number',
              missing: counted({ keys: placed }),
            },
          },
        },
        similar: {
          list: {
            keys: {
              'key?': 'string',
              names: { tuple: ['string', 'string'] },
              counts: { tuple: ['number', 'number'] },
              reason: 'string',
            },
          },
        },
      },
    },
  },
};
