/** Keeps what is below the mouse where it is. */
import { useRef, useState } from 'preact/hooks';

/**
 * A value that stays as it is while the mouse is over what shows it.
 * @template T
 * @param {T} value @param {string} [key] Another one takes the new value at once.
 * @returns {{ steady: T, hands: { onPointerEnter: () => void, onPointerLeave: () => void } }} hands: for the element that shows it.
 */
export function useSteady(value, key = '') {
  const [isPointed, setPointed] = useState(false);
  const kept = useRef({ value, key });
  if (!isPointed || kept.current.key !== key) kept.current = { value, key };
  return { steady: kept.current.value, hands: { onPointerEnter: () => setPointed(true), onPointerLeave: () => setPointed(false) } };
}
