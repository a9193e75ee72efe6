/** Recognizes the placeholders of other tools by their spelling. */

/** Phrases in capitals that a reader replaces, such as `YOUR APP NAME`, `REPLACE WITH TEAM` and `TODO SET THIS`, or which are a whole key or value, such as `APP NAME`. */
export const phrases: readonly RegExp[] = [
  /(?<![A-Za-z0-9])(?:YOUR|TODO|(?:REPLACE|CHANGE|SET|INSERT|FILL) (?:ME|THIS|IN|WITH|YOUR))(?: [A-Z][A-Z0-9_-]{0,40}){1,8}(?![A-Za-z0-9])/,
  /(?<=(?:^|[\n:=,([{"'<_%@-])[ \t]{0,40})(?:[A-Z][A-Z0-9_-]{0,40} ){1,6}(?:NAME|NAMESPACE|KEY|VALUE|LABEL|ID|HERE)(?=[ \t]{0,40}(?:["'\])}>:=,;\r\n_%@]|$))/,
];

/** Matches placeholders of template languages other than Go templates, each on one line: `$NAME`, `$name`, `${NAME:-x}`, `$(name)`, `$$name$$`, `@NAME@`, `<name>`, `<+name>`, `#{name}`, `#{name}#`, `ref+vault://name`, `__NAME__`, `{% %}`, `%{ }`, `(@ @)`, `{NAME}`, `%NAME%`, `<%= %>`, `((name))`, `(( grab name ))`, `[[ .name ]]`, phrases in capitals, and values that are encrypted by SOPS. Lengths are bounded, so that even a malicious line is matched in linear time. */
export const placeholderPattern = new RegExp(
  [
    /\$\$[\w.-]{1,100}\$\$/,
    /\$\{(?:[^\n{}]|\$\{[^\n{}]{0,100}\}){0,200}\}/,
    /\$\([\w./ +%:-]{1,100}\)/,
    /\$[A-Z_][A-Z0-9_]{0,100}/,
    // The excluded words after `$` are patch directives and keywords of JSON schemas.
    /(?<![A-Za-z0-9])\$(?!(?:patch|setElementOrder|deleteFromPrimitiveList|retainKeys|schema|ref|id|defs|comment)\b)[a-z]\w{0,100}/,
    /@@?[A-Za-z][\w.-]{0,100}@@?/,
    /<\+?[A-Za-z][^<>\n]{0,80}>/,
    // After a blank, `#` begins a comment.
    /(?<=\S)#\{[^\n{}]{1,100}\}#?|#\{[^\n{}]{1,100}\}#/,
    /\bref\+[a-z0-9]{1,30}:\/\/[^\s"'{},]{1,200}/,
    /__[0-9]{0,20}[A-Z][A-Z0-9_]{0,100}?__/,
    /\{%[^\n]{0,300}?%\}/,
    /%\{[^\n{}]{0,200}\}/,
    /\(@[^\n]{0,200}?@\)/,
    /\{[A-Z][A-Z0-9_ ]{0,100}\}/,
    /%%?[A-Z][A-Z0-9_]{0,100}%%?/,
    /<%[^\n]{0,300}?%>/,
    /\(\( ?[A-Za-z!][^\n()]{0,100}\)\)/,
    /\bENC\[[A-Z0-9_]{1,30},[^\n\]]{0,2000}\]/,
    /\$?\[\[ ?[.$A-Za-z][\w.$-]{0,100} ?\]\]/,
    ...phrases,
  ]
    .map((part) => part.source)
    .join('|'),
  'g',
);

/** Matches text that may contain a placeholder. The `@` of an email address or an image digest usually occurs only once on its line, so it does not match. */
export const mayHoldPlaceholder =
  /[$<%]|@[\w.-]{0,102}@|[#(]@|#\{|__|\{[A-Z{]|\(\(|\[\[|ENC\[|ref\+|(?:YOUR|TODO) [A-Z]|[A-Z] (?:ME|THIS|IN|WITH) [A-Z]|[A-Z] (?:NAME|NAMESPACE|KEY|VALUE|LABEL|ID|HERE)\b/;
