/** Which documents keep their earlier versions, and how many. */
import { useSignal } from '@preact/signals';
import { html } from '../../core/html.js';
import { inDatabase, send } from '../../core/http.js';
import { go } from '../../core/router.js';
import { Problem, useAction } from '../../parts/action.js';
import { RequestBehind } from '../../parts/behind.js';
import { ConfirmDelete } from '../../parts/confirm.js';
import { flagInto, submitting, textInto } from '../../parts/input.js';
import { Loaded } from '../../parts/loaded.js';
import { numberOrNull, useConfiguration } from './schedules.js';

/**
 * @typedef {{ Disabled?: boolean, MinimumRevisionsToKeep?: number | null, MinimumRevisionAgeToKeep?: string | null, PurgeOnDelete?: boolean }} Rule
 * @typedef {{ Default?: Rule | null, Collections?: Record<string, Rule> | null }} Configuration
 */

/** @param {{ database: string }} props */
export function Revisions({ database }) {
  const path = inDatabase(database, '/revisions/config');
  const stored = useConfiguration(database, 'Revisions');
  const isEnforcing = useSignal(false);
  return html`
    <div class="head"><p class="hint">A write keeps the version before it. Each collection may have a rule of its own; the default is for all others.</p>
      <span class="space" /><${RequestBehind} asked=${{ method: 'GET', path }} />
      <button type="button" onClick=${() => (isEnforcing.value = true)}>Enforce now…</button></div>
    <${Loaded} resource=${stored} what="the configuration of revisions">
      ${(/** @type {Configuration} */ configuration) => html`<${Rules} database=${database} configuration=${configuration} changed=${stored.reload} />`}
    </${Loaded}>
    ${isEnforcing.value && html`<${ConfirmDelete} title="Enforce the rules" word="Delete revisions" close=${() => (isEnforcing.value = false)}
      act=${() => enforce(database)}>
      <p>This looks at all documents and deletes every revision that the rules do not keep. Where a collection has no rule, all its revisions go.</p>
    </${ConfirmDelete}>`}`;
}

/** Its progress stands among the operations. @param {string} database */
async function enforce(database) {
  await send({ method: 'POST', path: inDatabase(database, '/admin/revisions/config/enforce'), body: { IncludeForceCreated: false } });
  go(['db', database, 'tasks']);
}

/** @param {{ database: string, configuration: Configuration, changed: () => void }} props */
function Rules({ database, configuration, changed }) {
  const name = useSignal('');
  const collections = configuration.Collections ?? {};
  const save = async (/** @type {Configuration} */ part) => {
    const body = { Default: configuration.Default ?? null, Collections: collections, ...part };
    await send({ method: 'POST', path: inDatabase(database, '/admin/revisions/config'), body });
    changed();
  };
  const change = (/** @type {string} */ collection, /** @type {Rule | null} */ rule) => save({
    Collections: Object.fromEntries([...Object.entries(collections).filter(([one]) => one !== collection), ...rule ? [[collection, rule]] : []]),
  });
  const add = useAction(async () => {
    const collection = name.value.trim();
    if (collection === '' || collections[collection]) return;
    await change(collection, { Disabled: false });
    name.value = '';
  });
  return html`
    <div class="cards">
      <${RuleForm} key="default of all" title="Default" rule=${configuration.Default ?? { Disabled: true }}
        save=${(/** @type {Rule} */ rule) => save({ Default: rule })} />
      ${Object.entries(collections).sort().map(([collection, rule]) => html`<${RuleForm} key=${`of ${collection}`} title=${collection} rule=${rule}
        save=${(/** @type {Rule} */ changedRule) => change(collection, changedRule)} remove=${() => change(collection, null)} />`)}
    </div>
    <form class="line-form" onSubmit=${submitting(add.run)}>
      <input placeholder="Orders" aria-label="Collection for a rule of its own" value=${name.value} onInput=${textInto(name)} />
      <button disabled=${add.isRunning}>Add a rule</button>
    </form>
    <${Problem} error=${add.error} />`;
}

/** @param {{ title: string, rule: Rule, save: (rule: Rule) => Promise<void>, remove?: () => Promise<void> }} props */
function RuleForm({ title, rule, save, remove }) {
  const isOn = useSignal(rule.Disabled !== true);
  const most = useSignal(String(rule.MinimumRevisionsToKeep ?? ''));
  const age = useSignal(rule.MinimumRevisionAgeToKeep ?? '');
  const purges = useSignal(rule.PurgeOnDelete === true);
  const saved = useSignal(false);
  const submit = useAction(async () => {
    await save({
      ...rule, Disabled: !isOn.value, MinimumRevisionsToKeep: numberOrNull(most.value), MinimumRevisionAgeToKeep: age.value.trim() || null,
      PurgeOnDelete: purges.value,
    });
    saved.value = true;
  });
  const leave = useAction(async () => remove?.());
  const isRunning = submit.isRunning || leave.isRunning;
  return html`
    <section class="card" aria-label=${`Rule of ${title}`}>
      <div class="head"><h2 class="long"><bdi>${title}</bdi></h2><span class="space" />
        ${remove && html`<button type="button" class="small" disabled=${isRunning} aria-label=${`Remove the rule of ${title}`}
          onClick=${leave.run}>Remove</button>`}</div>
      <form onSubmit=${submitting(submit.run)} onInput=${() => (saved.value = false)}>
        <label class="check"><input type="checkbox" checked=${isOn.value} onChange=${flagInto(isOn)} />Keep revisions</label>
        <label>The most revisions of a document<input type="number" min="0" placeholder="no limit" value=${most.value} disabled=${!isOn.value}
          onInput=${textInto(most)} /></label>
        <label>Keep them for, as days.hours:minutes:seconds<input placeholder="for ever" value=${age.value} disabled=${!isOn.value}
          onInput=${textInto(age)} /></label>
        <label class="check"><input type="checkbox" checked=${purges.value} disabled=${!isOn.value} onChange=${flagInto(purges)} />Delete them
          with the document</label>
        <${Problem} error=${submit.error ?? leave.error} />
        <footer><button class="primary" disabled=${isRunning}>Save</button>
          ${saved.value && !isRunning && html`<span class="hint" role="status">Saved and in force.</span>`}</footer>
      </form>
    </section>`;
}
