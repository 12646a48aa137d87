/** Something that a person starts: once at a time, with its failure shown where it was started. */
import { useState } from 'preact/hooks';
import { html } from '../core/html.js';

/**
 * @template {any[]} Input
 * @param {(...input: Input) => Promise<void>} work
 * @returns {{ run: (...input: Input) => Promise<void>, isRunning: boolean, error: Error | null }}
 */
export function useAction(work) {
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const run = async (/** @type {Input} */ ...input) => {
    if (isRunning) return;
    setRunning(true);
    setError(null);
    try {
      await work(...input);
    } catch (failure) {
      setError(/** @type {Error} */ (failure));
    } finally {
      setRunning(false);
    }
  };
  return { run, isRunning, error };
}

/** @param {{ error: Error | null }} props */
export const Problem = ({ error }) => error && html`<p class="notice failed" role="alert">${error.message}</p>`;
