/** Which documents keep their earlier versions, and how many. */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { html } from '../../core/html.js';
import { get, inDatabase, send } from '../../core/http.js';
import { go } from '../../core/router.js';
import { Problem, useAction } from '../../parts/action.js';
import { RequestBehind } from '../../parts/behind.js';
import { ConfirmDelete } from '../../parts/confirm.js';
import { flagInto, submitting, textInto } from '../../parts/input.js';
import { Loaded } from '../../parts/loaded.js';
import { useStoredForm } from './form.js';
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
  const others = othersOf(stored.data);
  return html`
    <div class="head"><p class="hint">A write keeps the version before it. Each collection may have a rule of its own; the default is for all others.</p>
      <span class="space" /><${RequestBehind} asked=${{ method: 'GET', path }} />
      <button type="button" disabled=${!stored.data} onClick=${() => (isEnforcing.value = true)}>Enforce now…</button></div>
    <${Loaded} resource=${stored} what="the configuration of revisions">
      ${(/** @type {Configuration} */ configuration) => html`<${Rules} database=${database} configuration=${configuration} changed=${stored.reload} />`}
    </${Loaded}>
    ${isEnforcing.value && html`<${ConfirmDelete} title="Enforce the rules" word="Delete revisions" close=${() => (isEnforcing.value = false)}
      act=${() => enforce(database)}>
      <p>This looks at all documents of <strong><bdi>${database}</bdi></strong> and deletes every revision that their rule does not keep. Rules that are off
        delete nothing. ${others}</p>
    </${ConfirmDelete}>`}`;
}

/** What happens to collections without a rule of their own. @param {Configuration | undefined} configuration */
function othersOf(configuration) {
  if (!configuration?.Default) return 'There is no default, so collections without a rule of their own lose all their revisions.';
  return configuration.Default.Disabled ? 'The default is off, so collections without a rule of their own keep what they have.'
    : 'Collections without a rule of their own follow the default.';
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
  const last = useRef(Promise.resolve());
  // The server replaces all rules, and somebody else may have changed others: one change after the other, each on what is stored then.
  const save = (/** @type {(now: Configuration) => Configuration} */ changeOf) => {
    last.current = last.current.catch(() => {}).then(async () => {
      const now = (await get(inDatabase(database, '/admin/record'))).Revisions ?? {};
      const body = { Default: now.Default ?? null, Collections: now.Collections ?? {}, ...changeOf(now) };
      await send({ method: 'POST', path: inDatabase(database, '/admin/revisions/config'), body });
      changed();
    });
    return last.current;
  };
  const change = (/** @type {string} */ collection, /** @type {Rule | null} */ rule) => save(({ Collections: now }) => ({
    Collections: Object.fromEntries([...Object.entries(now ?? {}).filter(([one]) => one !== collection), ...rule ? [[collection, rule]] : []]),
  }));
  const add = useAction(async () => {
    const collection = name.value.trim();
    if (collection === '' || collections[collection]) return;
    await change(collection, { Disabled: false });
    name.value = '';
  });
  return html`
    <div class="cards">
      <${RuleForm} key="default of all" title="Default" database=${database} rule=${configuration.Default ?? { Disabled: true }}
        hint=${configuration.Default ? '' : 'There is no default yet: other collections keep no revisions.'}
        save=${(/** @type {Rule} */ rule) => save(() => ({ Default: rule }))}
        remove=${configuration.Default ? () => save(() => ({ Default: null })) : undefined} />
      ${Object.entries(collections).sort().map(([collection, rule]) => html`<${RuleForm} key=${`of ${collection}`} title=${collection}
        database=${database} rule=${rule}
        save=${(/** @type {Rule} */ changedRule) => change(collection, changedRule)} remove=${() => change(collection, null)} />`)}
    </div>
    <form class="line-form" onSubmit=${submitting(add.run)}>
      <input placeholder="Orders" aria-label="Collection for a rule of its own" value=${name.value} onInput=${textInto(name)} />
      <button disabled=${add.isRunning}>Add a rule</button>
    </form>
    <${Problem} error=${add.error} />`;
}

/**
 * @param {{ title: string, database: string, rule: Rule, hint?: string, save: (rule: Rule) => Promise<void>, remove?: () => Promise<void> }} props
 */
function RuleForm({ title, database, rule, hint, save, remove }) {
  const isOn = useSignal(false);
  const most = useSignal('');
  const age = useSignal('');
  const purges = useSignal(false);
  const isRemoving = useSignal(false);
  const take = () => {
    isOn.value = rule.Disabled !== true;
    most.value = String(rule.MinimumRevisionsToKeep ?? '');
    age.value = rule.MinimumRevisionAgeToKeep ?? '';
    purges.value = rule.PurgeOnDelete === true;
  };
  const form = useStoredForm(rule, take, () => save({
    ...rule, Disabled: !isOn.value, MinimumRevisionsToKeep: numberOrNull(most.value), MinimumRevisionAgeToKeep: age.value.trim() || null,
    PurgeOnDelete: purges.value,
  }));
  return html`
    <section class="card" aria-label=${`Rule of ${title}`}>
      <div class="head"><h2 class="long"><bdi>${title}</bdi></h2><span class="space" />
        ${remove && html`<button type="button" class="small" disabled=${form.isRunning} aria-label=${`Remove the rule of ${title}`}
          onClick=${() => (isRemoving.value = true)}>Remove…</button>`}</div>
      ${hint && html`<p class="hint">${hint}</p>`}
      <form onSubmit=${submitting(form.run)} onInput=${form.typed}>
        <label class="check"><input type="checkbox" checked=${isOn.value} onChange=${flagInto(isOn)} />Keep revisions</label>
        <label>The most revisions of a document<input type="number" min="0" placeholder="no limit" value=${most.value} disabled=${!isOn.value}
          onInput=${textInto(most)} /></label>
        <label>Keep them for, as days.hours:minutes:seconds<input placeholder="for ever" value=${age.value} disabled=${!isOn.value}
          onInput=${textInto(age)} /></label>
        <label class="check"><input type="checkbox" checked=${purges.value} disabled=${!isOn.value} onChange=${flagInto(purges)} />Delete them
          with the document</label>
        <${Problem} error=${form.error} />
        <footer><button class="primary" disabled=${form.isRunning}>Save</button>
          ${form.isSaved && html`<span class="hint" role="status">Saved and in force.</span>`}</footer>
      </form>
      ${isRemoving.value && remove && html`<${ConfirmDelete} title="Remove the rule" word="Remove" act=${remove} close=${() => (isRemoving.value = false)}>
        <p>This removes the rule of <strong class="long"><bdi>${title}</bdi></strong> in <strong><bdi>${database}</bdi></strong>. Revisions stay until somebody
          enforces the rules.</p></${ConfirmDelete}>`}
    </section>`;
}
