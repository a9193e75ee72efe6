/** Checks whether stored JSON has the shape that this program writes. */

/**
 * Shape of a JSON value: the type of a scalar, a list of items of one shape, a tuple, or an object. A key that ends
 * with `?` may be absent; keys that are not named are not checked.
 */
export type Shape =
  | 'string'
  | 'number'
  | 'boolean'
  | 'any'
  | { readonly list: Shape }
  | { readonly tuple: readonly Shape[] }
  | { readonly keys: Readonly<Record<string, Shape>> };

/** Whether a value has a shape. Shapes are finite, so deep values cannot exhaust the stack. */
export function fits(value: unknown, shape: Shape): boolean {
  if (typeof shape === 'string') return shape === 'any' || typeof value === shape;
  if ('list' in shape) return Array.isArray(value) && value.every((each) => fits(each, shape.list));
  if ('tuple' in shape)
    return (
      Array.isArray(value) &&
      value.length === shape.tuple.length &&
      shape.tuple.every((each, at) => fits(value[at], each))
    );
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  // Iterates without allocating memory, because there are very many objects.
  for (const key of Object.keys(shape.keys)) {
    const isOptional = key.endsWith('?');
    const name = isOptional ? key.slice(0, -1) : key;
    const field = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
    if (!(isOptional && field === undefined) && !fits(field, shape.keys[key] ?? 'any')) return false;
  }
  return true;
}
