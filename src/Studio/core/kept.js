/** What the browser of a person keeps between visits. A browser that keeps nothing is no error. */
import { effect, signal } from '@preact/signals';

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

/** The colours: those of the system unless the person chose. @type {import('@preact/signals').Signal<'light' | 'dark' | null>} */
export const theme = signal(['light', 'dark'].includes(recall('theme')) ? recall('theme') : null);

effect(() => {
  if (theme.value) document.documentElement.dataset.theme = theme.value;
  else delete document.documentElement.dataset.theme;
});

/** Switches to the other colours than those that are shown. */
export function switchTheme() {
  const shown = theme.value ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  theme.value = shown === 'dark' ? 'light' : 'dark';
  keep('theme', theme.value);
}
