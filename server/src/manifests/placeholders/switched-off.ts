/** Recognizes template blocks that are never rendered, because their condition is a constant. */

const literal = `(?:"[^"\\\\{}\n]{0,100}"|\`[^\`{}\n]{0,100}\`|-?\\d{1,15}|true|false)`;
const comparison = new RegExp(`^(eq|ne) (${literal}) (${literal})$`);

/** Matches conditions that are false, and loops over empty lists. */
const off =
  /^(?:if (?:false|nil|0|""|``|not true|and false [^\n]{1,200})|(?:with|range) (?:[$\w, ]{1,40}:= ?)?(?:\(? ?(?:tuple|list|dict) ?\)?|""))$/;

/** Whether the block of an action is never rendered, according to the body of the action: `if false`, `if eq 1 2`, `range tuple`. */
export function isSwitchedOff(body: string): boolean {
  const text = body.trim().replace(/\s{1,20}/g, ' ');
  if (off.test(text)) return true;
  const condition = /^if \(? ?([^()]{1,230}?) ?\)?$/.exec(text)?.[1];
  const [, name, left, right] = (condition && comparison.exec(condition)) ?? [];
  if (name === undefined || left === undefined || right === undefined) return false;
  const [a, b] = [left, right].map((each) => each.replace(/^["`](.*)["`]$/, '"$1"'));
  return (name === 'ne') === (a === b);
}
