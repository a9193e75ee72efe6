/** Checks the parameters of template functions as Go does. Sources: Go `text/template/exec.go`; github.com/Masterminds/sprig `functions.go`. */

import type { Expression } from '../expression.ts';
import { fail } from './failure.ts';
import {
  factsOf,
  made,
  OneOf,
  PrintedMap,
  TemplateMap,
  type TemplateValue,
  Unknown,
  unknownType,
} from './template-value.ts';

/** The types of parameters: a string, an `int`, a `float64`, a `bool`, a map with string keys, any value; `*` repeats the last one. */
const signatures: ReadonlyMap<string, string> = new Map(
  Object.entries({
    s: 'adler32sum atoi b32dec b32enc b64dec b64enc base camelcase clean dir ext fail fromJson fromJsonArray fromToml fromYaml fromYamlArray initials isAbs kebabcase lower nospace osBase osClean osDir osExt osIsAbs regexQuoteMeta semver sha1sum sha256sum sha512sum shuffle snakecase swapcase title trim untitle upper urlParse',
    ss: 'contains hasPrefix hasSuffix regexFind regexMatch semverCompare split splitList toDate trimAll trimPrefix trimSuffix trimall',
    sss: 'regexReplaceAll regexReplaceAllLiteral replace',
    ssi: 'plural regexFindAll regexSplit',
    sis: 'splitn',
    is: 'abbrev indent nindent repeat trunc wrap',
    iss: 'wrapWith',
    iis: 'abbrevboth substr',
    i: 'randAlpha randAlphaNum randAscii randNumeric until',
    'i*': 'seq',
    iii: 'untilStep',
    ia: 'chunk',
    sa: 'include join kindIs required tpl typeIs typeIsLike date',
    'sa*': 'printf',
    'sm*': 'pluck',
    m: 'urlJoin values',
    'm*': 'keys',
    'mm*': 'merge mergeOverwrite',
    ms: 'get hasKey unset',
    'ms*': 'omit pick',
    msa: 'set',
    a: 'add1 add1f ceil compact deepCopy duration durationRound empty first float64 floor initial int int64 kindOf last len not rest reverse sortAlpha toDecimal toJson toPrettyJson toRawJson toString toStrings toToml toYaml toYamlPretty typeOf uniq',
    aa: 'append deepEqual div ge gt has le lt mod ne prepend push sub',
    'aa*': 'biggest default divf eq index max maxf min minf mul mulf slice subf without',
    'a*': 'add addf all any cat coalesce concat dict dig html js list print println quote squote tuple urlquery',
    aab: 'ternary',
    'aif*': 'round',
    ssss: 'lookup',
  }).flatMap(([types, names]) => names.split(' ').map((name) => [name, types] as const)),
);

export function hasSignature(name: string): boolean {
  return signatures.has(name);
}

/** Returns parameters as a function receives them: Go reports an error for a wrong number of them, or a wrong type. */
export function checkedParameters(
  name: string,
  given: readonly TemplateValue[],
  written: readonly Expression[],
): readonly TemplateValue[] {
  const signature = signatures.get(name);
  if (signature === undefined) return given;
  const isOpen = signature.endsWith('*');
  const types = isOpen ? signature.slice(0, -1) : signature;
  const required = isOpen ? types.length - 1 : types.length;
  if (given.length < required || (!isOpen && given.length > required)) fail(`wrong number of parameters for ${name}`);
  return given.map((value, at) => {
    const type = types[at] ?? types.at(-1) ?? 'a';
    const literal = written[at];
    const isNumber = literal?.kind === 'literal' && typeof literal.value === 'number';
    if (isNumber && type === 'f') return Number(value);
    if (isNumber && type === 'i' && Number.isSafeInteger(literal.value)) return BigInt(literal.value);
    // A map may be nil, but not as a field, unless this is in parentheses or piped.
    const isNilMap = type === 'm' && value === null && (literal?.kind !== 'field' || literal.isPiped === true);
    if (isNilMap) return made(new TemplateMap(), { isNil: true });
    return isOf(type, value) ? value : fail(`wrong type of a parameter of ${name}`);
  });
}

function isOf(type: string, value: TemplateValue): boolean {
  if (value instanceof Unknown || value instanceof OneOf) return true;
  switch (type) {
    case 's':
      return typeof value === 'string';
    case 'i':
      return typeof value === 'bigint';
    case 'f':
      return typeof value === 'number';
    case 'b':
      return typeof value === 'boolean';
    case 'm':
      return (
        value instanceof TemplateMap &&
        !(value instanceof PrintedMap) &&
        [undefined, unknownType].includes(factsOf(value).type)
      );
    default:
      return true;
  }
}
