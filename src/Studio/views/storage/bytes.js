/** The exact form of a size, for the element that shows its short form. */
import { exactSize } from '../../core/format.js';

/** @param {number} bytes @param {string} [more] What else the tooltip says. */
export const exact = (bytes, more) => ({ title: more ? `${exactSize(bytes)}; ${more}` : exactSize(bytes), 'data-bytes': bytes });
