/** `selector-lens explain`: explains for each requirement of a selector whether an object meets it. */

import {
  describe,
  type Explanation,
  evaluate,
  explain as explainMatch,
  format,
  formatRequirement,
  overlap,
  type Selector,
} from '../../engine/index.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { LabeledObject, ManifestObject } from '../../manifests/model.ts';
import type { Session } from '../../session.ts';
import { offsetToPosition } from '../../text/lines.ts';
import { namedObject, referencesTo } from '../../workspace/references/referring.ts';
import { endpointOf } from '../../workspace/selection/endpoint-answers.ts';
import { storedNamespace } from '../../workspace/selection/namespaces.ts';
import { controllerSelector, haveCommonKey } from '../../workspace/selection/overlapping-selectors.ts';
import type { World } from '../environment.ts';
import { exitCodeOf, indexPaths } from '../indexed-workspace.ts';
import type { AppliedObject } from '../objects/applied-objects.ts';
import { type BuiltBy, builtByOf, builtByText, externalOf } from '../objects/built-by.ts';
import { objectIn, objectOption, objectsNamed, writtenAs } from '../objects/named-objects.ts';
import { type NamedTarget, namedTargets, namingUse, targetLines, type Use, useLines } from '../objects/uses.ts';
import { choice, UsageError } from '../options/arguments.ts';
import { languageOption, type PolicySelector, readPolicySelector } from '../options/policy-language.ts';
import { readSelector, selectorOption } from '../options/selector-argument.ts';
import { color, formats, namespace, paths, whereToLook } from '../options/shared-options.ts';
import { writeJson } from '../output/json.ts';
import { shownObject } from '../output/names.ts';
import { type Colorize, colorizer, plain, tame, tamePath } from '../output/terminal-escape.ts';
import { displayPath } from '../paths/display-path.ts';
import type { Arguments, Command } from './command.ts';

export const explain: Command = {
  name: 'explain',
  summary: 'Explains for each requirement of a selector whether an object meets it, and if not, why.',
  details: [
    'The selector is evaluated for the labels of the object and of its pods. If neither matches, but a pod could match both this selector and the selector of the object, the labels of such a pod are shown. If several kustomizations build the object, each result is shown. Instead of `--object`, the first argument may name the object. Specify the object by the name in its file or by the name that a kustomization or chart gives it. The command also lists the objects to which the object refers by name, such as ConfigMaps, and the objects that refer to it.',
  ],
  operand: paths,
  options: [
    { ...selectorOption, required: true },
    objectOption,
    {
      ...namespace,
      description:
        'The namespace of the object; an object without a namespace is treated as if it were in this namespace.',
      input: '',
    },
    languageOption,
    formats('text', 'json'),
    color,
    ...whereToLook.filter((option) => option !== namespace),
  ],
  examples: [
    {
      line: "selector-lens explain -l 'app=web,tier=front' --object Deployment/web",
      description: 'Explain why a Service with this selector does not match the pods of the Deployment.',
    },
  ],
  tool: {
    use: 'Call it if a match is missing or wrong.',
    options: ['selector', 'object', 'namespace', 'scope'],
    lists: ['objects'],
    details: ['names', 'namedBy'],
  },
  run: runExplain,
};

interface Explained extends BuiltBy {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly file: string;
  readonly line: number;
  readonly answers: readonly {
    /** The path of the template with the evaluated labels; absent for the object's own labels. */
    readonly via?: string;
    readonly makes?: string;
    readonly answer: 'yes' | 'no' | 'maybe';
    readonly requirements: readonly {
      readonly requirement: string;
      readonly answer: Explanation['answer'];
      readonly reason: string;
    }[];
  }[];
  /** The objects that the object references by name; absent if it references none. */
  readonly names?: readonly NamedTarget[];
  readonly namedBy?: readonly Use[];
  /**
   * If no labels of the object match: the object's own pod selectors that can match the same labels as the given
   * selector.
   */
  readonly overlaps?: readonly OwnOverlap[];
}

interface OwnOverlap {
  readonly path: string;
  /** Labels that both selectors match. */
  readonly labels: Readonly<Record<string, string>>;
}

async function runExplain(world: World, given: Arguments): Promise<number> {
  const text = given.values.get('selector');
  if (text === undefined) throw new UsageError("The option '--selector' must be given.");
  const { object, others } = objectIn(given);
  const language = given.values.get('language');
  const policy = language === undefined ? undefined : readPolicySelector(text, language);
  const selector = policy?.own ?? readSelector(text);
  const indexed = await indexPaths(world, others);
  const named = objectsNamed(world, indexed, object, given.values.get('namespace'));
  const code = exitCodeOf(world, indexed);
  const objects = named.map((each) => explained(world, indexed.session, each, selector, policy));
  if (choice(given, 'format', ['text', 'json']) === 'json') {
    const canonical = policy === undefined ? format(selector, 'canonical') : text;
    writeJson(world, { selector: text, canonical, objects });
    return code;
  }
  const colorize = colorizer(world.colours === true);
  if (policy === undefined)
    world.out(
      `${colorize(tame(format(selector, 'canonical')), 'bold')} selects ${tame(plain(describe(selector, 'objects')))}`,
    );
  else world.out(colorize(tame(text), 'bold'));
  for (const each of objects) for (const line of textLines(each, colorize)) world.out(line);
  return code;
}

function explained(
  world: World,
  session: Session,
  applied: AppliedObject,
  selector: Selector,
  policy: PolicySelector | undefined,
): Explained {
  const { file, object, builtBy } = applied;
  const namespace = storedNamespace(session.workspace.catalogueOf(file.uri), { object });
  const answers =
    policy === undefined
      ? labeledObjectsOf(object).map((labeledObject) => answerOf(labeledObject, selector))
      : podAnswers(session, applied, policy);
  const overlaps =
    policy !== undefined || answers.some(({ answer }) => answer === 'yes') ? [] : ownOverlaps(object, selector);
  return {
    kind: object.kind,
    name: object.name?.text ?? '',
    ...(namespace !== undefined && { namespace }),
    file: displayPath(world, file.uri),
    line: offsetToPosition(file.lines, object.kindSpan.start).line + 1,
    ...builtByOf(world, builtBy),
    ...externalOf(session, file.uri),
    answers,
    ...namesOf(world, session, applied),
    ...(overlaps.length > 0 && { overlaps }),
  };
}

/** Returns the objects that an object references by name, and the objects that reference it, as written in their files. */
function namesOf(world: World, session: Session, applied: AppliedObject): Pick<Explained, 'names' | 'namedBy'> {
  const [where] = writtenAs(session, applied);
  if (where === undefined) return {};
  const names = namedTargets(world, session, where);
  const catalogue = session.workspace.catalogueOf(where.file.uri);
  const namedBy = referencesTo(session.snapshot(), catalogue, namedObject(where)).map((each) =>
    namingUse(world, session, each),
  );
  return { ...(names.length > 0 && { names }), ...(namedBy.length > 0 && { namedBy }) };
}

/** Returns the selectors by which an object selects its own pods, if they can match the same labels as the given selector. */
function ownOverlaps({ selectorSites }: ManifestObject, selector: Selector): readonly OwnOverlap[] {
  return selectorSites.flatMap((site): readonly OwnOverlap[] => {
    const own = controllerSelector(site);
    const labels = own && haveCommonKey(selector, own) ? overlap(selector, own).witness : undefined;
    return labels === undefined ? [] : [{ path: site.path, labels }];
  });
}

function answerOf(labeledObject: LabeledObject, selector: Selector): Explained['answers'][number] {
  const { via, target } = labeledObject;
  return {
    ...(via !== undefined && { via, makes: target.kind }),
    answer: evaluate(selector, labeledObject),
    requirements: explainMatch(selector, labeledObject).map(({ requirement, answer, reason }) => {
      return { requirement: formatRequirement(requirement), answer, reason };
    }),
  };
}

/** Returns the answers of a selector in the language of a network policy for the pods of an object. */
function podAnswers(
  session: Session,
  { file, object, workspace }: AppliedObject,
  policy: PolicySelector,
): Explained['answers'] {
  const catalogue = session.workspace.catalogueOf(file.uri);
  return labeledObjectsOf(object)
    .filter(({ target }) => target.group === '' && target.kind === 'Pod')
    .map((labeledObject) => {
      const { via, target } = labeledObject;
      const endpoint = endpointOf(workspace, catalogue, { file, object, labeledObject });
      const requirements = policy.explain(endpoint).map((each) => ({ ...each, reason: reasons[each.answer] }));
      return { ...(via !== undefined && { via, makes: target.kind }), answer: policy.answer(endpoint), requirements };
    });
}

const reasons = { yes: 'matches', no: 'does not match', maybe: 'depends on an unknown label or setting' } as const;

const signs = { yes: '✓', no: '✗', maybe: '?' } as const;
const colours = { yes: 'green', no: 'red', maybe: 'yellow' } as const;
const verdicts = {
  own: { yes: 'match', no: 'do not match', maybe: 'may match' },
  made: { yes: 'matches', no: 'does not match', maybe: 'may match' },
} as const;

function textLines(explained: Explained, colorize: Colorize): readonly string[] {
  const { kind, name, namespace, file, line, answers, overlaps = [], names = [], namedBy = [] } = explained;
  const place = namespace === undefined ? '' : ` in ${namespace}`;
  const how = builtByText(explained);
  const lines = [
    '',
    `${colorize(tamePath(`${file}:${line}:`), 'bold')} ${tame(`${shownObject(kind, name)}${place}${how}`)}`,
  ];
  for (const { via, makes, answer, requirements } of answers) {
    const who = via === undefined ? 'Its own labels' : `The ${makes} that ${via === '' ? 'it' : `'${via}'`} creates`;
    const verdict = verdicts[via === undefined ? 'own' : 'made'][answer];
    lines.push(`  ${tame(who)} ${colorize(verdict, colours[answer], 'bold')}:`);
    for (const each of requirements) {
      const sign = colorize(signs[each.answer], colours[each.answer]);
      lines.push(`    ${sign} ${tame(each.requirement)}: ${tame(plain(each.reason))}`);
    }
  }
  for (const { path, labels } of overlaps) {
    const example = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
    lines.push(`  Its selector '${tame(path)}' overlaps: both match pods with ${tame(example.join(','))}.`);
  }
  lines.push(...targetLines(names), ...useLines('Named by', namedBy, colorize));
  return lines;
}
