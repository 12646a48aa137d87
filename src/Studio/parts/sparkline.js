/** A line of the last values, beside the number that it belongs to: it says nothing that the number does not. */
import { html } from '../core/html.js';

const WIDTH = 60;
const HEIGHT = 20;

/** @param {{ values: number[] }} props Oldest first. */
export function Sparkline({ values }) {
  const top = Math.max(1, ...values);
  const step = WIDTH / Math.max(1, values.length - 1);
  const points = values.map((value, at) => `${(at * step).toFixed(1)},${(HEIGHT - 1 - value / top * (HEIGHT - 2)).toFixed(1)}`).join(' ');
  return html`<svg class="sparkline" width=${WIDTH} height=${HEIGHT} aria-hidden="true"><polyline points=${points} /></svg>`;
}
