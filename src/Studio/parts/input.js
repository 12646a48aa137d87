/** Handlers that put what a person enters into a signal. */

/** @template T @typedef {import('@preact/signals').Signal<T>} Signal */

/** @param {Signal<string>} target @returns {(event: any) => void} */
export const textInto = target => event => (target.value = event.target.value);

/** @param {Signal<boolean>} target @returns {(event: any) => void} */
export const flagInto = target => event => (target.value = event.target.checked);
