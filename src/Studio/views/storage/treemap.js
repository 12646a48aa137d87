/** What takes the space of a database, as boxes: one for each storage with what is in it, and one for the journals that several share. */
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { clock, exactSize, size } from '../../core/format.js';
import { html } from '../../core/html.js';
import { boxesOf, fit, MARGIN, NAME_HEIGHT } from './boxes.js';
import { partsOf } from './report.js';
import { useSteady } from './steady.js';

/** @typedef {import('./boxes.js').Box} Box */
/** @typedef {import('./report.js').Part} Part */
/** @typedef {import('./view.js').Look} Look */

const HEIGHT = 300;
const BASELINE = 13;

/** @type {[import('./report.js').PartKind, string][]} */
const KINDS = [
  ['tree', 'data, by tree'], ['free', 'free'], ['headers', 'headers and other files'], ['own', 'own journals'],
  ['shared', 'shared journals, counted once'],
];

/** @param {{ look: Look, opened: string | null, choose: (part: Part) => void }} props opened: the key of the storage whose details are shown. */
export function Treemap({ look, opened, choose }) {
  const [width, setWidth] = useState(0);
  const [active, setActive] = useState('');
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const { steady, hands } = useSteady(look);
  const boxes = useMemo(() => width > 0 ? boxesOf(partsOf(steady.report), width, HEIGHT) : [], [steady, width]);
  useLayoutEffect(() => {
    const shown = /** @type {HTMLElement} */ (place.current);
    const measure = () => setWidth(shown.clientWidth);
    const sizes = new ResizeObserver(measure);
    sizes.observe(shown);
    measure();
    return () => sizes.disconnect();
  }, []);
  const current = Math.max(0, boxes.findIndex(box => box.part.key === active));
  const press = (/** @type {KeyboardEvent} */ event) => {
    const at = { ArrowRight: current + 1, ArrowDown: current + 1, ArrowLeft: current - 1, ArrowUp: current - 1, Home: 0, End: boxes.length - 1 }[event.key];
    if (event.key === 'Enter' || event.key === ' ') choose(boxes[current].part);
    else if (at !== undefined) focusOn(place.current, Math.min(boxes.length - 1, Math.max(0, at)));
    else return;
    event.preventDefault();
  };
  return html`
    <figure class="treemap" ...${hands}>
      <div ref=${place}>
        <svg width=${width} height=${HEIGHT} role="group" aria-label="What takes the space, as boxes; the table of storages says the same"
          onKeyDown=${press}>
          ${boxes.map((box, at) => html`<${StorageBox} key=${box.part.key} box=${box} total=${steady.report.TotalBytes} isCurrent=${at === current}
            isOpen=${box.part.key === opened} focus=${() => setActive(box.part.key)} choose=${() => choose(box.part)} />`)}
        </svg>
      </div>
      <figcaption>
        <ul class="legend">${KINDS.map(([kind, words]) => html`<li key=${kind}><span class=${`swatch of-${kind}`} />${words}</li>`)}</ul>
        <span class="hint">${steady === look ? 'Arrow keys move between the boxes, Enter opens one.'
          : `As of ${clock(steady.at)}, until the mouse leaves.`}</span>
      </figcaption>
    </figure>`;
}

/** @param {{ box: Box, total: number, isCurrent: boolean, isOpen: boolean, focus: () => void, choose: () => void }} props */
function StorageBox({ box, total, isCurrent, isOpen, focus, choose }) {
  const { part, x, y, width, height, boxes } = box;
  const title = titleOf(part, total);
  const hasLine = boxes.every(inner => inner.y >= y + NAME_HEIGHT);
  return html`
    <g class=${`box of-${part.kind}`} onClick=${choose}>
      <rect class="area" x=${x} y=${y} width=${width} height=${height}><title>${title}</title></rect>
      ${boxes.map(inner => html`<${PartBox} key=${inner.part.key} box=${inner} of=${part} total=${total} isNamed=${hasLine} />`)}
      <${Name} name=${part.name} box=${box} isStrong=${true} />
      <rect class="frame" role="button" tabindex=${isCurrent ? 0 : -1} aria-label=${title} aria-pressed=${isOpen} onFocus=${focus}
        x=${x + 1} y=${y + 1} width=${Math.max(0, width - 2)} height=${Math.max(0, height - 2)} />
    </g>`;
}

/** @param {{ box: Box, of: Part, total: number, isNamed: boolean }} props isNamed: where the name of the storage does not stand in its way. */
const PartBox = ({ box, of, total, isNamed }) => html`
  <g class=${`part of-${box.part.kind}`}>
    <rect class="area" x=${box.x} y=${box.y} width=${box.width} height=${box.height}><title>${`${of.name}, ${titleOf(box.part, total)}`}</title></rect>
    ${isNamed && html`<${Name} name=${box.part.name} box=${box} isStrong=${false} />`}
  </g>`;

/** Letters that are wider than expected are cut off at the box. @param {{ name: string, box: Box, isStrong: boolean }} props */
function Name({ name, box, isStrong }) {
  const text = fit(name, box, isStrong);
  return text && html`<svg x=${box.x} y=${box.y} width=${box.width - 1} height=${NAME_HEIGHT} aria-hidden="true">
    <text class=${isStrong ? 'strong' : ''} x=${MARGIN} y=${BASELINE}>${text}</text></svg>`;
}

/** @param {HTMLElement | null} place @param {number} at */
const focusOn = (place, at) => /** @type {SVGElement | undefined} */ (place?.querySelectorAll('[role=button]')[at])?.focus();

/** @param {Part} part @param {number} total */
const titleOf = (part, total) => `${part.name}: ${size(part.bytes)} (${exactSize(part.bytes)}), ${share(part.bytes, total)} of the database`;

/** @param {number} bytes @param {number} of */
export const share = (bytes, of) => of > 0 ? `${(bytes / of * 100).toFixed(1)} %` : '0 %';
