/** Marks the first mistake of a JSON text in an editor. */
import { linter } from '@codemirror/lint';
import { problemOf } from '../core/json.js';

export const jsonLinter = linter(view => {
  const problem = problemOf(view.state.doc.toString());
  if (!problem) return [];
  const length = view.state.doc.length;
  const from = Math.min(problem.at, Math.max(0, length - 1));
  return [{ from, to: Math.min(length, from + 1), severity: 'error', message: problem.message }];
}, { delay: 200 });
