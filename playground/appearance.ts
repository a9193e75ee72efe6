/** The colors and spacing of the editor, which follow the variables of `style.css`. */

import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const colors = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--key)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--string)' },
  { tag: [tags.content, tags.attributeValue], color: 'var(--text)' },
  { tag: [tags.lineComment, tags.comment], color: 'var(--quiet)', fontStyle: 'italic' },
  { tag: [tags.labelName, tags.typeName, tags.keyword, tags.meta], color: 'var(--accent)' },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: 'var(--quiet)' },
]);

const box = {
  backgroundColor: 'var(--raised)',
  color: 'var(--text)',
  border: '1px solid var(--border)',
  borderRadius: '4px',
};

const squiggle = (color: string) => ({
  backgroundImage: 'none',
  textDecoration: `underline wavy var(${color})`,
  textDecorationSkipInk: 'none',
  textUnderlineOffset: '2px',
});

const theme = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', backgroundColor: 'var(--page)', color: 'var(--text)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'ui-monospace, monospace', lineHeight: '20px' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--page)', color: 'var(--quiet)', borderRight: '1px solid var(--border)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--line)' },
  '&.cm-focused .cm-cursor, .cm-cursor': { borderLeftColor: 'var(--text)' },
  '& .cm-scroller .cm-selectionBackground, &.cm-focused .cm-scroller .cm-selectionBackground': {
    backgroundColor: 'var(--selection)',
  },
  '.cm-tooltip': { ...box, maxWidth: 'min(46em, 90vw)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--selection)',
    color: 'var(--text)',
  },
  '.cm-completionDetail': { color: 'var(--quiet)', fontStyle: 'normal' },
  '.cm-completionIcon': { display: 'none' },
  '.cm-lsp-documentation': { padding: '4px 10px', maxHeight: '40vh', overflow: 'auto', fontSize: '13px' },
  '.cm-lsp-documentation a': { color: 'var(--accent)' },
  '.cm-lsp-documentation ul': { margin: '2px 0', paddingLeft: '18px' },
  '.cm-lsp-documentation h3, .cm-lsp-documentation h4': { margin: '6px 0 2px', fontSize: '13px' },
  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--text)', borderColor: 'var(--border)' },
  '.cm-panels input, .cm-panels button': { font: 'inherit', color: 'inherit', background: 'var(--page)' },
  '.cm-button': { backgroundImage: 'none', border: '1px solid var(--border)' },
  '.cm-diagnostic': { padding: '4px 10px', whiteSpace: 'pre-wrap' },
  '.cm-diagnosticAction': {
    backgroundColor: 'var(--accent)',
    color: 'var(--page)',
    padding: '2px 8px',
    margin: '4px 6px 2px 0',
  },
  '& .cm-lintRange-error': squiggle('--error'),
  '& .cm-lintRange-warning': squiggle('--warning'),
  '& .cm-lintRange-info': squiggle('--accent'),
  '& .cm-lintRange-hint': { backgroundImage: 'none', textDecoration: 'underline dotted var(--quiet)' },
  '.cm-lintRange-active': { backgroundColor: 'var(--selection)' },
});

export const appearance: Extension = [theme, syntaxHighlighting(colors)];
