/** The parameters that a query has. */
import { html } from '../../core/html.js';
import { kindOf } from './request.js';

/** @param {{ names: string[], typed: import('./request.js').Typed, change: (typed: import('./request.js').Typed) => void }} props */
export const Parameters = ({ names, typed, change }) => names.length > 0 && html`
  <div class="parameters" role="group" aria-label="Parameters">
    ${names.map(name => {
      const value = Object.hasOwn(typed, name) ? typed[name] : undefined;
      return html`<label key=${name}><span class="mono">$${name} <span class="hint">${value === undefined ? 'not given' : kindOf(value)}</span></span>
        <input value=${value ?? ''} placeholder="a text, or JSON" autocomplete="off"
          onInput=${(/** @type {any} */ event) => change({ ...typed, [name]: event.target.value })} /></label>`;
    })}
  </div>`;
