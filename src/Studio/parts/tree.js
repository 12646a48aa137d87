/** A JSON text as a tree whose branches are read when they are opened. */
import { useState } from 'preact/hooks';
import { exactSize } from '../core/format.js';
import { html } from '../core/html.js';
import { childrenOf } from '../core/scan.js';

/** Children that are shown at once; more come when they are asked for. */
const CHILDREN_STEP = 200;

/** Characters of a value that are shown. */
const SHOWN_MAX = 300;

/** @param {{ text: string, label: string }} props */
export const Tree = ({ text, label }) => html`
  <ul class="tree" role="tree" aria-label=${label}><${Node} text=${text} name="" start=${0} end=${text.length} isOpenAtFirst=${true} /></ul>`;

/** @param {{ text: string, name: string | number, start: number, end: number, isOpenAtFirst?: boolean }} props */
function Node({ text, name, start, end, isOpenAtFirst = false }) {
  const [children, setChildren] = useState(/** @type {{ children: import('../core/scan.js').Child[], isAll: boolean } | null} */ (null));
  const [isOpen, setOpen] = useState(false);
  const isBranch = text[start] === '{' || text[start] === '[';
  const open = async (/** @type {number} */ max) => {
    setChildren(await childrenOf(text, start, max));
    setOpen(true);
  };
  if (isOpenAtFirst && children === null && !isOpen) open(CHILDREN_STEP);
  if (!isBranch) {
    return html`<li role="treeitem"><span class="tree-name"><bdi>${name}</bdi></span> <${Scalar} text=${text} start=${start} end=${end} /></li>`;
  }

  return html`
    <li role="treeitem" aria-expanded=${isOpen}>
      <button type="button" class="tree-name" onClick=${() => isOpen ? setOpen(false) : open(CHILDREN_STEP)}>
        ${isOpen ? '▾' : '▸'} <bdi>${name}</bdi></button>
      <span class="hint">${text[start] === '{' ? 'object' : 'array'}, ${exactSize(end - start)}</span>
      ${isOpen && children && html`<ul role="group">
        ${children.children.map(child => html`<${Node} key=${child.name} text=${text} name=${child.name} start=${child.start} end=${child.end} />`)}
        ${!children.isAll && html`<li role="none">
          <button type="button" class="small" onClick=${() => open(children.children.length + CHILDREN_STEP)}>More</button></li>`}
      </ul>`}
    </li>`;
}

/** @param {{ text: string, start: number, end: number }} props */
function Scalar({ text, start, end }) {
  if (end - start <= SHOWN_MAX) return html`<span class="mono long"><bdi>${text.slice(start, end)}</bdi></span>`;
  return html`<span class="mono long"><bdi>${text.slice(start, start + SHOWN_MAX)}…</bdi></span> <span class="hint">${exactSize(end - start)}</span>`;
}
