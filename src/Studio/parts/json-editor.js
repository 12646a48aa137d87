/** An editor of JSON, which marks the first mistake. */
import { json } from '@codemirror/lang-json';
import { html } from '../core/html.js';
import { Editor } from './editor.js';
import { jsonLinter } from './json-lint.js';

export const JSON_LANGUAGE = { all: [json()], writing: [jsonLinter] };

/** @param {{ text: string, label: string, change?: (text: string) => void, isReadOnly?: boolean, save?: () => void }} props */
export const JsonEditor = props => html`<${Editor} language=${JSON_LANGUAGE} ...${props} />`;
