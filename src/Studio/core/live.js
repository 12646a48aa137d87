/** The statistics that the server sends once a second, for all parts of the page that show some. One websocket, only while somebody looks. */
import { computed, effect, signal } from '@preact/signals';
import { joined } from './history.js';
import { openSocket } from './socket.js';

/**
 * @typedef {{ Requests: number, Commands: number, Batches: number, Commits: number, JournalBytes: number, JournalMicroseconds: number, FlushBytes: number,
 *   JournalP50Microseconds?: number, JournalP99Microseconds?: number, NotModified?: number, Waiting?: number, Queued?: number, OpenReads?: number,
 *   IndexedDocuments?: number, ReducedGroups?: number, IndexJournalBytes?: number, IndexFlushBytes?: number }} DatabaseRates
 * @typedef {{ At: string, Seconds: number, ProcessorMilliseconds: number, HeapBytes: number, GcPauseMilliseconds: number, Gen0Collections?: number,
 *   Gen1Collections?: number, Gen2Collections?: number, Databases: Record<string, DatabaseRates> }} Sample
 * @typedef {{ Name: string, State: 'Online' | 'Disabled' | 'Loading' | 'Error' | 'NotLoaded', Problems?: string[], SizeBytes?: number, Documents?: number,
 *   Indexes?: number, StaleIndexes?: number }} DatabaseState
 */

/** The samples of the last 15 minutes, oldest first. */
export const samples = signal(/** @type {Sample[]} */ ([]));

/** The databases as they are now; null until the server has said so. */
export const states = signal(/** @type {DatabaseState[] | null} */ (null));

/** How the feed is doing. 'off' when nobody looks. */
export const feed = signal(/** @type {import('./socket.js').SocketState} */ ('off'));

const SAMPLES_MAX = 900;
const users = signal(0);
const rounds = signal(0);
const isWanted = computed(() => users.value > 0);

/** Keeps the feed open until the returned function is called. */
export function followLive() {
  users.value++;
  return () => void users.value--;
}

/** Connects at once, where the next attempt would come later. */
export const retryLive = () => void rounds.value++;

effect(() => {
  rounds.value;
  if (!isWanted.value) {
    change('off');
    samples.value = [];
    return undefined;
  }

  return openSocket({ path: '/live/statistics', received: receive, changed: change });
});

/** Samples stay while the page is hidden: what it has missed comes with the next connection. @param {import('./socket.js').SocketState} state */
function change(state) {
  feed.value = state;
  if (state !== 'live') states.value = null;
}

/** @param {{ History?: Sample[], Samples?: Sample[], States: DatabaseState[] }} message */
function receive(message) {
  if (message.History) samples.value = joined(samples.peek(), message.History, SAMPLES_MAX);
  if (message.Samples) samples.value = [...samples.peek(), ...message.Samples].slice(-SAMPLES_MAX);
  states.value = message.States;
}
