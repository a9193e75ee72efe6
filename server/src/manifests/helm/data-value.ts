/** Creates template values from plain data that is fully known, such as parameters. */

import { once } from '../../engine/memoize.ts';
import { findActions } from './actions.ts';
import { type Data, isMap, known, type Layer, open, type Value } from './value.ts';

export interface DataOptions {
  /** Whether the outermost map may have more keys than the data. */
  readonly isOpen?: boolean;
  /** Whether every map may have more keys than the data. */
  readonly areMapsOpen?: boolean;
  /** The output for a key that a map does not have; undefined if the template fails in this case. */
  readonly absent?: string;
}

/** Returns plain data as a template value, which is converted as far as it is used, so that templates can iterate over its maps and lists. `code` is the expression for the value. In a text, each part of the form `{{ … }}` is unknown. */
export function dataValue(data: Data, code: string, options: DataOptions): Value {
  const below = (name: string | number) => (code === '.' ? `.${name}` : `${code}.${name}`);
  if (Array.isArray(data)) {
    const items = once(() => data.map((item, index) => dataValue(item, below(index), inner(options))));
    const { field } = known(data, code);
    return {
      ...known(data, code),
      type: 'list',
      get items() {
        return items();
      },
      // A previous evaluation may have changed the expression `index .Values.hosts 0` of an item to `.Values.hosts.0`.
      field: (name) => items()[Number(name)] ?? field(name),
    };
  }
  if (typeof data === 'string' && data.includes('{{')) return unknownText(data, code);
  return isMap(data) ? mapValue(data, code, below, options) : known(data, code);
}

function inner({ absent, areMapsOpen }: DataOptions): DataOptions {
  return { ...(absent !== undefined && { absent }), ...(areMapsOpen && { areMapsOpen }) };
}

function mapValue(
  data: { readonly [key: string]: Data },
  code: string,
  below: (name: string) => string,
  options: DataOptions,
): Value {
  const { areMapsOpen = false, isOpen = areMapsOpen, absent } = options;
  const entries = once(
    () => new Map(Object.entries(data).map(([name, each]) => [name, dataValue(each, below(name), inner(options))])),
  );
  const { field } = open(code);
  const others: Layer = {
    kind: 'others',
    keys: undefined,
    without: new Set(),
    field,
    data: undefined,
    lines: `{{ ${code} }}`,
    code,
  };
  const missing = (name: string): Value => {
    if (isOpen || absent === undefined) return field(name);
    return { ...known(null, below(name)), text: absent, field: field(name).field };
  };
  return {
    ...(isOpen ? open(code) : known(data, code)),
    type: 'map',
    get made() {
      const layers: Layer[] = [{ kind: 'entries', entries: entries() }];
      return { layers: isOpen ? [...layers, others] : layers };
    },
    field: (name) =>
      Object.hasOwn(data, name) ? dataValue(data[name] ?? null, below(name), inner(options)) : missing(name),
  };
}

/** Returns a text with unknown parts. If the text consists of a single action, its code is the code of this action, so that equal unknown values have equal code. */
function unknownText(text: string, code: string): Value {
  const [only, ...others] = findActions(text);
  const isWhole = only !== undefined && others.length === 0 && only.span.start === 0 && only.span.end === text.length;
  return { ...open(isWhole ? only.body : code), text, type: 'string' };
}
