/** What was made before? It is kept, and made where nobody asked for it yet. */

/** A map, or a weak one. */
interface Kept<Key, Made> {
  get(key: Key): Made | undefined;
  set(key: Key, made: Made): unknown;
}

/** What stands under a key of a map; made for the key and put there where nothing does yet. */
export function getOrAdd<Key, Made>(map: Kept<Key, Made>, key: Key, make: (key: Key) => Made): Made {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make(key);
  map.set(key, made);
  return made;
}

/** Makes something when it is first asked for, and never again. */
export function once<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
