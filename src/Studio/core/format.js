/** How figures are shown: one place, so that a number looks the same in every view. */

const NUMBERS = new Intl.NumberFormat('en-US');
const BYTE_UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB'];

/** A whole number with separators, exact. @param {number} value */
export const count = value => NUMBERS.format(value);

/** A number with its noun: "1 document", "2 documents". @param {number} value @param {string} noun @param {string} [plural] */
export const counted = (value, noun, plural = `${noun}s`) => `${count(value)} ${value === 1 ? noun : plural}`;

/** A size with three digits. Its exact form is for a tooltip. @param {number} bytes */
export function size(bytes) {
  let unit = 0;
  let value = bytes;
  while (value >= 1024 && unit < BYTE_UNITS.length - 1) {
    value /= 1024;
    unit++;
  }

  const digits = unit === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${BYTE_UNITS[unit]}`;
}

/** @param {number} bytes */
export const exactSize = bytes => counted(bytes, 'byte');

/** Something per second. @param {number} perSecond */
export const rate = perSecond => `${perSecond > 0 && perSecond < 10 ? perSecond.toFixed(1) : count(Math.round(perSecond))}/s`;

/** How long something took or takes. @param {number} milliseconds */
export function duration(milliseconds) {
  if (milliseconds < 1) return `${Math.round(milliseconds * 1000)} µs`;
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.round(seconds % 3600 / 60)} min`;
}

/** A moment in the time zone of the person. @param {string | Date} moment */
export const time = moment => new Date(moment).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** The same where there is little room, and where moments are compared. @param {string} moment */
export function shortTime(moment) {
  const at = new Date(moment);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${clock(at)}`;
}

/** A moment of today. @param {Date} at */
export const clock = at => `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;

const two = (/** @type {number} */ value) => String(value).padStart(2, '0');

/** The beginning of a long text, marked as such. @param {string} text @param {number} characters */
export const shorten = (text, characters) => text.length <= characters ? text : `${text.slice(0, characters)}…`;
