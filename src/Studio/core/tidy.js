/**
 * A tidy tree of boxes of different sizes: parents stand in the middle of their children, nothing overlaps, subtrees are as close as they can be, and equal
 * subtrees look equal. The algorithm is that of A. van der Ploeg, "Drawing non-layered tidy trees in linear time" (2014): contours of subtrees are followed
 * through threads, and gaps between subtrees are shared among those that lie between. Here trees grow to the right.
 */

/**
 * @template T
 * @typedef {{ item: T, width: number, height: number, children: Box<T>[], x: number, y: number }} Box x and y: of the left upper corner.
 */

/** What the algorithm notes of a box. "Across" is the direction in which children lie beside one another. */
class Place {
  /** @type {Place[]} */
  children;
  preliminary = 0;
  modifier = 0;
  shift = 0;
  change = 0;
  /** @type {Place | null} */
  threadBefore = null;
  /** @type {Place | null} */
  threadAfter = null;
  /** The outermost boxes of the deepest level, and the sums of modifiers up to them. @type {Place} */
  extremeBefore = this;
  /** @type {Place} */
  extremeAfter = this;
  modifierBefore = 0;
  modifierAfter = 0;

  /** @param {Box<any>} box @param {number} start Along the tree. @param {{ along: number, across: number }} gap */
  constructor(box, start, gap) {
    this.box = box;
    this.across = box.height + gap.across;
    this.end = start + box.width + gap.along;
    box.x = start;
    this.children = box.children.map(child => new Place(child, this.end, gap));
  }

  get first() {
    return this.children[0];
  }

  get last() {
    return this.children[this.children.length - 1];
  }

  get nextBefore() {
    return this.first ?? this.threadBefore;
  }

  get nextAfter() {
    return this.last ?? this.threadAfter;
  }
}

/** How far the subtrees up to one reach: a list, the deepest last. @typedef {{ end: number, index: number, next: Reach | null }} Reach */

/** Sets the places of all boxes, from 0 on. @param {Box<any>} root @param {{ along: number, across: number }} gap */
export function layOut(root, gap) {
  const place = new Place(root, 0, gap);
  measure(place);
  settle(place, 0);
  const before = Math.min(...boxesOf(root).map(box => box.y));
  for (const box of boxesOf(root)) box.y -= before;
}

/** @template T @param {Box<T>} root @returns {Box<T>[]} parents before their children */
export const boxesOf = root => [root, ...root.children.flatMap(boxesOf)];

/** @param {Place} place */
function measure(place) {
  if (place.children.length === 0) return;
  measure(place.first);
  let reach = note(place.first.extremeBefore.end, 0, null);
  for (let i = 1; i < place.children.length; i++) {
    measure(place.children[i]);
    const end = place.children[i].extremeAfter.end;
    separate(place, i, reach);
    reach = note(end, i, reach);
  }

  const { first, last } = place;
  place.preliminary = (first.preliminary + first.modifier + last.modifier + last.preliminary + last.across) / 2 - place.across / 2;
  place.extremeBefore = first.extremeBefore;
  place.modifierBefore = first.modifierBefore;
  place.extremeAfter = last.extremeAfter;
  place.modifierAfter = last.modifierAfter;
}

/** Moves a subtree so far that it is clear of those before it. @param {Place} parent @param {number} i @param {Reach} reaches */
function separate(parent, i, reaches) {
  /** @type {Place | null} */
  let before = parent.children[i - 1];
  let beforeSum = before.modifier;
  /** @type {Place | null} */
  let current = parent.children[i];
  let currentSum = current.modifier;
  /** @type {Reach} */
  let reach = reaches;
  while (before && current) {
    if (before.end > reach.end && reach.next) reach = reach.next;
    const distance = beforeSum + before.preliminary + before.across - (currentSum + current.preliminary);
    if (distance > 0) {
      currentSum += distance;
      move(parent, i, reach.index, distance);
    }

    const [beforeEnd, currentEnd] = [before.end, current.end];
    if (beforeEnd <= currentEnd) {
      before = before.nextAfter;
      if (before) beforeSum += before.modifier;
    }

    if (beforeEnd >= currentEnd) {
      current = current.nextBefore;
      if (current) currentSum += current.modifier;
    }
  }

  if (!before && current) threadBefore(parent, i, current, currentSum);
  else if (before && !current) threadAfter(parent, i, before, beforeSum);
}

/** @param {Place} parent @param {number} i @param {number} from The subtree that it was too close to. @param {number} distance */
function move(parent, i, from, distance) {
  const child = parent.children[i];
  child.modifier += distance;
  child.modifierBefore += distance;
  child.modifierAfter += distance;
  if (from === i - 1) return;
  const between = i - from;
  parent.children[from + 1].shift += distance / between;
  child.shift -= distance / between;
  child.change -= distance - distance / between;
}

/** @param {Place} parent @param {number} i @param {Place} current @param {number} sum */
function threadBefore(parent, i, current, sum) {
  const { first } = parent;
  const extreme = first.extremeBefore;
  extreme.threadBefore = current;
  const difference = sum - current.modifier - first.modifierBefore;
  extreme.modifier += difference;
  extreme.preliminary -= difference;
  first.extremeBefore = parent.children[i].extremeBefore;
  first.modifierBefore = parent.children[i].modifierBefore;
}

/** @param {Place} parent @param {number} i @param {Place} before @param {number} sum */
function threadAfter(parent, i, before, sum) {
  const child = parent.children[i];
  const extreme = child.extremeAfter;
  extreme.threadAfter = before;
  const difference = sum - before.modifier - child.modifierAfter;
  extreme.modifier += difference;
  extreme.preliminary -= difference;
  child.extremeAfter = parent.children[i - 1].extremeAfter;
  child.modifierAfter = parent.children[i - 1].modifierAfter;
}

/** @param {Place} place @param {number} sum Of the modifiers above. */
function settle(place, sum) {
  const own = sum + place.modifier;
  place.box.y = place.preliminary + own;
  let shift = 0;
  let change = 0;
  for (const child of place.children) {
    shift += child.shift;
    change += shift + child.change;
    child.modifier += change;
  }

  for (const child of place.children) settle(child, own);
}

/** @param {number} end @param {number} index @param {Reach | null} known @returns {Reach} */
function note(end, index, known) {
  let next = known;
  while (next && end >= next.end) next = next.next;
  return { end, index, next };
}
