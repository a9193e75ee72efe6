/** The types of semantic tokens. A server announces them when it starts, before it needs the code that finds tokens. */

/** Standard token types, which every theme supports; `namespace` is used for the prefix of a key. */
export const tokenTypes = ['property', 'namespace', 'operator', 'keyword', 'string', 'number'] as const;

export type TokenType = (typeof tokenTypes)[number];
