/** The address of a view is the part of the URL behind the #: it survives reload, and can be sent to somebody. */
import { signal } from '@preact/signals';

/** @typedef {{ parts: string[], query: URLSearchParams }} Place */

/** @returns {Place} */
function read() {
  const address = location.hash.replace(/^#\/?/, '');
  const mark = address.indexOf('?');
  const [path, query] = mark < 0 ? [address, ''] : [address.slice(0, mark), address.slice(mark + 1)];
  return { parts: path.split('/').filter(part => part).map(decode), query: new URLSearchParams(query) };
}

/** A hand-written address may hold a % that encodes nothing. @param {string} part */
function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Where the person is. */
export const place = signal(read());

/** What the person would lose by going away; null when nothing. @type {string | null} */
let unsaved = null;

let shown = location.hash;

/** @param {string | null} what Said to a person who goes away; null when nothing would be lost. */
export const holdUnsaved = what => void (unsaved = what);

addEventListener('beforeunload', event => unsaved !== null && event.preventDefault());

addEventListener('hashchange', () => {
  if (location.hash === shown) return;
  if (unsaved !== null && !confirm(`${unsaved} Leave without saving?`)) {
    history.replaceState(null, '', shown);
    return;
  }

  unsaved = null;
  shown = location.hash;
  place.value = read();
});

/**
 * The address of a view.
 * @param {string[]} parts
 * @param {Record<string, string | number | undefined>} [query] What is undefined or empty is left out.
 */
export function addressOf(parts, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '').map(([name, value]) => [name, String(value)]);
  const search = new URLSearchParams(given).toString();
  return `#/${parts.map(encodeURIComponent).join('/')}${search ? `?${search}` : ''}`;
}

/** @param {string[]} parts @param {Record<string, string | number | undefined>} [query] */
export const go = (parts, query) => (location.hash = addressOf(parts, query));

/** Changes the query of the current view without a step in the history. @param {Record<string, string | number | undefined>} changed */
export function adjust(changed) {
  const query = { ...Object.fromEntries(place.value.query), ...changed };
  history.replaceState(null, '', addressOf(place.value.parts, query));
  shown = location.hash;
  place.value = read();
}
