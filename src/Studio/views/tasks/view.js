/** What the server does by itself and on request in a database, and the settings that it does it with. */
import { html } from '../../core/html.js';
import { adjust } from '../../core/router.js';
import { Tabs } from '../../parts/tabs.js';
import { Revisions } from './revisions.js';
import { Schedules } from './schedules.js';
import { Settings } from './settings.js';
import { Work } from './work.js';

/** @param {{ parts: string[], query: URLSearchParams }} props */
export function View({ parts, query }) {
  const [, database] = parts;
  const tabs = [
    { id: 'work', title: 'Operations and queries', content: () => html`<${Work} database=${database} />` },
    { id: 'schedules', title: 'Expiration, refresh, archiving', content: () => html`<${Schedules} database=${database} />` },
    { id: 'revisions', title: 'Revisions', content: () => html`<${Revisions} database=${database} />` },
    { id: 'settings', title: 'Settings', content: () => html`<${Settings} database=${database} />` },
  ];
  return html`
    <div class="head"><h1>Tasks and settings</h1></div>
    <${Tabs} tabs=${tabs} shown=${query.get('tab') ?? 'work'} show=${(/** @type {string} */ tab) => adjust({ tab: tab === 'work' ? undefined : tab })}
      label="Tasks and settings" />`;
}
