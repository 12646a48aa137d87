// The layout of trees, for random trees of boxes of different sizes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxesOf, layOut } from '../../../src/Studio/core/tidy.js';

const GAP = { along: 30, across: 10 };
const ROUNDS = 500;
const CLOSE = 1e-6;

/** Numbers from a seed (mulberry32), so that a failure can be repeated. */
function numbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const box = (width, height, children = []) => ({ item: null, width, height, children, x: -1, y: -1 });

function randomTree(random, depth) {
  const count = depth === 0 ? 0 : Math.floor(random() * 5);
  return box(20 + Math.floor(random() * 200), 10 + Math.floor(random() * 120), Array.from({ length: count }, () => randomTree(random, depth - 1)));
}

const overlap = (one, other) => one.x < other.x + other.width + GAP.along - CLOSE && other.x < one.x + one.width + GAP.along - CLOSE
  && one.y < other.y + other.height + GAP.across - CLOSE && other.y < one.y + one.height + GAP.across - CLOSE;

const shapeOf = tree => JSON.stringify(boxesOf(tree).map(one => [one.x - tree.x, +(one.y - tree.y).toFixed(3), one.width, one.height]));

test('boxes do not overlap, keep their order, and parents stand in the middle of their children', () => {
  const seed = Date.now() % 2 ** 31;
  const random = numbers(seed);
  for (let round = 0; round < ROUNDS; round++) {
    const root = randomTree(random, 1 + Math.floor(random() * 5));
    layOut(root, GAP);
    const where = `seed ${seed}, round ${round}`;
    const boxes = boxesOf(root);
    assert.equal(Math.min(...boxes.map(one => one.y)), 0, where);
    for (let i = 0; i < boxes.length; i++) {
      for (let j = 0; j < i; j++) assert.ok(!overlap(boxes[i], boxes[j]), `${where}: boxes ${j} and ${i} overlap`);
      const { children } = boxes[i];
      for (let k = 1; k < children.length; k++) assert.ok(children[k].y > children[k - 1].y, `${where}: children are out of order`);
      for (const child of children) assert.equal(child.x, boxes[i].x + boxes[i].width + GAP.along, where);
      if (children.length > 0) {
        const middle = (children[0].y + children.at(-1).y + children.at(-1).height) / 2;
        assert.ok(Math.abs(boxes[i].y + boxes[i].height / 2 - middle) < CLOSE, `${where}: a parent is not in the middle`);
      }
    }
  }
});

test('children that have nothing below them are as close as they may be', () => {
  const root = box(10, 10, [box(10, 30), box(50, 10), box(10, 70)]);
  layOut(root, GAP);
  assert.deepEqual(root.children.map(one => one.y), [0, 40, 60]);
});

test('a short subtree moves into the space beside a long box', () => {
  const root = box(10, 10, [box(10, 10, [box(10, 10), box(10, 10), box(10, 10)]), box(200, 10), box(10, 10, [box(10, 10)])]);
  layOut(root, GAP);
  const height = Math.max(...boxesOf(root).map(one => one.y + one.height));
  assert.ok(height <= 100, `the tree is ${height} high`);
});

test('equal subtrees look equal', () => {
  const random = numbers(7);
  for (let round = 0; round < 50; round++) {
    const tree = randomTree(random, 3);
    const copy = structuredClone(tree);
    layOut(box(10, 10, [tree, copy]), GAP);
    assert.equal(shapeOf(tree), shapeOf(copy));
  }
});
