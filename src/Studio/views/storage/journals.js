/** The journal files of a database: each once, with the storages that name it. */
import { useSignal } from '@preact/signals';
import { count, counted, size } from '../../core/format.js';
import { html } from '../../core/html.js';
import { exact } from './bytes.js';
import { namersOf, numbersOf } from './report.js';

/** @typedef {import('./report.js').Journal} Journal */

/** @param {{ journals: Journal[] }} props */
export const Journals = ({ journals }) => html`
  <section class="journals" aria-labelledby="journals">
    <h2 id="journals" tabindex="-1">${counted(journals.length, 'journal')}</h2>
    <p class="hint">A journal has what was written and may not be in the data files yet. Indexes write into the journals of the documents: each storage has a
      name of its own for the same file (a link), under a number of its own. The file takes its space once, and goes when no storage needs it any more.</p>
    <table class="list">
      <thead><tr><th scope="col">Number</th><th scope="col" class="number">On disk</th><th scope="col" class="number">Length</th>
        <th scope="col">Named by</th></tr></thead>
      <tbody>${journals.map(journal => html`<${Line} key=${keyOf(journal)} journal=${journal} />`)}</tbody>
    </table>
  </section>`;

/** @param {Journal} journal */
const keyOf = ({ Names: [{ Storage, Name }] }) => JSON.stringify([Storage, Name]);

/** @param {{ journal: Journal }} props */
function Line({ journal }) {
  const isOpen = useSignal(false);
  const namers = namersOf(journal);
  const outside = journal.Links - journal.Names.length;
  return html`
    <tr class=${isOpen.value ? 'open' : ''}>
      <td class="number-of" title=${numbersOf(journal).map(count).join(', ')}>${numbersIn(journal)}</td>
      <td class="number" ...${exact(journal.Bytes)}>${size(journal.Bytes)}</td>
      <td class="number" ...${exact(journal.Length)}>${size(journal.Length)}</td>
      <td><button type="button" class="link" aria-expanded=${isOpen.value} onClick=${() => (isOpen.value = !isOpen.value)}>
        ${isOpen.value ? '▾' : '▸'}${'\u00a0'}${namers.length === 1 ? html`<bdi>${namers[0]}</bdi> alone` : `${count(namers.length)} storages, stored once`}
        </button>${outside > 0 && html`<span class="outside"> and by ${counted(outside, 'link')} outside this database</span>`}</td>
    </tr>
    ${isOpen.value && html`<tr class="index-details"><td colspan="4"><ul class="namers">${sorted(journal.Names).map(name => html`
      <li key=${name.Storage + name.Name} title=${`${name.Storage}: ${name.Name}`}><bdi>${name.Storage}</bdi>
        <span class="hint">${name.Number === undefined ? name.Name : ` as number ${count(name.Number)}`}</span></li>`)}</ul></td></tr>`}`;
}

/** @param {import('./report.js').JournalName[]} names */
const sorted = names => names.toSorted((left, right) => left.Storage.localeCompare(right.Storage, undefined, { numeric: true }));

/** The number, or the lowest and the highest. @param {Journal} journal */
function numbersIn(journal) {
  const numbers = numbersOf(journal);
  if (numbers.length === 0) return journal.Names[0].Name;
  return numbers.length === 1 ? count(numbers[0]) : `${count(numbers[0])} to ${count(numbers[numbers.length - 1])}`;
}
