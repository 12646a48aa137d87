/** Data of the server that is asked for again and again while somebody looks. */
import { useEffect } from 'preact/hooks';
import { useResource } from './resource.js';
import { isVisible } from './visibility.js';

/**
 * @template T
 * @param {string} key @param {(signal: AbortSignal) => Promise<T>} load @param {number} everyMs After an answer.
 * @returns {import('./resource.js').Resource<T>}
 */
export function usePolled(key, load, everyMs) {
  const resource = useResource(key, load);
  const isWatched = isVisible.value;
  useEffect(() => {
    if (resource.isLoading || !isWatched) return undefined;
    const timer = setTimeout(resource.reload, everyMs);
    return () => clearTimeout(timer);
  }, [resource.isLoading, isWatched, resource.data]);
  return resource;
}
