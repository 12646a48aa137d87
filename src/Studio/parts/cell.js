/** How a value of a document looks in a table: always text, never more than its beginning. */
import { exactSize, shorten } from '../core/format.js';

/** @typedef {{ Kind: string, Text: string, Bytes: number }} CutValue A long value, of which the server sends the beginning. */
/** @typedef {string | number | boolean | null | undefined | CutValue} Value */

const CHARACTERS_MAX = 200;

/** @param {Value} value */
export function textOf(value) {
  if (value === undefined) return '';
  if (value === null) return 'null';
  if (typeof value === 'object') return value.Kind === 'String' ? `${value.Text}…` : shorten(value.Text, CHARACTERS_MAX);
  return String(value);
}

/** @param {Value} value For a tooltip. */
export const titleOf = value => typeof value === 'object' && value !== null ? `${value.Kind}, ${exactSize(value.Bytes)}: ${textOf(value)}` : textOf(value);

/** @param {Value} value */
export function kindOf(value) {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return typeof value === 'object' ? value.Kind.toLowerCase() : typeof value;
}
