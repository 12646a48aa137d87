/** Two texts side by side. The editor that shows them is loaded when the first comparison is opened. */
import { html } from '../core/html.js';
import { Late } from './late.js';

/** @typedef {typeof import('./diff.js')} Module */

const load = () => import('./diff.js');

/** @param {import('./diff.js').DiffProps} props */
export const Compare = props => html`<${Late} load=${load} what="the comparison">
  ${(/** @type {Module} */ { Diff }) => html`<${Diff} ...${props} />`}</${Late}>`;
