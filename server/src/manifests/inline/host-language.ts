/** Determines the language of a file that is not a manifest by its name, by the editor's language identifier, or by its first line. */

export const hosts = ['shell', 'makefile', 'dockerfile', 'markdown', 'text', 'yaml', 'selector'] as const;

export type Host = (typeof hosts)[number];

const endings: Readonly<Record<string, Host>> = {
  sh: 'shell',
  bash: 'shell',
  zsh: 'shell',
  ksh: 'shell',
  bats: 'shell',
  mk: 'makefile',
  dockerfile: 'dockerfile',
  md: 'markdown',
  markdown: 'markdown',
  mdx: 'markdown',
  txt: 'text',
  log: 'text',
  yaml: 'yaml',
  yml: 'yaml',
  json: 'yaml',
  selector: 'selector',
};

const names = /^(?:(?:GNU)?[Mm]akefile(?:\..*)?|(?:Docker|Container)file(?:\..*)?)$/;

/** The supported languages by the language identifiers of editors. */
const languages: Readonly<Record<string, Host>> = {
  shellscript: 'shell',
  makefile: 'makefile',
  dockerfile: 'dockerfile',
  markdown: 'markdown',
  mdx: 'markdown',
  plaintext: 'text',
  log: 'text',
  yaml: 'yaml',
  json: 'yaml',
  jsonc: 'yaml',
  helm: 'yaml',
  'kube-selector': 'selector',
};

/** Returns the language of a file; undefined for unsupported languages. */
export function hostOf(name: string, text: string, language?: string): Host | undefined {
  if (name === 'Kustomization') return 'yaml';
  if (names.test(name)) return name.startsWith('D') || name.startsWith('C') ? 'dockerfile' : 'makefile';
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  if (name.includes('.') && Object.hasOwn(endings, ending)) return endings[ending];
  if (language !== undefined && Object.hasOwn(languages, language)) return languages[language];
  return /^#!.{0,60}\b(?:ba|z|k|da)?sh\b/.test(text) ? 'shell' : undefined;
}

/** Whether a language consists of commands, in contrast to prose and data. */
export function isScript(host: Host | undefined): boolean {
  return host === 'shell' || host === 'makefile' || host === 'dockerfile';
}

/** Whether a file that is not a manifest may contain commands, judging by its name. Logs are excluded, because they change constantly. */
export function mayHoldCommands(name: string): boolean {
  const host = hostOf(name, '');
  return host !== undefined && host !== 'yaml' && !name.endsWith('.log');
}

/** Whether a file may contain manifests and is parsed as YAML. Files that are passed to the command line tool may have any name. */
export function mayBeManifest(host: Host | undefined, language?: string): boolean {
  return host === undefined || host === 'yaml' || (host === 'text' && language === undefined);
}
