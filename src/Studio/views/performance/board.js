/** All charts of the view, drawn together in one frame, with one cursor. */
import uPlot from 'uplot';
import { effect } from '@preact/signals';
import { clock as clockOf } from '../../core/format.js';
import { theme } from '../../core/theme.js';
import { lonely } from './columns.js';

/**
 * @typedef {import('./columns.js').Columns} Columns
 * @typedef {{ columns: Columns, from: number, to: number, cursor: number | null }} Shown Times in seconds; cursor: null for none.
 * @typedef {{ point: (time: number | null) => void, zoom: (from: number, to: number) => void }} Hands What the person does with the mouse.
 */

const HEIGHT = 118;
const AXIS_FONT = '11px system-ui, sans-serif';
const VALUE_WIDTH = 64;
const POINT_PIXELS = 4;

/** Lines differ by dashes too, not by colour alone. */
export const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3]];

/** Distances between the marks of bytes. */
const BINARY_STEPS = Array.from({ length: 50 }, (_, power) => 2 ** power);

/** A drag over fewer pixels is a click. */
const DRAG_PIXELS_MIN = 5;

/** uPlot's own style sheet; the charts come when it is there. */
await new Promise((resolve, reject) => {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = new URL('../../lib/uplot/dist/uPlot.min.css', import.meta.url).href;
  link.onload = resolve;
  link.onerror = () => reject(new Error('The style sheet of the charts did not come.'));
  document.head.append(link);
});

/** A moment of today in the time zone of the person. @param {number} seconds */
export const clock = seconds => clockOf(new Date(seconds * 1000));

export class Board {
  /** @type {Map<import('./measures.js').Chart, uPlot>} */
  #plots = new Map();
  /** @type {Shown | null} */
  #shown = null;
  /** @type {Hands} */
  #hands;
  /** The chart below the mouse. @type {uPlot | null} */
  #pointed = null;
  #frame = 0;
  #isDrawing = false;
  /** @type {Record<string, string>} */
  #colours = {};

  /** @param {Hands} hands */
  constructor(hands) {
    this.#hands = hands;
  }

  /** Follows the colours of the page until the returned function is called. */
  open() {
    const system = matchMedia('(prefers-color-scheme: dark)');
    const change = () => {
      this.#colours = {};
      this.#draw();
    };
    const end = effect(() => {
      theme.value;
      change();
    });
    system.addEventListener('change', change);
    return () => {
      end();
      system.removeEventListener('change', change);
      cancelAnimationFrame(this.#frame);
    };
  }

  /** Draws in the next frame, once for all that happens before it. @param {Shown} shown */
  show(shown) {
    this.#shown = shown;
    this.#draw();
  }

  /** Adds a chart until the returned function is called. @param {import('./measures.js').Chart} chart @param {HTMLElement} place */
  add(chart, place) {
    const plot = new uPlot(this.#optionsOf(chart, place.clientWidth), [[], ...chart.lines.map(() => [])], place);
    this.#plots.set(chart, plot);
    const sizes = new ResizeObserver(() => place.clientWidth > 0 && plot.setSize({ width: place.clientWidth, height: HEIGHT }));
    sizes.observe(place);
    place.addEventListener('pointerenter', () => (this.#pointed = plot));
    place.addEventListener('pointerleave', () => {
      this.#pointed = null;
      this.#hands.point(null);
    });
    this.#draw();
    return () => {
      sizes.disconnect();
      this.#plots.delete(chart);
      if (this.#pointed === plot) this.#pointed = null;
      plot.destroy();
    };
  }

  #draw() {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#drawNow());
  }

  #drawNow() {
    const shown = this.#shown;
    if (!shown) return;
    const { columns, from, to } = shown;
    this.#isDrawing = true;
    for (const [chart, plot] of this.#plots) {
      plot.batch(() => {
        plot.setData([columns.times, ...chart.lines.map(line => columns.values[line.key])], false);
        plot.setScale('x', { min: from, max: to });
      });
      if (plot !== this.#pointed) this.#place(plot, shown.cursor);
    }

    this.#isDrawing = false;
    if (this.#pointed) this.#point(this.#pointed); // the figures move below a mouse that rests
  }

  /** @param {uPlot} plot @param {number | null} time */
  #place(plot, time) {
    plot.setCursor(time === null ? { left: -10, top: -10 } : { left: plot.valToPos(time, 'x'), top: 0 }, false);
  }

  /** @param {uPlot} plot */
  #point(plot) {
    const left = plot.cursor.left ?? -1;
    const row = left < 0 ? null : plot.posToIdx(left);
    this.#hands.point(row === null ? null : plot.data[0][row] ?? null);
  }

  /** @param {uPlot} plot */
  #zoom(plot) {
    const { left, width } = plot.select;
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    if (width >= DRAG_PIXELS_MIN) this.#hands.zoom(plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x'));
  }

  /** A canvas knows no variables. @param {string} name */
  #colour(name) {
    return this.#colours[name] ??= (() => {
      const probe = document.createElement('span');
      probe.style.color = `var(${name})`;
      document.body.append(probe);
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    })();
  }

  /** @param {import('./measures.js').Chart} chart @param {number} width @returns {uPlot.Options} */
  #optionsOf(chart, width) {
    const axis = {
      stroke: () => this.#colour('--soft'), font: AXIS_FONT, ticks: { show: false },
      grid: { stroke: () => this.#colour('--line'), width: 1 },
    };
    return {
      width: Math.max(width, VALUE_WIDTH * 2),
      height: HEIGHT,
      padding: [8, 24, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: true, y: false, setScale: false }, bind: { dblclick: () => null } },
      scales: { x: { time: true, auto: false }, y: { range: (_, __, highest) => [0, chart.top ?? (highest > 0 ? highest * 1.1 : 1)] } },
      axes: [
        { ...axis, size: 24, space: 70, values: (_, splits) => splits.map(clock) },
        {
          ...axis, size: VALUE_WIDTH, space: 26, values: (_, splits) => splits.map(chart.unit.format),
          ...(chart.unit.isBinary ? { incrs: BINARY_STEPS } : {}),
        },
      ],
      series: [{}, ...chart.lines.map((line, at) => ({
        label: line.name, stroke: () => this.#colour(`--series-${at + 1}`), width: 1.5, dash: DASHES[at],
        points: {
          size: POINT_PIXELS, fill: () => this.#colour(`--series-${at + 1}`),
          filter: (/** @type {uPlot} */ plot, /** @type {number} */ series) => lonely([...plot.data[series]]),
        },
      }))],
      hooks: {
        setCursor: [plot => void (!this.#isDrawing && this.#pointed === plot && this.#point(plot))],
        setSelect: [plot => this.#zoom(plot)],
      },
    };
  }
}
