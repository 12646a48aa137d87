/** An editor of C# or JavaScript that marks the mistake the server found. */
import { StreamLanguage } from '@codemirror/language';
import { csharp } from '@codemirror/legacy-modes/mode/clike';
import { javascript, json } from '@codemirror/legacy-modes/mode/javascript';
import { linter } from '@codemirror/lint';
import { useMemo } from 'preact/hooks';
import { html } from '../../core/html.js';
import { Editor } from '../../parts/editor.js';
import { jsonLinter } from '../../parts/json-lint.js';

const CSHARP = StreamLanguage.define(csharp);
const JAVASCRIPT = StreamLanguage.define(javascript);

/** JSON as the module of JavaScript knows it, which is here already; the parser that folds needs 15 KB more. */
const JSON_TEXT = { all: [StreamLanguage.define(json)], writing: [jsonLinter] };

/**
 * @param {{ text: string, label: string, isJavaScript: boolean, mistake: import('./definition.js').Mistake | null, isReadOnly: boolean,
 *   change: (text: string) => void, save: () => void }} props
 */
export function CodeEditor({ isJavaScript, mistake, ...props }) {
  // Another language or mistake is another editor: both are rare.
  const language = useMemo(() => ({
    all: [isJavaScript ? JAVASCRIPT : CSHARP], writing: [linter(view => marks(view, mistake), { delay: 0 })],
  }), [isJavaScript, mistake]);
  return html`<${Editor} key=${`${isJavaScript} ${JSON.stringify(mistake)}`} language=${language} ...${props} />`;
}

/** @param {{ text: string, label: string, isReadOnly: boolean, change: (text: string) => void, save: () => void }} props */
export const RestEditor = props => html`<${Editor} language=${JSON_TEXT} ...${props} />`;

/**
 * @param {import('@codemirror/view').EditorView} view
 * @param {import('./definition.js').Mistake | null} mistake
 * @returns {import('@codemirror/lint').Diagnostic[]}
 */
function marks(view, mistake) {
  if (!mistake) return [];
  const line = view.state.doc.line(Math.min(Math.max(1, mistake.line), view.state.doc.lines));
  const from = Math.min(line.to, line.from + Math.max(0, mistake.column - 1));
  return [{ from, to: Math.max(from, Math.min(line.to, from + 1)), severity: 'error', message: mistake.message }];
}
