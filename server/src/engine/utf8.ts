/** Computes lengths and offsets of strings in UTF-8 bytes, and compares strings in byte order, as Kubernetes does. */

/** The number of bytes of `text` in UTF-8; a lone surrogate counts three, as the replacement character does. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (isPairAt(text, index)) {
      bytes += 2;
      index++;
    } else bytes += 2;
  }
  return bytes;
}

/** Returns the offset of the first character that does not completely fit into the first `bytes` bytes. */
export function offsetAtByte(text: string, bytes: number): number {
  let used = 0;
  for (let index = 0; index < text.length; ) {
    const units = isPairAt(text, index) ? 2 : 1;
    used += utf8Length(text.slice(index, index + units));
    if (used > bytes) return index;
    index += units;
  }
  return text.length;
}

/** Compares strings as Go does: by UTF-8 bytes, that is, by code points. Can be passed to `sort`. */
export function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

function isPairAt(text: string, index: number): boolean {
  const code = text.codePointAt(index);
  return code !== undefined && code > 0xffff;
}

/** Surrogates represent code points above U+FFFF, so they sort after the units U+E000 to U+FFFF. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
