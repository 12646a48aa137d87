/** A form of something that is stored: what a person types stays while it is loaded again, and the form says when it is saved. */
import { useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { useAction } from '../../parts/action.js';

/**
 * @param {unknown} stored What is stored now.
 * @param {() => void} take Shows what is stored; not called while something is typed that is not saved.
 * @param {() => Promise<void>} save
 */
export function useStoredForm(stored, take, save) {
  const isSaved = useSignal(false);
  const isTyped = useSignal(false);
  useLayoutEffect(() => {
    if (!isTyped.peek()) take();
  }, [JSON.stringify(stored)]);
  const { run, isRunning, error } = useAction(async () => {
    await save();
    isSaved.value = true;
    isTyped.value = false;
  });
  const typed = () => {
    isSaved.value = false;
    isTyped.value = true;
  };
  return { run, isRunning, error, typed, isSaved: isSaved.value && !isRunning };
}
