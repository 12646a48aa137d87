/** A size with its exact form as a tooltip. */
import { exactSize, size } from '../../core/format.js';
import { html } from '../../core/html.js';

/** @param {{ bytes: number, more?: string }} props more: what else the tooltip says. */
export const Bytes = ({ bytes, more }) => html`
  <span title=${more ? `${exactSize(bytes)}; ${more}` : exactSize(bytes)} data-bytes=${bytes}>${size(bytes)}</span>`;
