/** Places in the rows of an answer: two numbers that look like a latitude and a longitude. */

/** @typedef {{ latitude: number, longitude: number, label: string, id: string | undefined }} Point */

const LATITUDE = /^(lat|latitude)$/i;
const LONGITUDE = /^(lng|lon|long|longitude)$/i;

/** Levels of a document that are looked into, and characters of a document that is. */
const DEPTH_MAX = 4;
const ROW_CHARACTERS_MAX = 100_000;

/** @param {import('./answer.js').Answer} answer @returns {Point[]} one for each place of each row */
export function pointsOf(answer) {
  /** @type {Point[]} */
  const points = [];
  answer.rows.forEach((row, at) => {
    const { start, end } = row.span;
    const text = end - start <= ROW_CHARACTERS_MAX ? answer.text.slice(start, end) : '';
    if (!/"la/i.test(text)) return;
    collect(JSON.parse(text), 0, (latitude, longitude) => points.push({ latitude, longitude, label: row.id ?? `Row ${at + 1}`, id: row.id }));
  });
  return points;
}

/** @param {any} value @param {number} depth @param {(latitude: number, longitude: number) => void} found */
function collect(value, depth, found) {
  if (value === null || typeof value !== 'object' || depth > DEPTH_MAX) return;
  const names = Object.keys(value);
  const latitude = names.find(name => LATITUDE.test(name) && isWithin(value[name], 90));
  const longitude = names.find(name => LONGITUDE.test(name) && isWithin(value[name], 180));
  if (latitude !== undefined && longitude !== undefined) found(value[latitude], value[longitude]);
  for (const name of names) collect(value[name], depth + 1, found);
}

/** @param {unknown} value @param {number} limit */
const isWithin = (value, limit) => typeof value === 'number' && Math.abs(value) <= limit;
