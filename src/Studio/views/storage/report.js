/** The storage report as rows and as parts of parts. Every byte of it stands in one row, and in one part that has no parts. Pure functions. */
import { counted } from '../../core/format.js';

/**
 * @typedef {{ Name: string, Kind: string, Entries: number, Depth: number, Pages: number }} Tree
 * @typedef {{ Name: string, Kind: string, Folder: string, DataBytes: number, DataLength: number, OtherBytes: number, OwnJournalBytes: number,
 *   SharedJournalBytes: number, TransactionId?: number, FlushedTransaction?: number, SyncedTransaction?: number, ScratchBytes?: number, Pages?: number,
 *   FreePages?: number, Trees?: Tree[], Problem?: string }} Storage The optional figures are missing when the storage is not open, or has a problem.
 * @typedef {{ Storage: string, Name: string, Number?: number }} JournalName
 * @typedef {{ Bytes: number, Length: number, Links: number, Names: JournalName[] }} Journal
 * @typedef {{ TotalBytes: number, SharedJournalBytes: number, OtherBytes: number, PageBytes: number, Storages: Storage[], Journals: Journal[] }} Report
 * @typedef {{ key: string, storage: Storage, name: string, data: number, free: number, own: number, shared: number, other: number, sum: number,
 *   transaction: number | null, unflushed: number | null, unsynced: number | null }} Row unflushed, unsynced: transactions behind; null: not known.
 * @typedef {'storage' | 'tree' | 'free' | 'headers' | 'own' | 'shared' | 'other' | 'smaller'} PartKind
 * @typedef {{ key: string, name: string, kind: PartKind, bytes: number, parts?: Part[] }} Part
 */

/** Boxes of storages; more could not be told apart. */
const STORAGES_MAX = 60;

/** A part below this share of the database is gathered with the others that are so small. */
const SHARE_MIN = 1 / 500;

/** @template T @param {T[]} all @param {(one: T) => number} of */
const sumOf = (all, of) => all.reduce((sum, one) => sum + of(one), 0);

/** What names a storage in an address; no folder has the name of the dot. @param {Storage} storage */
export const keyOf = storage => storage.Folder || '.';

/** Divides whole bytes in proportion. Sums are rounded, so that no byte is lost. @param {number} bytes @param {number[]} weights Not negative, not all 0. */
export function divide(bytes, weights) {
  const each = bytes / sumOf(weights, one => one);
  let weight = 0;
  let given = 0;
  return weights.map(one => {
    weight += one;
    const part = Math.round(weight * each) - given;
    given += part;
    return part;
  });
}

/**
 * What the bytes of a data file are for. Pages that only a journal has by now do not count yet; holes of the file take nothing.
 * @param {Storage} storage @param {number} pageBytes @returns {{ trees: number[], headers: number, free: number }} Their sum is the bytes of the file.
 */
export function dataOf({ Trees, Pages = 0, FreePages = 0, DataBytes }, pageBytes) {
  if (!Trees) return { trees: [], headers: DataBytes, free: 0 };
  const reserved = Math.max(0, Pages - FreePages - sumOf(Trees, tree => tree.Pages));
  const wanted = [...Trees.map(tree => tree.Pages), reserved].map(pages => pages * pageBytes);
  const used = Math.min(DataBytes, sumOf(wanted, one => one));
  const shares = used > 0 ? divide(used, wanted) : wanted.map(() => 0);
  return { trees: shares.slice(0, -1), headers: shares[shares.length - 1], free: DataBytes - used };
}

/** @param {Report} report @returns {Row[]} */
export const rowsOf = report => report.Storages.map(storage => ({
  key: keyOf(storage),
  storage,
  name: storage.Name,
  data: storage.DataBytes,
  free: dataOf(storage, report.PageBytes).free,
  own: storage.OwnJournalBytes,
  shared: storage.SharedJournalBytes,
  other: storage.OtherBytes,
  sum: storage.DataBytes + storage.OwnJournalBytes + storage.OtherBytes,
  transaction: storage.TransactionId ?? null,
  unflushed: behind(storage.TransactionId, storage.FlushedTransaction),
  unsynced: behind(storage.TransactionId, storage.SyncedTransaction),
}));

/** @param {number | undefined} newest @param {number | undefined} done */
const behind = (newest, done) => newest === undefined || done === undefined ? null : Math.max(0, newest - done);

/** The database as parts: storages with what is in them, journals that several share, and the rest. @param {Report} report @returns {Part} */
export function partsOf(report) {
  const bytesMin = report.TotalBytes * SHARE_MIN;
  const storages = rowsOf(report).map(row => partOf(row, report.PageBytes, bytesMin));
  return {
    key: 'database', name: 'database', kind: 'storage', bytes: report.TotalBytes,
    parts: some([
      ...gather(storages, bytesMin, STORAGES_MAX, count => counted(count, 'smaller storage')),
      { key: 'shared', name: 'shared journals', kind: 'shared', bytes: report.SharedJournalBytes },
      { key: 'other', name: 'other files', kind: 'other', bytes: report.OtherBytes },
    ]),
  };
}

/** @param {Row} row @param {number} pageBytes @param {number} bytesMin @returns {Part} */
function partOf(row, pageBytes, bytesMin) {
  const { storage } = row;
  const data = dataOf(storage, pageBytes);
  /** @type {Part[]} */
  const parts = [
    ...data.trees.map((bytes, at) => /** @type {Part} */ ({ key: `tree/${at}`, name: storage.Trees?.[at].Name ?? '', kind: 'tree', bytes })),
    { key: 'free', name: 'free', kind: 'free', bytes: data.free },
    { key: 'headers', name: storage.Trees ? 'headers and page maps' : 'data', kind: storage.Trees ? 'headers' : 'tree', bytes: data.headers },
    { key: 'other', name: 'headers, lock and folders', kind: 'other', bytes: row.other },
    { key: 'own', name: 'own journals', kind: 'own', bytes: row.own },
  ];
  return {
    key: row.key, name: row.name, kind: 'storage', bytes: row.sum,
    parts: gather(some(parts), bytesMin, parts.length, count => counted(count, 'smaller part')),
  };
}

/** @param {Part[]} parts */
const some = parts => parts.filter(part => part.bytes > 0);

/**
 * The larger parts, and one for all the others.
 * @param {Part[]} parts @param {number} bytesMin @param {number} most @param {(count: number) => string} nameOf @returns {Part[]}
 */
function gather(parts, bytesMin, most, nameOf) {
  const sorted = parts.toSorted((left, right) => right.bytes - left.bytes);
  const small = sorted.findIndex((part, at) => at >= most || part.bytes < bytesMin);
  if (small < 0 || small === sorted.length - 1) return sorted;
  const rest = sorted.slice(small);
  return [...sorted.slice(0, small), { key: 'smaller', name: nameOf(rest.length), kind: 'smaller', bytes: sumOf(rest, one => one.bytes) }];
}

/** The numbers under which storages know a journal. @param {Journal} journal @returns {number[]} */
export const numbersOf = journal => [...new Set(journal.Names.flatMap(name => name.Number ?? []))].sort((left, right) => left - right);

/** The storages that name a journal, each once. @param {Journal} journal */
export const namersOf = journal => [...new Set(journal.Names.map(name => name.Storage))];
