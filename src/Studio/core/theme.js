/** Light or dark. */
import { effect, signal } from '@preact/signals';
import { keep, recall } from './kept.js';

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
