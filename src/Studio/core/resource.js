/** Data of the server in a view: loading, ready, failed, or old while new data comes. */
import { useEffect, useRef, useState } from 'preact/hooks';

/**
 * @template T
 * @typedef {{ data: T | undefined, error: Error | undefined, isLoading: boolean, reload: () => void }} Resource
 */

/**
 * Loads data, again whenever the key changes. A load that is no longer wanted is cancelled, and its answer is never shown.
 * @template T
 * @param {string} key What is loaded; data of another key is never shown.
 * @param {(signal: AbortSignal) => Promise<T>} load
 * @returns {Resource<T>}
 */
export function useResource(key, load) {
  const [state, setState] = useState(/** @type {{ key: string, data?: T, error?: Error, isLoading: boolean }} */ ({ key, isLoading: true }));
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    const stop = new AbortController();
    setState(before => before.key === key ? { ...before, isLoading: true } : { key, isLoading: true });
    latest.current(stop.signal).then(
      data => stop.signal.aborted || setState({ key, data, isLoading: false }),
      error => stop.signal.aborted || setState(before => ({ ...before, error, isLoading: false })),
    );
    return () => stop.abort();
  }, [key, round]);
  const shown = state.key === key ? state : { data: undefined, error: undefined, isLoading: true };
  return { data: shown.data, error: shown.error, isLoading: shown.isLoading, reload: () => setRound(before => before + 1) };
}
