/** What a definition makes of some documents, without being stored. */
import { useSignal } from '@preact/signals';
import { count, counted } from '../../core/format.js';
import { html } from '../../core/html.js';
import { addressOf } from '../../core/router.js';
import { Tabs } from '../../parts/tabs.js';

/**
 * @typedef {{ Documents: number, IsCut: boolean, HasReduce: boolean, Sources: string[], Entries: { Document: string, Fields: object }[],
 *   Groups: { Rows: number, Fields: object }[], Failures: { Document: string | null, Action: string, Error: string }[] }} Trial
 */

/** Rows that are shown; the others are like them. */
const SHOWN_MAX = 100;

/** @param {{ database: string, trial: Trial }} props */
export function TrialResults({ database, trial }) {
  const shown = useSignal('');
  const tabs = [
    ...(trial.HasReduce ? [{ id: 'groups', title: `Groups ${count(trial.Groups.length)}`, content: () => html`<${Rows} rows=${trial.Groups}
      head=${(/** @type {any} */ group) =>
      html`<span class="hint">of ${counted(group.Rows, 'row')}</span>`} />` }] : []),
    { id: 'entries', title: `${trial.HasReduce ? 'Mapped rows' : 'Entries'} ${count(trial.Entries.length)}`, content: () => html`<${Rows} rows=${trial.Entries}
      head=${(/** @type {any} */ entry) => html`<a href=${addressOf(['db', database, 'doc'], { id: entry.Document })}><bdi>${entry.Document}</bdi></a>`} />` },
    ...(trial.Failures.length > 0 ? [{ id: 'failures', title: `Failures ${count(trial.Failures.length)}`, content: () => html`
      <ul class="things">${trial.Failures.slice(0, SHOWN_MAX).map((one, at) => html`<li key=${at}>
        ${one.Document && html`<a href=${addressOf(['db', database, 'doc'], { id: one.Document })}><bdi>${one.Document}</bdi></a>`}<span class="long">
          ${one.Error}</span></li>`)}</ul>` }] : []),
  ];
  return html`
    <p class="hint"
      role="status">From ${counted(trial.Documents, 'document')} of ${trial.Sources.join(', ')}${trial.IsCut && ', cut off'}. Nothing is stored.</p>
    <${Tabs} label="What the definition makes" tabs=${tabs} shown=${shown.value} show=${(/** @type {string} */ id) => (shown.value = id)} />`;
}

/** @param {{ rows: { Fields: object }[], head: (row: any) => any }} props */
const Rows = ({ rows, head }) => rows.length === 0
  ? html`<p class="hint">Nothing: no document that was looked at gives a row.</p>`
  : html`<ul class="things">${rows.slice(0, SHOWN_MAX).map((row, at) => html`<li key=${at}>${head(row)}<pre>${JSON.stringify(row.Fields, null, 1)}</pre></li>`)}
    ${rows.length > SHOWN_MAX && html`<li>and ${counted(rows.length - SHOWN_MAX, 'other')}</li>`}</ul>`;
