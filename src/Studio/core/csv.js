/** Tables as files for spreadsheets (RFC 4180). */

/** Characters after which spreadsheets calculate, with their wide forms: the same as in the server's own files. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** A text that a spreadsheet would run gets an apostrophe before it. Objects are their JSON. @param {unknown} value */
function cellOf(value) {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** @param {string[]} columns @param {Record<string, unknown>[]} rows */
export const csvOf = (columns, rows) =>
  [columns.map(cellOf), ...rows.map(row => columns.map(column => cellOf(row[column])))].map(cells => `${cells.join(',')}\r\n`).join('');
