// What the storage view computes from a report: parts and rows whose sums are the bytes of the disk, places of boxes, and problems.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxesOf, fit } from '../../../src/Studio/views/storage/boxes.js';
import { problemsOf } from '../../../src/Studio/views/storage/problems.js';
import { dataOf, divide, namersOf, numbersOf, partsOf, rowsOf } from '../../../src/Studio/views/storage/report.js';

const PAGE = 8192;
const ROUNDS = 300;

/** Numbers that look random and are the same in each run. */
function randomOf(seed) {
  let state = seed;
  return most => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor(state / 2147483648 * (most + 1));
  };
}

const sum = (all, of) => all.reduce((total, one) => total + of(one), 0);

function storageOf(random, at) {
  const list = Array.from({ length: random(30) }, (_, i) => ({ Name: `t${i}`, Kind: 'BTree', Entries: 1, Depth: 1, Pages: random(200) }));
  const Trees = random(9) === 0 ? undefined : list;
  const FreePages = random(50);
  return {
    Name: `i/${at}`, Kind: at === 0 ? 'Documents' : 'Index', Folder: at === 0 ? '' : `Indexes/${at}`,
    DataBytes: random(4000) * 4096, DataLength: 0, OtherBytes: random(9) * 4096, OwnJournalBytes: random(3) * 1_048_576, SharedJournalBytes: random(5) * 4096,
    ...(Trees ? { Trees, FreePages, Pages: sum(Trees, tree => tree.Pages) + FreePages + random(4) } : {}),
  };
}

function reportOf(random) {
  const Storages = Array.from({ length: 1 + random(random(1) * 400) }, (_, at) => storageOf(random, at));
  const [SharedJournalBytes, OtherBytes] = [random(9) * 16_777_216, random(9) * 4096];
  const TotalBytes = sum(Storages, one => one.DataBytes + one.OtherBytes + one.OwnJournalBytes) + SharedJournalBytes + OtherBytes;
  return { TotalBytes, SharedJournalBytes, OtherBytes, PageBytes: PAGE, Storages, Journals: [] };
}

const leavesOf = part => part.parts ? part.parts.flatMap(leavesOf) : [part];

test('leaves and rows of any report are all its bytes, none twice', () => {
  const random = randomOf(7);
  for (let round = 0; round < ROUNDS; round++) {
    const report = reportOf(random);
    const root = partsOf(report);
    const leaves = leavesOf(root);
    assert.equal(sum(leaves, one => one.bytes), report.TotalBytes, `round ${round}`);
    assert.ok(leaves.every(one => one.bytes > 0 && Number.isInteger(one.bytes)), `round ${round}`);
    assert.ok(leaves.length <= 1000 && root.parts.length <= 63, `${leaves.length} leaves`);
    for (const part of root.parts) assert.equal(sum(leavesOf(part), one => one.bytes), part.bytes, `${part.name}, round ${round}`);
    const keys = root.parts.map(part => part.key);
    assert.equal(new Set(keys).size, keys.length);
    assert.equal(sum(rowsOf(report), row => row.sum) + report.SharedJournalBytes + report.OtherBytes, report.TotalBytes);
  }
});

test('a data file has its trees, its headers, and what is free', () => {
  const storage = { DataBytes: 20 * PAGE, Pages: 12, FreePages: 3, Trees: [{ Pages: 5 }, { Pages: 2 }] };
  assert.deepEqual(dataOf(storage, PAGE), { trees: [5 * PAGE, 2 * PAGE], headers: 2 * PAGE, free: 11 * PAGE });
  assert.deepEqual(dataOf({ DataBytes: 4096 }, PAGE), { trees: [], headers: 4096, free: 0 }, 'nobody knows what is in a storage that is not open');
});

test('pages that only a journal has take no bytes of the data file', () => {
  const { trees, headers, free } = dataOf({ DataBytes: PAGE, Pages: 12, FreePages: 0, Trees: [{ Pages: 9 }, { Pages: 1 }] }, PAGE);
  assert.equal(trees[0] + trees[1] + headers, PAGE);
  assert.equal(free, 0);
  assert.ok(trees[0] > trees[1]);
  assert.deepEqual(dataOf({ DataBytes: 0, Pages: 0, FreePages: 0, Trees: [] }, PAGE), { trees: [], headers: 0, free: 0 });
});

test('bytes are divided without a loss', () => {
  assert.deepEqual(divide(10, [1, 1, 1]), [3, 4, 3]);
  assert.deepEqual(divide(100, [0, 100, 0]), [0, 100, 0]);
  assert.equal(sum(divide(2 ** 45 - 1, [2 ** 44, 3, 2 ** 43 + 1]), one => one), 2 ** 45 - 1);
});

test('storages that are behind say by how many transactions, and closed ones say nothing', () => {
  const random = randomOf(3);
  const [open, closed] = [{ ...storageOf(random, 1), TransactionId: 9, FlushedTransaction: 7, SyncedTransaction: 5 }, { Name: 'c', Folder: 'c', DataBytes: 1 }];
  const rows = rowsOf({ Storages: [open, closed], PageBytes: PAGE });
  assert.deepEqual([rows[0].transaction, rows[0].unflushed, rows[0].unsynced], [9, 2, 4]);
  assert.deepEqual([rows[1].transaction, rows[1].unflushed, rows[1].unsynced], [null, null, null]);
});

test('hundreds of storages of one size are sixty boxes and one more', () => {
  const one = { Kind: 'Index', DataBytes: 8192, OtherBytes: 0, OwnJournalBytes: 0 };
  const Storages = Array.from({ length: 301 }, (_, at) => ({ ...one, Name: `${at}`, Folder: `${at}` }));
  const { parts } = partsOf({ TotalBytes: 301 * 8192, SharedJournalBytes: 0, OtherBytes: 0, PageBytes: PAGE, Storages, Journals: [] });
  assert.equal(parts.length, 61);
  assert.deepEqual([parts[60].name, parts[60].bytes], ['241 smaller storages', 241 * 8192]);
});

test('boxes fill the picture in proportion, and do not overlap', () => {
  const halves = bytes => [{ key: 'a', name: '', kind: 'tree', bytes: bytes / 2 }, { key: 'b', name: '', kind: 'free', bytes: bytes / 2 }];
  const parts = [8, 4, 2, 1, 1].map((bytes, at) => ({ key: `${at}`, name: '', kind: 'storage', bytes, parts: halves(bytes) }));
  const root = { key: 'r', name: 'r', kind: 'storage', bytes: 0, parts };
  const boxes = boxesOf(root, 1000, 300);
  assert.deepEqual(boxes.map(box => box.part.key), ['0', '1', '2', '3', '4']);
  const area = box => box.width * box.height;
  assert.ok(Math.abs(area(boxes[0]) / 300_000 - 0.5) < 0.02, `${area(boxes[0])}`);
  for (const [at, box] of boxes.entries()) {
    for (const inner of box.boxes) {
      assert.ok(inner.x >= box.x && inner.y >= box.y);
      assert.ok(inner.x + inner.width <= box.x + box.width && inner.y + inner.height <= box.y + box.height);
    }
    for (const other of boxes.slice(at + 1)) {
      assert.ok(box.x + box.width <= other.x || other.x + other.width <= box.x || box.y + box.height <= other.y || other.y + other.height <= box.y);
    }
  }
  assert.deepEqual(boxesOf({ ...root, parts: [] }, 1000, 300), []);
});

test('a name is cut to its box, and left out where nothing of it fits', () => {
  assert.equal(fit('documents', { width: 200, height: 40 }), 'documents');
  assert.match(fit('a very long name of an index', { width: 80, height: 40 }), /^a very.*…$/);
  assert.equal(fit('documents', { width: 20, height: 40 }), '');
  assert.equal(fit('documents', { width: 200, height: 10 }), '');
});

test('a journal has the numbers and the storages of its names, each once', () => {
  const named = (Storage, Name, Number) => ({ Storage, Name, Number });
  const journal = { Names: [named('documents', 'a', 12), named('i', 'b', 3), named('i', 'c', 12), named('j', 'x')] };
  assert.deepEqual(numbersOf(journal), [3, 12]);
  assert.deepEqual(namersOf(journal), ['documents', 'i', 'j']);
});

test('problems are what keeps space or memory; a short read is none', () => {
  const well = { JournalProblem: null, JournalDeletionProblem: null, FailedJournalDeletions: 0, PinnedJournals: [], OldestReader: null };
  const reader = { Kind: 'Stream', AgeMilliseconds: 1000, TransactionId: 5, RetainedScratchBytes: 4096, RetainedJournals: 2, RetainedJournalBytes: 2048 };
  assert.deepEqual(problemsOf(well, []), []);
  assert.deepEqual(problemsOf({ ...well, OldestReader: reader }, []), []);
  assert.deepEqual(problemsOf({ ...well, OldestReader: { ...reader, AgeMilliseconds: 60_000, RetainedScratchBytes: 0, RetainedJournals: 0 } }, []), []);
  const [long] = problemsOf({ ...well, OldestReader: { ...reader, AgeMilliseconds: 60_000 } }, []);
  assert.match(`${long.title} ${long.text}`, /1 min 0 s.*stream of documents.*transaction 5.*4\.00 KB of memory and 2 journals, 2\.00 KB/);
  const PinnedJournals = [{ Branch: '/data/Databases/a/Indexes/7', Files: 5, Bytes: 1024 }, { Branch: '/elsewhere', Files: 1, Bytes: 2 }];
  const ill = { ...well, JournalProblem: 'no space.', JournalDeletionProblem: 'no right.', FailedJournalDeletions: 3, PinnedJournals };
  const many = problemsOf(ill, [{ Folder: '', Name: 'documents' }, { Folder: 'Indexes/7', Name: 'Orders/7' }]);
  assert.deepEqual(many.map(one => one.title), [
    'The next journal cannot be prepared', 'A journal cannot be deleted', '“Orders/7” keeps 5 journals, 1.00 KB', '“/elsewhere” keeps 1 journal, 2 bytes',
  ]);
  assert.match(many[1].text, /no right\. It failed 3 times/);
  const damaged = problemsOf(well, [{ Kind: 'Documents', Name: 'documents' }, { Kind: 'Index', Name: 'Orders/7', Problem: 'Page 3 is damaged.' }]);
  assert.deepEqual(damaged, [{ title: '“Orders/7” cannot be read', text: 'Page 3 is damaged. Reset the index: it is built again from the documents.' }]);
});
