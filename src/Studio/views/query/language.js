/** RQL in an editor. Colours, mistakes and completions come from the server's parser, so that they are always those of the server that runs the query. */
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { setDiagnostics } from '@codemirror/lint';
import { Prec, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, keymap, ViewPlugin } from '@codemirror/view';
import { parse } from './parse.js';

/** @typedef {import('./parse.js').Parsed} Parsed */

/** Keys that come faster are one question. */
const QUIET_MS = 120;

/** Symbols and names look like plain text. @type {Record<string, string | undefined>} */
const CLASSES = {
  Keyword: 'rql-keyword', Source: 'rql-source', Method: 'rql-method', Field: 'rql-field', Parameter: 'rql-parameter', Text: 'rql-text', Number: 'rql-value',
  Constant: 'rql-value', Comment: 'rql-comment', Script: 'rql-script',
};

const LOOK = EditorView.theme({
  '.rql-keyword': { color: 'var(--code-value)', fontWeight: '600' },
  '.rql-source, .rql-method': { color: 'var(--accent)' },
  '.rql-field': { color: 'var(--code-name)' },
  '.rql-text': { color: 'var(--code-text)' },
  '.rql-value, .rql-parameter': { color: 'var(--warn)' },
  '.rql-comment': { color: 'var(--soft)', fontStyle: 'italic' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-completionDetail': { fontStyle: 'normal', opacity: '.8' },
});

/** @type {import('@codemirror/state').StateEffectType<import('@codemirror/view').DecorationSet>} */
const setColours = StateEffect.define();

const colours = StateField.define({
  create: () => Decoration.none,
  update(known, transaction) {
    for (const effect of transaction.effects) if (effect.is(setColours)) return effect.value;
    return known.map(transaction.changes);
  },
  provide: field => EditorView.decorations.from(field),
});

/**
 * @param {string} database
 * @param {{ current: { parsed: (parsed: Parsed, text: string) => void, run: () => void, parameters: () => string[] } }} latest
 * @returns {import('../../parts/editor.js').Language}
 */
export const rqlLanguage = (database, latest) => ({
  all: [colours, LOOK, reading(database, latest)],
  writing: [
    Prec.high(keymap.of([{ key: 'Mod-Enter', run: () => (latest.current.run(), true) }])),
    autocompletion({ override: [context => complete(database, context, latest.current.parameters())], icons: false }),
    closeBrackets(), keymap.of([...closeBracketsKeymap, ...completionKeymap]),
  ],
});

/** @param {string} database @param {{ current: { parsed: (parsed: Parsed, text: string) => void } }} latest */
const reading = (database, latest) => ViewPlugin.define(view => {
  let stop = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const read = async () => {
    stop.abort();
    stop = new AbortController();
    const { signal } = stop;
    const text = view.state.doc.toString();
    const parsed = await parse(database, text, { signal }).catch(() => null); // without an answer the text stays as it is
    if (!parsed || signal.aborted) return;
    view.dispatch({ effects: setColours.of(colour(parsed.Tokens)) });
    view.dispatch(setDiagnostics(view.state, parsed.Remarks.map(remark => ({
      from: remark.Start, to: remark.End, message: remark.Message, severity: remark.Severity === 'Error' ? 'error' : 'warning',
    }))));
    latest.current.parsed(parsed, text);
  };
  timer = setTimeout(read);
  return {
    update(update) {
      if (!update.docChanged) return;
      clearTimeout(timer);
      timer = setTimeout(read, QUIET_MS);
    },
    destroy() {
      clearTimeout(timer);
      stop.abort();
    },
  };
});

/** @param {import('./parse.js').Token[]} tokens */
const colour = tokens => Decoration.set(tokens.flatMap(token => {
  const name = CLASSES[token.Kind];
  return name ? [Decoration.mark({ class: name }).range(token.Start, token.End)] : [];
}));

/** @param {string} database @param {import('@codemirror/autocomplete').CompletionContext} context @param {string[]} parameters */
async function complete(database, context, parameters) {
  const before = context.state.sliceDoc(Math.max(0, context.pos - 1), context.pos);
  if (!context.explicit && !/[\w@.$'"[-]|\s/u.test(before)) return null;
  const stop = new AbortController();
  context.addEventListener('abort', () => stop.abort());
  const parsed = await parse(database, context.state.doc.toString(), { signal: stop.signal, position: context.pos, parameters }).catch(() => null);
  const found = parsed?.Completion;
  if (!found || found.Items.length === 0 || (!context.explicit && isWhole(found, context))) return null;
  return {
    from: found.Start, to: found.End, filter: false,
    options: found.Items.map(item => ({ label: item.Text, detail: item.Detail, apply: apply(item) })),
  };
}

/** Who has typed the only word that fits wants no list in the way. @param {{ Start: number, Items: import('./parse.js').Item[] }} found @param {any} context */
const isWhole = (found, context) => found.Items.length === 1 && found.Items[0].Text === context.state.sliceDoc(found.Start, context.pos);

/** Within the brackets of a call there is something to write. @param {import('./parse.js').Item} item */
const apply = item => (/** @type {EditorView} */ view, /** @type {unknown} */ _, /** @type {number} */ from, /** @type {number} */ to) => {
  const isCall = item.Text.endsWith('()') && item.Detail !== '0 arguments';
  // The closing quote that the editor added is replaced too.
  const quote = item.Text.at(-1) ?? '';
  const end = /['"]/.test(quote) && view.state.sliceDoc(to, to + 1) === quote ? to + 1 : to;
  const anchor = from + item.Text.length - (isCall ? 1 : 0);
  view.dispatch({ changes: { from, to: end, insert: item.Text }, selection: { anchor }, userEvent: 'input.complete' });
};
