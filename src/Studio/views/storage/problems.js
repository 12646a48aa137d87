/** What keeps space or memory that could be free, and what that means. Pure functions. */
import { counted, duration, size } from '../../core/format.js';

/**
 * @typedef {{ Kind: string, AgeMilliseconds: number, TransactionId: number, RetainedScratchBytes: number, RetainedJournals: number,
 *   RetainedJournalBytes: number }} OldestReader
 * @typedef {{ JournalProblem: string | null, JournalDeletionProblem: string | null, FailedJournalDeletions: number,
 *   PinnedJournals: { Branch: string, Files: number, Bytes: number }[], OldestReader: OldestReader | null }} Work
 * @typedef {{ title: string, text: string }} Problem
 */

/** A read of a shorter time is no problem: it ends by itself. */
const READ_MS_MAX = 2000;

/** @type {Record<string, string>} */
const READERS = {
  Load: 'documents that are read by their ids', List: 'a page of documents', Stream: 'a stream of documents', Index: 'a batch of an index',
  Statistics: 'statistics', Write: 'a write', Flush: 'a flush', Verification: 'a verification',
};

/** @param {Work} work @param {import('./report.js').Storage[]} storages @returns {Problem[]} */
export function problemsOf(work, storages) {
  const problems = storages.filter(storage => storage.Problem).map(ofStorage);
  if (work.JournalProblem) {
    problems.push({
      title: 'The next journal cannot be prepared',
      text: `${work.JournalProblem} Writes go on while the current journal has room; after that they fail unless the next one can be made by then.`,
    });
  }

  if (work.JournalDeletionProblem) {
    problems.push({
      title: 'A journal cannot be deleted',
      text: `${work.JournalDeletionProblem} It failed ${counted(work.FailedJournalDeletions, 'time')}. The journal takes space until it works; `
        + 'the server tries again with each sync.',
    });
  }

  for (const { Branch, Files, Bytes } of work.PinnedJournals) {
    problems.push({
      title: `“${nameOf(Branch, storages)}” keeps ${counted(Files, 'journal')}, ${size(Bytes)}`,
      text: 'It has not written what they hold to its own data file, so that they stay although the other storages need them no longer.',
    });
  }

  const reader = work.OldestReader;
  if (reader && reader.AgeMilliseconds > READ_MS_MAX && (reader.RetainedScratchBytes > 0 || reader.RetainedJournals > 0)) problems.push(ofReader(reader));
  return problems;
}

/** @param {import('./report.js').Storage} storage @returns {Problem} */
const ofStorage = ({ Name, Kind, Problem = '' }) => ({
  title: `“${Name}” cannot be read`,
  text: `${Problem} ${Kind === 'Index'
    ? 'Reset the index: it is built again from the documents.'
    : 'Stop the server and run “jackdaw verify”: it says what is damaged.'}`,
});

/** @param {OldestReader} reader @returns {Problem} */
function ofReader(reader) {
  const kept = [
    reader.RetainedScratchBytes > 0 && `${size(reader.RetainedScratchBytes)} of memory`,
    reader.RetainedJournals > 0 && `${counted(reader.RetainedJournals, 'journal')}, ${size(reader.RetainedJournalBytes)},`,
  ].filter(Boolean).join(' and ');
  return {
    title: `A read has been open for ${duration(reader.AgeMilliseconds)}`,
    text: `It is ${READERS[reader.Kind] ?? 'of another kind'} and sees the documents as of transaction ${reader.TransactionId}. `
      + `It keeps ${kept} that would be free without it. It should end soon; a client that reads a stream slowly makes it long.`,
  };
}

/** A branch is named by the path of its folder. @param {string} path @param {import('./report.js').Storage[]} storages */
const nameOf = (path, storages) => storages.find(one => one.Folder && path.replaceAll('\\', '/').endsWith(`/${one.Folder}`))?.Name ?? path;
