/**
 * Translates the texts of the interface. The English text is the key of its translation, as in `vscode.l10n`, so that a
 * language is added as one file, `l10n/bundle.l10n.LANGUAGE.json`.
 */

/** Translations by English text. `{0}`, `{1}`, … represent the values of a text, in the order of the English text. */
export type Translations = ReadonlyMap<string, string>;

/** The translations to the display language of the editor. Set once, before a server answers its first request. */
let translations: Translations = new Map();

/** Sets the translations of all texts from now on. An empty map restores English. */
export function setTranslations(next: Translations): void {
  translations = next;
}

/**
 * Translates a text of the interface: localize`Label '${key}' is deprecated.` Returns the English text if there is no
 * translation.
 */
export function localize(texts: TemplateStringsArray, ...values: readonly (string | number | undefined)[]): string {
  if (translations.size > 0) {
    const translation = translations.get(localizationKey(texts));
    if (translation !== undefined) {
      return translation.replace(/\{(\d+)\}/g, (found, index) => String(values[Number(index)] ?? found));
    }
  }
  return texts.reduce((text, part, index) => text + String(values[index - 1]) + part);
}

/** Translates a constant text of the interface that is written as english`…` elsewhere. */
export function localized(text: string): string {
  return translations.get(text) ?? text;
}

/** Marks a constant text of the interface that `localized` translates when it is shown. */
export function english(texts: TemplateStringsArray): string {
  return texts.join('');
}

/** Returns the key of a text: `Label '{0}' is deprecated.` */
export function localizationKey(texts: readonly string[]): string {
  return texts.reduce((key, part, index) => `${key}{${index - 1}}${part}`);
}
