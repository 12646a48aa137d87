/** The figures as files, for other programs. Numbers are in the unit that their column names. */
import { csvOf } from '../../core/csv.js';
import { LINES } from './measures.js';

/** @typedef {import('./columns.js').Columns} Columns */

/** @param {number} seconds */
const isoTime = seconds => new Date(Math.round(seconds * 1000)).toISOString();

/** @param {{ chart: import('./measures.js').Chart, line: import('./measures.js').Line }} of */
const titleOf = ({ chart, line }) => `${chart.title}: ${line.name} (${chart.unit.title})`;

/** @param {number | null} figure */
const rounded = figure => figure === null ? null : Number(figure.toPrecision(6));

/** Rows with figures; a gap, which has none at all, is left out, as the times show it. @param {Columns} columns @param {[number, number]} rows */
function* rowsOf({ times, values }, [first, end]) {
  for (let row = first; row < end; row++) {
    const figures = LINES.map(({ line }) => values[line.key][row]);
    if (figures.some(figure => figure !== null)) yield { time: isoTime(times[row]), figures: figures.map(rounded) };
  }
}

/** What has no figure is empty. @param {Columns} columns @param {[number, number]} rows */
export function asCsv(columns, rows) {
  const titles = ['Time', ...LINES.map(titleOf)];
  return csvOf(titles, [...rowsOf(columns, rows)].map(({ time, figures }) => Object.fromEntries([time, ...figures].map((cell, at) => [titles[at], cell]))));
}

/** @param {Columns} columns @param {[number, number]} rows @param {string | undefined} database */
export function asJson(columns, rows, database) {
  const samples = [...rowsOf(columns, rows)].map(({ time, figures }) => ({
    Time: time, ...Object.fromEntries(LINES.map(({ line }, at) => [line.key, figures[at]])),
  }));
  const measures = Object.fromEntries(LINES.map(({ chart, line }) => [line.key, { Title: `${chart.title}: ${line.name}`, Unit: chart.unit.title }]));
  return JSON.stringify({ ...(database === undefined ? {} : { Database: database }), Measures: measures, Samples: samples }, null, 1);
}
