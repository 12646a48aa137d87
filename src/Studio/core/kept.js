/** What the browser of a person keeps between visits. A browser that keeps nothing is no error. */

const PREFIX = 'jackdaw.';

/** @param {string} name */
export function recall(name) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name) ?? 'null');
  } catch {
    return null;
  }
}

/** @param {string} name @param {unknown} value null forgets it. */
export function keep(name, value) {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // A private window, or a full store: the choice lasts as long as the page.
  }
}
