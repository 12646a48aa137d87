/** A dialog over the page. Escape closes it, focus stays inside and returns to where it was: the browser does all that. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { html } from '../core/html.js';

/** @param {{ title: string, close: () => void, children: any, isWide?: boolean }} props */
export function Dialog({ title, close, children, isWide = false }) {
  const isOpen = useRef(true);
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useLayoutEffect(() => {
    const shown = dialog.current;
    if (!shown) return undefined;
    shown.showModal();
    return () => {
      isOpen.current = false;
      shown.close();
    };
  }, []);
  return html`
    <dialog ref=${dialog} class=${isWide ? 'wide' : ''} aria-label=${title} onCancel=${(/** @type {Event} */ event) => (event.preventDefault(), close())}
      onClose=${() => isOpen.current && close()}>
      <header><h2>${title}</h2><button type="button" class="quiet" aria-label="Close" onClick=${close}>✕</button></header>
      ${children}
    </dialog>`;
}
