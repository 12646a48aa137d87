/** Tells a person who may not write that only this browser has what was saved. */
import { html } from '../core/html.js';
import { Dialog } from './dialog.js';

/** @param {{ title: string, what: string, close: () => void }} props what: with its verb, such as "the query is". */
export const KeptHere = ({ title, what, close }) => html`
  <${Dialog} title=${title} close=${close}>
    <p>You may not write to this database, so that ${what} saved in this browser only.</p>
    <footer><button type="button" class="primary" onClick=${close}>Close</button></footer>
  </${Dialog}>`;
