/** The indexes of a database as rows: an index and the one that will replace it are one. */

const REPLACEMENT = 'ReplacementOf/';

/**
 * @typedef {{ Name: string, Type: string, State: string, Status: string, LockMode: string, Priority: string, IsStale: boolean, EntriesCount: number,
 *   ErrorsCount: number, SearchEngineType: string, LastQueryingTime: string | null, LastIndexingTime: string | null, MappedPerSecondRate: number,
 *   MapAttempts: number, MapErrors: number, ReduceAttempts: number, CreatedTimestamp: string, IsInvalidIndex: boolean, SourceType: string,
 *   VectorFields?: { Name: string, Recall?: string }[] }} Stats
 * @typedef {{ NumberOfItemsToProcess: number, NumberOfTombstonesToProcess: number, TotalNumberOfItems: number }} SourceProgress
 * @typedef {{ Name: string, IsStale: boolean, ProcessedPerSecond: number, EstimatedRemainingTime: string | null, Collections: Record<string,
 *   SourceProgress> }} Progress
 * @typedef {{ stats: Stats, progress: Progress | undefined, left: number, total: number, remaining: string }} IndexState
 * @typedef {IndexState & { replacement: IndexState | undefined }} Row
 */

/** @param {Stats[]} stats @param {Progress[]} progress @returns {Row[]} */
export function rowsOf(stats, progress) {
  const states = new Map(stats.map(one => [one.Name, stateOf(one, progress.find(other => other.Name === one.Name))]));
  return [...states.values()]
    .filter(one => !one.stats.Name.startsWith(REPLACEMENT) || !states.has(one.stats.Name.slice(REPLACEMENT.length)))
    .map(one => ({ ...one, replacement: states.get(REPLACEMENT + one.stats.Name) }));
}

/** @param {Stats} stats @param {Progress | undefined} progress @returns {IndexState} */
function stateOf(stats, progress) {
  const sources = Object.values(progress?.Collections ?? {});
  const left = sources.reduce((sum, one) => sum + one.NumberOfItemsToProcess + one.NumberOfTombstonesToProcess, 0);
  return { stats, progress, left, total: sources.reduce((sum, one) => sum + one.TotalNumberOfItems, 0), remaining: remainingOf(progress, left) };
}

/** The time that an index needs, in words; empty when nothing is left or nobody knows. @param {Progress | undefined} progress @param {number} left */
function remainingOf(progress, left) {
  const match = /^(?:(\d+)\.)?(\d+):(\d+):(\d+)/.exec(progress?.EstimatedRemainingTime ?? '');
  if (!match || left === 0) return '';
  const [days, hours, minutes, seconds] = match.slice(1).map(part => Number(part ?? 0));
  const all = ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
  return all === 0 ? 'a moment' : all < 60 ? `${all} s` : all < 3600 ? `${Math.round(all / 60)} min` : `${(all / 3600).toFixed(1)} h`;
}

/** What an index does, in a word, and how good that is. @param {Stats} stats @returns {{ word: string, kind: 'online' | 'loading' | 'error' | 'disabled' }} */
export function conditionOf(stats) {
  if (stats.IsInvalidIndex || stats.State === 'Error') return { word: 'Faulty', kind: 'error' };
  if (stats.State === 'Disabled' || stats.Status === 'Disabled') return { word: 'Disabled', kind: 'disabled' };
  if (stats.Status === 'Paused') return { word: 'Paused', kind: 'disabled' };
  if (stats.State === 'Idle') return { word: 'Idle', kind: 'disabled' };
  return stats.IsStale ? { word: 'Working', kind: 'loading' } : { word: 'Up to date', kind: 'online' };
}

/** What kind of index it is. @param {Stats} stats */
export const kindOf = ({ Type }) => ({
  Map: 'Map', MapReduce: 'Map-reduce', AutoMap: 'Auto map', AutoMapReduce: 'Auto map-reduce', JavaScriptMap: 'JavaScript map',
  JavaScriptMapReduce: 'JavaScript map-reduce', Faulty: 'Faulty',
})[Type] ?? Type;

/** @param {Stats} stats */
export const isAuto = ({ Name }) => Name.startsWith('Auto/');
