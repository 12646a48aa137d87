/** How moments of certificates, links and sessions are shown. */
import { shortTime } from '../../core/format.js';
import { html } from '../../core/html.js';

export const DAY_MS = 86_400_000;

/** Before this, somebody should think of a new one. */
export const SOON_DAYS = 30;

/** The end of a certificate, with a warning when it is near. @param {{ at: string, soonDays?: number }} props */
export function End({ at, soonDays = SOON_DAYS }) {
  const left = new Date(at).getTime() - Date.now();
  const days = Math.floor(left / DAY_MS);
  const words = left < 0 ? 'it is over' : days < 1 ? 'less than a day' : days === 1 ? '1 day left' : `${days} days left`;
  return html`<span class="time">${shortTime(at)}</span>
    ${left < soonDays * DAY_MS && html`<div class=${left < 0 ? 'over' : 'soon'}>${words}</div>`}`;
}

/** @param {{ at: string | undefined, never: string }} props */
export const Moment = ({ at, never }) => at ? html`<span class="time">${shortTime(at)}</span>` : html`<span class="hint">${never}</span>`;
