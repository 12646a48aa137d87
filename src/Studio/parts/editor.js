/** A text editor. It lives in a shadow root, where its styles are adopted style sheets, so that the page needs no inline styles. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, foldGutter, foldKeymap, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, lintKeymap } from '@codemirror/lint';
import { EditorState, StateEffect } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { html } from '../core/html.js';

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--code-name)' },
  { tag: tags.string, color: 'var(--code-text)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--code-value)' },
  { tag: tags.keyword, color: 'var(--code-value)', fontWeight: '600' },
  { tag: [tags.typeName, tags.standard(tags.name)], color: 'var(--accent)' },
  { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
]);

const LOOK = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--page)', fontSize: '13px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--raised)', color: 'var(--soft)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--code-line)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--select)' },
  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--text)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { maxHeight: '18em', fontFamily: 'var(--mono)' },
  '.cm-tooltip': { backgroundColor: 'var(--page)', color: 'var(--text)', border: '1px solid var(--line)' },
  '.cm-textfield, .cm-button': { backgroundImage: 'none', backgroundColor: 'var(--page)', border: '1px solid var(--line)', borderRadius: '4px' },
  '& .cm-collapsedLines': { background: 'var(--raised)', color: 'var(--soft)' },
  '& .cm-collapsedLines::before, & .cm-collapsedLines::after': { content: '""', margin: '0' },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--select)', border: 'none', color: 'var(--soft)' },
});

/** Searching is loaded when the person first searches. @param {EditorView} view */
function find(view) {
  import('@codemirror/search').then(({ highlightSelectionMatches, openSearchPanel, search, searchKeymap }) => {
    const more = [search({ top: true }), highlightSelectionMatches(), keymap.of([...searchKeymap])];
    view.dispatch({ effects: StateEffect.appendConfig.of(more) });
    openSearchPanel(view);
  });
  return true;
}

/**
 * Text that replaces a selection. The browser would give it the colours of what was there, by an inline style that the page's policy refuses.
 * @param {InputEvent} event @param {EditorView} view
 */
function replace(event, view) {
  const { ranges, main: { from, to, empty } } = view.state.selection;
  const text = event.data;
  if (event.inputType !== 'insertText' || !text || empty || ranges.length > 1 || view.composing || view.state.readOnly) return false;
  const insert = () => view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true });
  if (!view.state.facet(EditorView.inputHandler).some(handle => handle(view, from, to, text, insert))) view.dispatch(insert());
  event.preventDefault();
  return true;
}

/** What every editor and both sides of a comparison have. @param {boolean} isReadOnly */
export const basics = isReadOnly => [
  lineNumbers(), foldGutter(), history(), drawSelection(), indentOnInput(), bracketMatching(), highlightActiveLine(),
  syntaxHighlighting(COLOURS), LOOK, EditorState.readOnly.of(isReadOnly), EditorView.lineWrapping, EditorView.domEventHandlers({ beforeinput: replace }),
  keymap.of([{ key: 'Mod-f', run: find }, ...defaultKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap]),
];

/** The shadow root of an element, made once. @param {HTMLElement} host */
export function rootOf(host) {
  return host.shadowRoot ?? host.attachShadow({ mode: 'open' });
}

/** What an editor knows of its language: colours for all, and help for those who write. @typedef {{ all: any[], writing: any[] }} Language */

/**
 * @param {{ text: string, label: string, language: Language, change?: (text: string) => void, isReadOnly?: boolean, save?: () => void }} props
 * text: what is edited; another text replaces what is there. save: for Ctrl+S.
 */
export function Editor({ text, label, language, change, isReadOnly = false, save }) {
  const host = useRef(/** @type {HTMLElement | null} */ (null));
  const view = useRef(/** @type {EditorView | null} */ (null));
  const latest = useRef({ change, save });
  latest.current = { change, save };
  const told = useRef(text); // what this editor itself said last: such a text is never put back over a newer one
  useLayoutEffect(() => {
    if (!host.current) return undefined;
    const root = rootOf(host.current);
    const known = isReadOnly ? language.all : [...language.writing, lintGutter(), ...language.all];
    const extensions = [...known, ...basics(isReadOnly), ...writing(label, latest, told)];
    const editor = new EditorView({ root, parent: root, state: EditorState.create({ doc: text, extensions }) });
    view.current = editor;
    return () => editor.destroy();
  }, [isReadOnly]);
  useLayoutEffect(() => {
    const editor = view.current;
    if (!editor || text === told.current) return;
    told.current = text;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  }, [text]);
  return html`<div class="editor" ref=${host} />`;
}

/**
 * @param {string} label
 * @param {{ current: { change?: (text: string) => void, save?: () => void } }} latest @param {{ current: string }} told
 */
const writing = (label, latest, told) => [
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
  keymap.of([{ key: 'Mod-s', preventDefault: true, run: () => (latest.current.save?.(), true) }]),
  EditorView.updateListener.of(update => {
    if (!update.docChanged) return;
    const text = update.state.doc.toString();
    if (text === told.current) return;
    told.current = text;
    latest.current.change?.(text);
  }),
];
