/** A document that is too large for an editor: a tree, to read only. */
import { save } from '../../core/download.js';
import { exactSize } from '../../core/format.js';
import { html } from '../../core/html.js';
import { Tree } from '../../parts/tree.js';

/** @param {{ database: string, id: string, text: string, bytes: number, edit: () => void }} props */
export const Large = ({ id, text, bytes, edit }) => html`
  <div class="head">
    <h1 class="long"><bdi>${id}</bdi></h1>
    <span class="space" />
    <button type="button" onClick=${() => save(`${id.replaceAll(/[^\w.-]+/g, '-')}.json`, text, 'application/json')}>Download</button>
  </div>
  <p class="notice">This document has ${exactSize(bytes)}. It is shown to read only, because an editor is slow with so much text.
    <button type="button" class="small" onClick=${edit}>Edit anyway</button></p>
  <div class="tree-box"><${Tree} text=${text} label="Document" /></div>`;
