/** Who gets in: certificates, login links, sessions of browsers, and the record of what they did. */
import { html } from '../../core/html.js';
import { get, RequestError } from '../../core/http.js';
import { useResource } from '../../core/resource.js';
import { go } from '../../core/router.js';
import { Loaded } from '../../parts/loaded.js';
import { Stranger } from '../../parts/stranger.js';
import { Tabs } from '../../parts/tabs.js';
import { Audit } from './audit.js';
import { Certificates } from './certificates.js';
import { Links } from './links.js';
import { Sessions } from './sessions.js';
import { OpenServer, Who } from './who.js';

/** @param {{ parts: string[], query: URLSearchParams }} props */
export function View({ parts, query }) {
  const who = useResource('whoami', signal => get('/certificates/whoami', { signal }));
  if (!who.data && who.error instanceof RequestError && who.error.isRefused) return html`<${Stranger} error=${who.error} retry=${who.reload} />`;
  return html`
    <div class="head"><h1>Access</h1></div>
    <${Loaded} resource=${who} what="who you are">
      ${(/** @type {import('./who.js').Self} */ self) => html`<${Parts} self=${self} shown=${parts[1] ?? ''} query=${query} again=${who.reload} />`}
    </${Loaded}>`;
}

/** @param {{ self: import('./who.js').Self, shown: string, query: URLSearchParams, again: () => void }} props again: asks who the person is. */
function Parts({ self, shown, query, again }) {
  const isOpen = self.Via === 'OpenServer';
  const closed = (/** @type {() => any} */ content) => isOpen ? () => html`<${OpenServer} />` : content;
  const tabs = [
    { id: 'certificates', title: 'Certificates', content: closed(() => html`<${Certificates} self=${self} again=${again} />`) },
    { id: 'links', title: 'Login links', content: closed(() => html`<${Links} />`) },
    { id: 'sessions', title: 'Sessions', content: closed(() => html`<${Sessions} self=${self} again=${again} />`) },
    { id: 'audit', title: 'Audit', content: () => html`<${Audit} query=${query} />` },
  ];
  return html`
    ${!isOpen && html`<${Who} self=${self} />`}
    <div class="access"><${Tabs} tabs=${tabs} shown=${shown} show=${(/** @type {string} */ id) => go(['access', id])} label="Parts of the access" /></div>`;
}
