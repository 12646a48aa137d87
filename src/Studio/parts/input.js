/** Handlers of what a person enters. */

/** @template T @typedef {import('@preact/signals').Signal<T>} Signal */

/** @param {Signal<string>} target @returns {(event: any) => void} */
export const textInto = target => event => (target.value = event.target.value);

/** A handler of a form that stays on the page. @param {() => void} act @returns {(event: Event) => void} */
export const submitting = act => event => {
  event.preventDefault();
  act();
};

/** @param {Signal<boolean>} target @returns {(event: any) => void} */
export const flagInto = target => event => (target.value = event.target.checked);
