/** What somebody may do, in words, and a form to choose it. */
import { useSignal } from '@preact/signals';
import { html } from '../../core/html.js';
import { get } from '../../core/http.js';
import { useResource } from '../../core/resource.js';

/** @typedef {'ClusterAdmin' | 'ClusterNode' | 'Operator' | 'ValidUser'} Clearance */
/** @typedef {'Read' | 'ReadWrite' | 'Admin'} Permission */
/** @typedef {{ SecurityClearance: Clearance, Permissions: Record<string, Permission> }} Rights */
/** @typedef {{ database: string, permission: Permission }} Line */
/** @typedef {{ clearance: import('@preact/signals').Signal<Clearance>, lines: import('@preact/signals').Signal<Line[]> }} Chosen */

/** @type {Record<Clearance, string>} */
const CLEARANCES = {
  ValidUser: 'the databases that are named',
  Operator: 'all databases, and the settings of the server',
  ClusterAdmin: 'everything, also certificates and links',
  ClusterNode: 'everything, as another server of the cluster',
};

/** @type {Record<Permission, string>} */
const PERMISSIONS = { Read: 'read', ReadWrite: 'read and write', Admin: 'read, write, and manage' };

/** The strongest stand first, so that a table never hides one behind weaker ones. */
const RANKS = Object.keys(PERMISSIONS);

/** Databases that are named in a table; the others are counted. */
const SHOWN_MAX = 3;

/** @param {{ of: Rights, isWhole?: boolean }} props isWhole: every database is named. */
export function Rights({ of, isWhole = false }) {
  const { SecurityClearance: clearance, Permissions: permissions } = of;
  if (clearance !== 'ValidUser') return html`<span>${CLEARANCES[clearance] ?? clearance}</span>`;
  const all = Object.entries(permissions).sort(([, one], [, other]) => RANKS.indexOf(other) - RANKS.indexOf(one));
  if (all.length === 0) return html`<span class="hint">no database</span>`;
  const shown = isWhole || all.length === SHOWN_MAX + 1 ? all : all.slice(0, SHOWN_MAX);
  const rest = all.slice(shown.length);
  return html`
    <ul class="rights">
      ${shown.map(([database, permission]) => html`<li key=${database}>${PERMISSIONS[permission]} <bdi title=${database}>${database}</bdi></li>`)}
      ${rest.length > 0 && html`<li class="hint" title=${rest.map(([database, permission]) => `${PERMISSIONS[permission]} ${database}`).join('\n')}>
        and ${rest.length} other databases</li>`}
    </ul>`;
}

/** All of them as one text, for a screen reader. @param {Rights} rights */
export function spoken({ SecurityClearance: clearance, Permissions: permissions }) {
  if (clearance !== 'ValidUser') return CLEARANCES[clearance] ?? clearance;
  return Object.entries(permissions).map(([database, permission]) => `${PERMISSIONS[permission]} ${database}`).join(', ') || 'no database';
}

/** What a person chooses in a form. @param {Rights} [given] @returns {Chosen} */
export function useRights(given) {
  const lines = Object.entries(given?.Permissions ?? {}).map(([database, permission]) => ({ database, permission }));
  return { clearance: useSignal(given?.SecurityClearance ?? 'ValidUser'), lines: useSignal(lines.length > 0 ? lines : [{ database: '', permission: 'Read' }]) };
}

/** Those that are named. @param {Chosen} chosen */
const named = chosen => chosen.lines.value.filter(line => line.database.trim());

/** Why they cannot be given; null when they can. @param {Chosen} chosen */
export function problemOf(chosen) {
  if (chosen.clearance.value !== 'ValidUser') return null;
  const names = named(chosen).map(line => line.database.trim().toLowerCase());
  if (names.length === 0) return 'Name a database.';
  return new Set(names).size < names.length ? 'Name each database once.' : null;
}

/** As a request sends them. @param {Chosen} chosen @returns {Rights} */
export const rightsOf = chosen => ({
  SecurityClearance: chosen.clearance.value,
  Permissions: chosen.clearance.value === 'ValidUser'
    ? Object.fromEntries(named(chosen).map(({ database, permission }) => [database.trim(), permission]))
    : {},
});

/** @param {{ chosen: Chosen }} props */
export function RightsForm({ chosen }) {
  const { clearance, lines } = chosen;
  const databases = useResource('names', signal => get('/databases?namesOnly=true', { signal }));
  const change = (/** @type {number} */ at, /** @type {Partial<Line>} */ changed) =>
    (lines.value = lines.value.map((line, place) => place === at ? { ...line, ...changed } : line));
  return html`
    <fieldset>
      <legend>May use</legend>
      ${(/** @type {Clearance[]} */ (['ValidUser', 'Operator', 'ClusterAdmin'])).map(one => html`
        <label key=${one} class="check"><input type="radio" name="clearance" checked=${clearance.value === one} onChange=${() => (clearance.value = one)} />
          ${CLEARANCES[one]}</label>`)}
    </fieldset>
    ${clearance.value === 'ValidUser' && html`
      <datalist id="databases">${(databases.data?.Databases ?? []).map((/** @type {string} */ name) => html`<option key=${name} value=${name} />`)}</datalist>
      ${lines.value.map((line, at) => html`
        <div key=${at} class="rights-line">
          <input list="databases" placeholder="Database" aria-label=${`Database ${at + 1}`} autocomplete="off" maxlength="128" value=${line.database}
            onInput=${(/** @type {any} */ event) => change(at, { database: event.target.value })} />
          <select aria-label=${`Permission ${at + 1}`} value=${line.permission}
            onChange=${(/** @type {any} */ event) => change(at, { permission: event.target.value })}>
            ${Object.entries(PERMISSIONS).map(([permission, words]) => html`<option key=${permission} value=${permission}>${words}</option>`)}</select>
          <button type="button" class="small quiet" aria-label=${`Leave out database ${at + 1}`} disabled=${lines.value.length === 1}
            onClick=${() => (lines.value = lines.value.filter((_, place) => place !== at))}>✕</button>
        </div>`)}
      <button type="button" class="small one-more" onClick=${() => (lines.value = [...lines.value, { database: '', permission: 'Read' }])}>
        Another database</button>`}`;
}
