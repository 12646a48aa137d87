/** The counters of a document. */
import { useSignal } from '@preact/signals';
import { html } from '../../core/html.js';
import { inDatabase, readText, send } from '../../core/http.js';
import { useResource } from '../../core/resource.js';
import { Problem, useAction } from '../../parts/action.js';
import { submitting, textInto } from '../../parts/input.js';
import { Loaded } from '../../parts/loaded.js';

/** @param {string} database */
const pathOf = database => inDatabase(database, '/counters');

/** The answer, with values as texts: they have 64 bits. @param {string} text @returns {{ CounterName: string, TotalValue: string }[]} */
const read = text => JSON.parse(text.replace(/"TotalValue":(-?\d+)/g, '"TotalValue":"$1"')).Counters.filter(Boolean);

/** @param {{ database: string, id: string, changed: () => void }} props */
export function Counters({ database, id, changed }) {
  const name = useSignal('');
  const list = useResource(`${database}/${id}/counters`, async signal =>
    read(await readText({ method: 'GET', path: `${pathOf(database)}?docId=${encodeURIComponent(id)}` }, { signal })));
  const change = async (/** @type {object} */ operation) => {
    await send({ method: 'POST', path: pathOf(database), body: { Documents: [{ DocumentId: id, Operations: [operation] }] } });
    list.reload();
    changed();
  };
  const { run, isRunning, error } = useAction(async () => {
    await change({ Type: 'Increment', CounterName: name.value.trim(), Delta: 0 });
    name.value = '';
  });
  return html`
    <${Loaded} resource=${list} what="the counters">
      ${(/** @type {{ CounterName: string, TotalValue: string }[]} */ counters) => html`
        ${counters.length === 0 && html`<p class="hint">This document has no counters.</p>`}
        <ul class="things">${counters.map(one => html`<${Counter} key=${one.CounterName} counter=${one} change=${change} />`)}</ul>`}
    </${Loaded}>
    <form class="line-form" onSubmit=${submitting(run)}>
      <input value=${name.value} onInput=${textInto(name)} placeholder="Name of a new counter" aria-label="Name of a new counter" />
      <button disabled=${isRunning || !name.value.trim()}>Add</button>
    </form>
    <${Problem} error=${error} />`;
}

/** @param {{ counter: { CounterName: string, TotalValue: string }, change: (operation: object) => Promise<void> }} props */
function Counter({ counter, change }) {
  const name = counter.CounterName;
  const step = useSignal('1');
  const add = useAction(() => change({ Type: 'Increment', CounterName: name, Delta: Number(step.value) }));
  const remove = useAction(() => change({ Type: 'Delete', CounterName: name }));
  return html`
    <li>
      <bdi class="long">${name}</bdi><strong class="number">${counter.TotalValue}</strong>
      <span class="space" />
      <input class="step" type="number" step="1" value=${step.value} onInput=${textInto(step)} aria-label=${`Add to ${name}`} />
      <button type="button" class="small" disabled=${add.isRunning || !Number.isSafeInteger(Number(step.value))} onClick=${add.run}>Add</button>
      <button type="button" class="small danger" disabled=${remove.isRunning} onClick=${remove.run} aria-label=${`Delete ${name}`}>Delete</button>
      <${Problem} error=${add.error ?? remove.error} />
    </li>`;
}
