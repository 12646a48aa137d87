/** Data of the server that is asked for again and again while somebody looks. */
import { useEffect } from 'preact/hooks';
import { useResource } from './resource.js';
import { isVisible } from './visibility.js';

/**
 * @template T
 * @param {string} key @param {(signal: AbortSignal) => Promise<T>} load @param {number} everyMs After an answer.
 * @param {(data: T) => boolean} [isLast] Whether nothing more is to come.
 * @returns {import('./resource.js').Resource<T>}
 */
export function usePolled(key, load, everyMs, isLast = () => false) {
  const resource = useResource(key, load);
  const isWatched = isVisible.value;
  useEffect(() => {
    const isOver = !resource.error && resource.data !== undefined && isLast(resource.data);
    if (resource.isLoading || !isWatched || isOver) return undefined;
    const timer = setTimeout(resource.reload, everyMs);
    return () => clearTimeout(timer);
  }, [resource.isLoading, isWatched, resource.data]);
  return resource;
}
