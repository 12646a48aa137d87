/** Where the boxes of a treemap stand. Pure functions. */
import { hierarchy, treemap } from 'd3-hierarchy';

/** @typedef {import('./report.js').Part} Part */
/** @typedef {{ part: Part, x: number, y: number, width: number, height: number, boxes: Box[] }} Box Pixels; boxes: within the same picture. */

/** The line with the name of a storage, in a box that has room for it. */
export const NAME_HEIGHT = 18;
const NAMED_HEIGHT_MIN = 44;
const NAMED_WIDTH_MIN = 40;

/** A letter of a name is about as wide. */
const LETTER_WIDTH = 6.6;
const STRONG_LETTER_WIDTH = 7.7;

/** Beside a name. */
export const MARGIN = 5;
const LETTERS_MIN = 3;

/** @param {Part} root @param {number} width @param {number} height @returns {Box[]} Those of the first level, with the others in them; the largest first. */
export function boxesOf(root, width, height) {
  const tree = hierarchy(root, part => part.parts).sum(part => part.parts ? 0 : part.bytes).sort((left, right) => right.value - left.value);
  const hasName = (/** @type {import('d3-hierarchy').Box<Part>} */ node) =>
    node.depth === 1 && node.x1 - node.x0 >= NAMED_WIDTH_MIN && node.y1 - node.y0 >= NAMED_HEIGHT_MIN;
  const placed = /** @type {import('d3-hierarchy').Layout<Part>} */ (treemap()).size([width, height]).round(true).paddingInner(1)
    .paddingTop(node => hasName(node) ? NAME_HEIGHT : 0)(tree);
  return (placed.children ?? []).map(boxOf);
}

/** @param {import('d3-hierarchy').Box<Part>} node @returns {Box} */
const boxOf = ({ data, x0, y0, x1, y1, children = [] }) => ({ part: data, x: x0, y: y0, width: x1 - x0, height: y1 - y0, boxes: children.map(boxOf) });

/**
 * A name as far as it fits into a box; empty where too little of it does.
 * @param {string} name @param {{ width: number, height: number }} box @param {boolean} [isStrong]
 */
export function fit(name, { width, height }, isStrong = false) {
  const letters = Math.floor((width - 2 * MARGIN) / (isStrong ? STRONG_LETTER_WIDTH : LETTER_WIDTH));
  if (height < NAME_HEIGHT || letters < Math.min(LETTERS_MIN, name.length)) return '';
  return name.length <= letters ? name : `${name.slice(0, letters - 1)}…`;
}
