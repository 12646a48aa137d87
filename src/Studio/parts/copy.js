/** Copies a text and says so. */
import { useState } from 'preact/hooks';
import { html } from '../core/html.js';

const SAID_MS = 1500;

/** @param {string} text */
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);

  // Pages without https have no clipboard.
  const area = document.createElement('textarea');
  area.value = text;
  (document.querySelector('dialog[open]') ?? document.body).append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
  return undefined;
}

/** @param {{ text: string, label?: string }} props */
export function CopyButton({ text, label = 'Copy' }) {
  const [isDone, setDone] = useState(false);
  const click = async () => {
    await copy(text);
    setDone(true);
    setTimeout(() => setDone(false), SAID_MS);
  };
  return html`<button type="button" class="small" onClick=${click}><span aria-live="polite">${isDone ? 'Copied' : label}</span></button>`;
}
