/** Somebody else changed the document that this person edits: both versions side by side, and the choice. */
import { html } from '../../core/html.js';
import { Problem, useAction } from '../../parts/action.js';
import { Compare } from '../../parts/compare.js';
import { Dialog } from '../../parts/dialog.js';

/** @typedef {import('./stored.js').Stored} Stored */

/**
 * @param {{ theirs: Stored | null, mine: string, change: (text: string) => void, save: () => Promise<void>, take: (theirs: Stored) => void,
 *   close: () => void }} props
 * theirs: null when the document was deleted.
 */
export function Conflict({ theirs, mine, change, save, take, close }) {
  const { run, isRunning, error } = useAction(save);
  return html`
    <${Dialog} title=${theirs ? 'Somebody else changed this document' : 'Somebody else deleted this document'} close=${close} isWide=${true}>
      ${theirs
        ? html`<p>Your text is on the right and can be edited here; on the left is what is stored now.</p>
          <${Compare} left=${theirs.body} right=${mine} leftTitle="Stored now" rightTitle="Yours" change=${change} />`
        : html`<p>You can store your text as a new document, or close this and leave it.</p>`}
      <${Problem} error=${error} />
      <footer>
        <button type="button" onClick=${close}>Go on editing</button>
        ${theirs && html`<button type="button" onClick=${() => take(theirs)}>Take what is stored</button>`}
        <button type="button" class="primary" disabled=${isRunning} onClick=${run}>${theirs ? 'Replace it with yours' : 'Store it again'}</button>
      </footer>
    </${Dialog}>`;
}
