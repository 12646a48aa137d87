/** Markup in template strings; the only place that knows how they become elements. Values are always text, never markup. */
import { h } from 'preact';
import htm from 'htm';

/** @typedef {import('preact').ComponentChildren} Children */

/** @type {(strings: TemplateStringsArray, ...values: any[]) => any} */
export const html = htm.bind(/** @type {any} */ (h));
