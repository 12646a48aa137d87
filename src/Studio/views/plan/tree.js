/** The steps of a run as a tree of cards. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { count, counted, duration, exactSize, size } from '../../core/format.js';
import { html } from '../../core/html.js';
import { boxesOf, layOut } from '../../core/tidy.js';

/** @typedef {import('./steps.js').Step} Step */
/** @typedef {import('../../core/tidy.js').Box<Step>} Box */

/** Pixels. The heights are those of the lines in studio.css. */
const CARD = { width: 196, head: 34, line: 19, padding: 12 };
const GAP = { along: 44, across: 14 };
const LINE_WIDTH_MAX = 9;

/** Shares of the time from which a card has another colour. */
const HOT = 0.25;
const WARM = 0.08;

/**
 * @param {{ root: Step, other: Map<string, Step> | null, focused: string | null, focus: (path: string) => void, label: string }} props
 * other: the steps of the run that this one is compared with.
 */
export function StepTree({ root, other, focused, focus, label }) {
  const [closed, setClosed] = useState(/** @type {Set<string>} */ (new Set()));
  const area = useRef(/** @type {HTMLElement | null} */ (null));
  const tree = boxOf(root, closed, other !== null);
  layOut(tree, GAP);
  const boxes = boxesOf(tree);
  const width = Math.max(...boxes.map(box => box.x + box.width));
  const height = Math.max(...boxes.map(box => box.y + box.height));
  useEffect(() => area.current?.querySelector('.step.focused')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }), [focused]);
  const toggle = (/** @type {string} */ path) => {
    const next = new Set(closed);
    next.delete(path) || next.add(path);
    setClosed(next);
  };
  return html`
    <div class="step-area" ref=${area} tabindex="0" role="group" aria-label=${label}>
      <div class="step-tree" style=${{ width: `${width}px`, height: `${height}px` }}>
        <svg width=${width} height=${height} aria-hidden="true">
          ${boxes.flatMap(box => box.children.map(child => html`<path key=${child.item.path} d=${lineBetween(box, child)}
            stroke-width=${lineWidth(child.item)} />`))}
        </svg>
        ${boxes.map(box => html`<${Card} key=${box.item.path} box=${box} other=${other?.get(box.item.path)} isCompared=${other !== null}
          isFocused=${box.item.path === focused} isClosed=${closed.has(box.item.path)} focus=${focus} toggle=${toggle} />`)}
      </div>
    </div>`;
}

/** @param {Step} step @param {Set<string>} closed @param {boolean} isCompared @returns {Box} */
const boxOf = (step, closed, isCompared) => ({
  item: step, width: CARD.width, height: CARD.head + CARD.padding + CARD.line * (linesOf(step).length + (step.detail ? 1 : 0) + (isCompared ? 1 : 0)),
  x: 0, y: 0, children: closed.has(step.path) ? [] : step.steps.map(child => boxOf(child, closed, isCompared)),
});

/** The figures of a card. @param {Step} step @returns {{ text: string, title?: string }[]} */
function linesOf(step) {
  const rows = step.rowsIn !== undefined && step.rowsOut !== undefined ? `${count(step.rowsIn)} → ${counted(step.rowsOut, 'row')}`
    : step.rowsOut !== undefined ? counted(step.rowsOut, 'row')
      : step.rowsIn !== undefined ? `${counted(step.rowsIn, 'row')} in` : undefined;
  const terms = step.terms === undefined ? undefined : counted(step.terms, 'term');
  const pages = step.pages === undefined ? undefined : counted(step.pages, 'page');
  const bytes = step.bytes === undefined ? undefined : size(step.bytes);
  const reads = [bytes, pages].filter(one => one !== undefined).join(' · ');
  return [
    ...(rows === undefined ? [] : [{ text: rows }]), ...(terms === undefined ? [] : [{ text: terms }]),
    ...(reads === '' ? [] : [{ text: reads, title: step.bytes === undefined ? undefined : exactSize(step.bytes) }]),
  ];
}

/** @param {Box} parent @param {Box} child */
function lineBetween(parent, child) {
  const [x1, y1] = [parent.x + parent.width, parent.y + parent.height / 2];
  const [x2, y2] = [child.x, child.y + child.height / 2];
  const middle = (x1 + x2) / 2;
  return `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`;
}

/** Wider for more rows. @param {Step} step */
const lineWidth = step => Math.min(LINE_WIDTH_MAX, 1 + 1.3 * Math.log10(1 + (step.rowsOut ?? 0)));

/**
 * @param {{ box: Box, other: Step | undefined, isCompared: boolean, isFocused: boolean, isClosed: boolean, focus: (path: string) => void,
 *   toggle: (path: string) => void }} props
 */
function Card({ box, other, isCompared, isFocused, isClosed, focus, toggle }) {
  const step = box.item;
  const heat = step.share >= HOT ? 'hot' : step.share >= WARM ? 'warm' : '';
  const style = { left: `${box.x}px`, top: `${box.y}px`, width: `${box.width}px`, height: `${box.height}px` };
  return html`
    <div role="group" class=${`step ${heat}${isFocused ? ' focused' : ''}`} style=${style} aria-label=${step.name} onClick=${() => focus(step.path)}>
      <div class="step-head">
        <strong>${step.name}</strong>
        <span title=${step.steps.length > 0 ? `${duration(step.us / 1000)} with the steps after it` : ''}>${duration(step.ownUs / 1000)}</span>
        ${step.steps.length > 0 && html`<button type="button" class="link" aria-expanded=${!isClosed} aria-label=${`Steps of ${step.name}`}
          onClick=${(/** @type {Event} */ event) => (event.stopPropagation(), toggle(step.path))}>${isClosed ? '+' : '−'}</button>`}
      </div>
      <meter max="1" value=${step.share} aria-label="Share of the time" title=${percent(step.share)} />
      ${step.detail && html`<div class="step-line" title=${step.detail}><bdi>${step.detail}</bdi></div>`}
      ${linesOf(step).map(line => html`<div key=${line.text} class="step-line hint" title=${line.title}>${line.text}</div>`)}
      ${isCompared && html`<div class="step-line difference">${differenceOf(step, other)}</div>`}
    </div>`;
}

/** @param {number} share */
export const percent = share => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;

/** @param {Step} step @param {Step | undefined} other */
function differenceOf(step, other) {
  if (!other) return 'only in this run';
  const factor = step.ownUs / Math.max(other.ownUs, 0.1);
  const rows = (step.rowsOut ?? 0) - (other.rowsOut ?? 0);
  const time = factor > 1.1 ? `${factor.toFixed(1)}× the time` : factor < 0.9 ? `${(1 / Math.max(factor, 1e-6)).toFixed(1)}× faster` : 'the same time';
  return rows === 0 ? time : `${time}, ${rows > 0 ? '+' : '−'}${counted(Math.abs(rows), 'row')}`;
}
