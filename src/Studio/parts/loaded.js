/** What a view shows while its data is not there: after a moment that it loads, or why it failed, with the way on. Old data stays while new data comes. */
import { useEffect, useState } from 'preact/hooks';
import { html } from '../core/html.js';
import { RequestError } from '../core/http.js';

/** Shorter waits are not shown: a flash of grey is worse than nothing. */
const QUIET_MS = 150;

/**
 * @template T
 * @param {{ resource: import('../core/resource.js').Resource<T>, what: string, children: (data: T) => any }} props
 */
export function Loaded({ resource, what, children }) {
  const { data, error, isLoading, reload } = resource;
  if (data === undefined) return error && !isLoading ? html`<${Failed} error=${error} what=${what} retry=${reload} />` : html`<${Waiting} what=${what} />`;
  return html`
    ${error && html`<${Failed} error=${error} what=${what} retry=${reload} isStale=${true} />`}
    ${children(data)}`;
}

/** @param {{ what: string }} props */
export function Waiting({ what }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isLate) return null;
  return html`
    <div class="waiting" role="status">
      <span class="bar" /><span class="bar" /><span class="bar" /><span class="unseen">Loading ${what}</span>
    </div>`;
}

/** @param {{ error: Error, what: string, retry?: () => void, isStale?: boolean }} props */
export function Failed({ error, what, retry, isStale = false }) {
  const isRefused = error instanceof RequestError && error.isRefused;
  return html`
    <div class="notice failed" role="alert">
      <strong>${isRefused ? `You may not see ${what}.` : isStale ? `What you see is old: loading ${what} failed.` : `Loading ${what} failed.`}</strong>
      <span>${error.message}</span>
      ${retry && html`<button type="button" onClick=${retry}>Try again</button>`}
    </div>`;
}

/** Nothing to show, and the next step. @param {{ title: string, children: any, isAlone?: boolean }} props isAlone: the page has no other heading. */
export const Empty = ({ title, children, isAlone = false }) =>
  html`<div class="empty">${isAlone ? html`<h1>${title}</h1>` : html`<h2>${title}</h2>`}${children}</div>`;
