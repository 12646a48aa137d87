/** Two texts side by side, with what differs marked. */
import { MergeView } from '@codemirror/merge';
import { EditorView } from '@codemirror/view';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { html } from '../core/html.js';
import { basics, rootOf } from './editor.js';
import { JSON_LANGUAGE } from './json-editor.js';

/** Lines around a difference that stay shown. */
const MARGIN_LINES = 3;

/**
 * @typedef {{ left: string, right: string, leftTitle: string, rightTitle: string, change?: (right: string) => void }} DiffProps
 * change: the right side can be edited.
 */

/** @param {DiffProps} props */
export function Diff({ left, right, leftTitle, rightTitle, change }) {
  const host = useRef(/** @type {HTMLElement | null} */ (null));
  const latest = useRef(change);
  latest.current = change;
  useLayoutEffect(() => {
    if (!host.current) return undefined;
    const root = rootOf(host.current);
    const side = (/** @type {string} */ doc, /** @type {boolean} */ isReadOnly, /** @type {string} */ label) => ({
      doc,
      extensions: [
        ...JSON_LANGUAGE.all, ...basics(isReadOnly), EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
        EditorView.updateListener.of(update => update.docChanged && !isReadOnly && latest.current?.(update.state.doc.toString())),
      ],
    });
    const view = new MergeView({
      a: side(left, true, leftTitle), b: side(right, !change, rightTitle), root, parent: root,
      collapseUnchanged: { margin: MARGIN_LINES }, highlightChanges: true, gutter: true,
    });
    return () => view.destroy();
  }, [left]);
  return html`
    <div class="diff">
      <div class="diff-titles"><strong>${leftTitle}</strong><strong>${rightTitle}</strong></div>
      <div class="diff-sides" ref=${host} />
    </div>`;
}
