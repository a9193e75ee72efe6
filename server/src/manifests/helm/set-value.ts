/** Sets a single value like the Helm option `--set` (https://pkg.go.dev/helm.sh/helm/v3/pkg/strvals). */

import { type Data, isMap } from './value.ts';

/** The maximum index of a list item that can be set; Helm has the same limit. */
const maximumIndex = 65_536;

/** The maximum number of items that are added to a list to reach an index. */
const maximumFilled = 1_000;

/** Returns a copy of the values in which the value at a path is set; examples of paths are `image.tag`, `hosts[0].name`, `labels.example\.com/team`. With `asString`, the new value is a string (`--set-string`); otherwise it can be a number, a boolean, null or a list `{a,b}`. Null removes a key. Undefined if Helm rejects the path. */
export function withSetValue(values: Data, path: string, text: string, asString: boolean): Data | undefined {
  const steps = stepsOf(path);
  return steps && withValueAt(values, steps, 0, asString ? text : typed(text));
}

type Step = string | number;

/** Returns the steps of a path; undefined if the path is malformed. */
function stepsOf(path: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  let name = '';
  let isNamed = false;
  const finish = () => {
    if (isNamed) steps.push(name);
    name = '';
    isNamed = false;
  };
  for (let at = 0; at < path.length; at++) {
    const character = path[at] ?? '';
    if (character === '.') {
      if (!isNamed && path[at - 1] !== ']') return undefined;
      finish();
    } else if (character === '[') {
      const end = path.indexOf(']', at);
      const index = Number(path.slice(at + 1, Math.max(end, at + 1)) || Number.NaN);
      if (end === -1 || !Number.isInteger(index) || index < 0 || index > maximumIndex) return undefined;
      finish();
      steps.push(index);
      at = end;
    } else {
      name += character === '\\' ? (path[++at] ?? '') : character;
      isNamed = true;
    }
  }
  finish();
  return steps.length === 0 || typeof steps[0] === 'number' ? undefined : steps;
}

function withValueAt(data: Data, steps: readonly Step[], at: number, value: Data): Data | undefined {
  const step = steps[at];
  if (step === undefined) return value;
  if (typeof step === 'string') {
    const map = new Map(isMap(data) ? Object.entries(data) : []);
    const changed = withValueAt(map.get(step) ?? null, steps, at + 1, value);
    if (changed === undefined) return undefined;
    map.set(step, changed);
    return Object.fromEntries(map);
  }
  const items = Array.isArray(data) ? [...data] : [];
  if (step - items.length > maximumFilled) return undefined;
  while (items.length < step) items.push(null);
  const changed = withValueAt(items[step] ?? null, steps, at + 1, value);
  if (changed === undefined) return undefined;
  items[step] = changed;
  return items;
}

/** Returns the typed value of unquoted text: a list, number, boolean, null or string. */
function typed(text: string): Data {
  if (text.startsWith('{') && text.endsWith('}')) {
    const inner = text.slice(1, -1);
    return inner === '' ? [] : inner.split(',').map((item) => typed(item.trim()));
  }
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  if (/^null$/i.test(text)) return null;
  if (text === '0') return 0;
  // Numbers with a leading zero are kept as strings, so that the zero is preserved.
  return /^[-+]?[1-9]\d{0,17}$/.test(text) ? Number(text) : text;
}
