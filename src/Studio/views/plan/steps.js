/** The steps of a run, with what each took by itself. */

/**
 * @typedef {{ Operator: string, Detail?: string, DurationInUs: number, RowsIn?: number, RowsOut?: number, Terms?: number, Bytes?: number, Pages?: number,
 *   Steps: Sent[] }} Sent As the server sends it: the time of a step has that of the steps below it.
 * @typedef {{ path: string, name: string, detail: string, us: number, ownUs: number, share: number, rowsIn?: number, rowsOut?: number, terms?: number,
 *   bytes?: number, pages?: number, steps: Step[] }} Step share: of the time of the whole run, 0 to 1. path: names of steps, the same in similar runs.
 */

/** @param {Sent} sent @returns {Step} */
export const readSteps = sent => read(sent, '', Math.max(sent.DurationInUs, 1e-3));

/** @param {Sent} sent @param {string} path @param {number} wholeUs @returns {Step} */
function read(sent, path, wholeUs) {
  /** @type {Record<string, number>} */
  const seen = {};
  const steps = sent.Steps.map(step => {
    const number = seen[step.Operator] = (seen[step.Operator] ?? 0) + 1;
    return read(step, `${path}/${step.Operator}${number > 1 ? number : ''}`, wholeUs);
  });
  const ownUs = Math.max(0, sent.DurationInUs - sent.Steps.reduce((sum, step) => sum + step.DurationInUs, 0));
  return {
    path: path || '/', name: sent.Operator, detail: sent.Detail ?? '', us: sent.DurationInUs, ownUs, share: Math.min(1, ownUs / wholeUs), steps,
    rowsIn: sent.RowsIn, rowsOut: sent.RowsOut, terms: sent.Terms, bytes: sent.Bytes, pages: sent.Pages,
  };
}

/** @param {Step} root @returns {Step[]} parents before their children */
export const allSteps = root => [root, ...root.steps.flatMap(allSteps)];

/** The steps that take the most time by themselves. @param {Step} root @param {number} max */
export const worstOf = (root, max) => allSteps(root).sort((left, right) => right.ownUs - left.ownUs).slice(0, max);
