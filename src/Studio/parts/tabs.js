/** Tabs: arrow keys move between them. */
import { Fragment } from 'preact';
import { useId } from 'preact/hooks';
import { html } from '../core/html.js';

/**
 * @param {{ tabs: { id: string, title: string, content: () => any }[], shown: string, show: (id: string) => void, label: string }} props
 */
export function Tabs({ tabs, shown, show, label }) {
  const prefix = useId();
  const current = tabs.find(tab => tab.id === shown) ?? tabs[0];
  const move = (/** @type {KeyboardEvent} */ event) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const next = tabs[(tabs.indexOf(current) + step + tabs.length) % tabs.length];
    show(next.id);
    document.getElementById(`${prefix}${next.id}`)?.focus();
  };
  return html`
    <div class="tabs" role="tablist" aria-label=${label} onKeyDown=${move}>
      ${tabs.map(tab => html`
        <button type="button" role="tab" key=${tab.id} id=${prefix + tab.id} aria-selected=${tab === current} aria-controls=${`${prefix}panel`}
          tabindex=${tab === current ? 0 : -1} onClick=${() => show(tab.id)}>${tab.title}</button>`)}
    </div>
    <div role="tabpanel" id=${`${prefix}panel`} aria-labelledby=${prefix + current.id}>
      <${Fragment} key=${current.id}>${current.content()}</${Fragment}>
    </div>`;
}
