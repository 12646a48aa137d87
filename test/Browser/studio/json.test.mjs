// core/json.js and core/scan.js of the Studio against JSON.parse: random values, and random mistakes in their texts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { format, membersOf, objectOf, problemOf } from '../../../src/Studio/core/json.js';
import { childrenOf } from '../../../src/Studio/core/scan.js';

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
let state = seed;

/** A number below a bound. */
function random(bound) {
  state = (state * 1103515245 + 12345) % 2147483648;
  return Math.floor(state / 65536) % bound;
}

function value(depth) {
  switch (random(depth > 3 ? 5 : 7)) {
    case 0: return random(1000) - 500;
    case 1: return 'x"\\\n\u2028é{[,'.slice(random(8));
    case 2: return null;
    case 3: return random(2) === 0;
    case 4: return random(100) / 7e10;
    case 5: return Array.from({ length: random(4) }, () => value(depth + 1));
    default: return Object.fromEntries(Array.from({ length: random(4) }, (_, i) => [`k"${i}`, value(depth + 1)]));
  }
}

const document = () => ({ a: value(0), b: value(0), '@metadata': { c: value(2) } });

test(`formatting and taking apart keep every value (SEED=${seed})`, () => {
  for (let i = 0; i < 3000; i++) {
    const one = document();
    const text = JSON.stringify(one, null, random(3));
    assert.equal(problemOf(text), null, text);
    assert.deepEqual(JSON.parse(format(text)), one, text);
    assert.equal(format(format(text)), format(text));
    assert.deepEqual(JSON.parse(objectOf(membersOf(text))), one, text);
    assert.deepEqual([...membersOf(text).keys()], Object.keys(one));
  }
});

test(`a mistake is found exactly where JSON.parse finds one (SEED=${seed})`, () => {
  for (let i = 0; i < 20_000; i++) {
    const text = JSON.stringify(document(), null, random(3));
    const at = random(text.length);
    const changed = random(2) === 0 ? text.slice(0, at) + text.slice(at + 1) : text.slice(0, at) + '{}[]",:1e-. tn\\u\n'[random(17)] + text.slice(at);
    let isDocument = true;
    try {
      const parsed = JSON.parse(changed);
      isDocument = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
    } catch {
      isDocument = false;
    }

    const problem = problemOf(changed);
    assert.equal(problem === null, isDocument, JSON.stringify({ changed, problem }));
    assert.ok(problem === null || (problem.at >= 0 && problem.at <= changed.length));
  }
});

test('long numbers stay as they are', () => {
  const text = '{"n":12345678901234567890,"e":1e400,"z":0.10}';
  assert.equal(format(text).replaceAll(/\s/g, ''), text);
  assert.equal(objectOf(membersOf(text)), text);
});

test('a name that is there twice is refused, however it is written', () => {
  assert.throws(() => membersOf('{"a":1,"\\u0061":2}'), /twice/);
  assert.doesNotThrow(() => membersOf('{"a":{"a":1},"b":{"a":2}}'));
});

test(`children of a text are those of its value (SEED=${seed})`, async () => {
  for (let i = 0; i < 2000; i++) {
    const one = random(2) === 0 ? document() : [value(0), value(0), value(0)];
    const text = JSON.stringify(one);
    const { children, isAll } = await childrenOf(text, 0, 1000);
    assert.ok(isAll);
    assert.deepEqual(children.map(child => [String(child.name), JSON.parse(text.slice(child.start, child.end))]), Object.entries(one), text);
    const few = await childrenOf(text, 0, 1);
    assert.deepEqual(few, { children: children.slice(0, 1), isAll: children.length < 1 });
  }
});
