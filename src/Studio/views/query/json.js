/** The answer of a query as the server sent it. */
import { html } from '../../core/html.js';
import { format } from '../../core/json.js';
import { JsonEditor } from '../../parts/json-editor.js';
import { Tree } from '../../parts/tree.js';

/** A longer text is a tree. */
const EDITOR_CHARACTERS_MAX = 1_000_000;

/** @param {{ text: string }} props */
export const AnswerJson = ({ text }) => text.length > EDITOR_CHARACTERS_MAX
  ? html`<div class="tree-box"><${Tree} key=${text.length} text=${text} label="Answer" /></div>`
  : html`<${JsonEditor} text=${format(text)} label="Answer" isReadOnly=${true} />`;
