/** What stands around every view: where the person is, where to go, and who the server thinks it is. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { html } from '../core/html.js';
import { get } from '../core/http.js';
import { feed } from '../core/live.js';
import { useResource } from '../core/resource.js';
import { addressOf, go, place } from '../core/router.js';
import { switchTheme } from '../core/theme.js';
import { submitting } from './input.js';

/** @typedef {{ id: string, title: string }} Link */

/** @param {{ links: Link[], linksOfServer: Link[], children: any }} props links: the views of a database. */
export function Frame({ links, linksOfServer, children }) {
  const { parts } = place.value;
  const database = parts[0] === 'db' ? parts[1] : undefined;
  return html`
    <a class="skip" href="#main" onClick=${skip}>Skip to the content</a>
    <header class="top">
      <a class="home" href=${addressOf([])}><${Mark} />Jackdaw</a>
      ${database && html`<span class="crumb" aria-hidden="true">/</span>
        <a class="database" href=${addressOf(['db', database, 'docs'])} title=${database}>${database}</a>`}
      <span class="space" />
      ${database && html`<${GoToDocument} database=${database} />`}
      <${FeedLight} />
      <nav class="server-links" aria-label="Views of the server">
        ${linksOfServer.map(({ id, title }) => html`<a key=${id} href=${addressOf([id])} aria-current=${parts[0] === id ? 'page' : undefined}>${title}</a>`)}
      </nav>
      <${Person} />
      <button type="button" class="quiet" onClick=${switchTheme} title="Light or dark">◐<span class="unseen">Switch between light and dark</span></button>
    </header>
    ${database && html`<nav class="side" aria-label="Views of the database">
      ${links.map(({ id, title }) => html`
        <a key=${id} href=${addressOf(['db', database, id])} aria-current=${parts[2] === id ? 'page' : undefined}>${title}</a>`)}
    </nav>`}
    <main id="main" tabindex="-1">${children}</main>`;
}

/** The address names the view, so that the link must not change it. @param {Event} event */
function skip(event) {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

const Mark = () => html`
  <svg width="22" height="22" viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="7" />
    <path d="M25 11.5 20.6 10A6.3 6.3 0 0 0 8.5 12c0 1.4-.4 2.6-1.2 3.8L4 25l6.5-2.2c4.9.7 10.8-1.4 11.4-8.3z" />
  </svg>`;

/** The key / leads here from everywhere. @param {{ database: string }} props */
function GoToDocument({ database }) {
  const box = useRef(/** @type {HTMLInputElement | null} */ (null));
  useEffect(() => {
    const press = (/** @type {KeyboardEvent} */ event) => {
      const at = /** @type {HTMLElement | null} */ (event.target);
      const isTyping = at?.closest('input, textarea, select, [contenteditable], .editor') ?? document.querySelector('dialog[open]');
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      box.current?.focus();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  const submit = submitting(() => {
    const id = box.current?.value.trim();
    if (id) go(['db', database, 'doc'], { id });
  });
  return html`<form role="search" onSubmit=${submit}>
    <input ref=${box} class="goto" placeholder="Go to document  /" aria-label="Go to the document with this id" />
  </form>`;
}

const FEED_TEXTS = { off: '', connecting: 'connecting', live: 'live', lost: 'no live figures' };

const FeedLight = () => feed.value === 'off' ? null : html`<span class=${`light ${feed.value}`} role="status">${FEED_TEXTS[feed.value]}</span>`;

function Person() {
  const { data } = useResource('whoami', signal => get('/certificates/whoami', { signal }));
  const [isOpen, setOpen] = useState(false);
  if (!data) return null;
  const name = data.Name ?? 'everybody';
  return html`
    <span class="person">
      <button type="button" class="quiet" aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}>${data.GranterName ?? name}</button>
      ${isOpen && html`<div class="menu">
        <p>The server sees you as <strong>${name}</strong>${data.SecurityClearance ? `, ${data.SecurityClearance}` : ''}.</p>
        ${data.Expires && html`<p>Until ${new Date(data.Expires).toLocaleString()}.</p>`}
        <p><a href=${addressOf(['access'])} onClick=${() => setOpen(false)}>Who gets in</a></p>
        ${location.protocol === 'https:' && html`<p><a href="/login">Log in or out</a></p>`}
      </div>`}
    </span>`;
}
