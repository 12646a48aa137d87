/** An editor of JSON, which marks the first mistake. */
import { json } from '@codemirror/lang-json';
import { linter } from '@codemirror/lint';
import { html } from '../core/html.js';
import { problemOf } from '../core/json.js';
import { Editor } from './editor.js';

const jsonLinter = linter(view => {
  const problem = problemOf(view.state.doc.toString());
  if (!problem) return [];
  const length = view.state.doc.length;
  const from = Math.min(problem.at, Math.max(0, length - 1));
  return [{ from, to: Math.min(length, from + 1), severity: 'error', message: problem.message }];
}, { delay: 200 });

export const JSON_LANGUAGE = { all: [json()], writing: [jsonLinter] };

/** @param {{ text: string, label: string, change?: (text: string) => void, isReadOnly?: boolean, save?: () => void }} props */
export const JsonEditor = props => html`<${Editor} language=${JSON_LANGUAGE} ...${props} />`;
