/** The request behind a view, to copy: as curl, as C#, and as RQL where there is a query. */
import { useState } from 'preact/hooks';
import { html } from '../core/html.js';
import { CopyButton } from './copy.js';
import { Dialog } from './dialog.js';
import { Tabs } from './tabs.js';

/** @typedef {import('../core/http.js').Asked} Asked */

/** @param {string} text */
const inShell = text => `'${text.replaceAll("'", "'\\''")}'`;

/** @param {unknown} body */
const textOf = body => typeof body === 'string' ? body : JSON.stringify(body);

/** @param {Asked} asked */
export function asCurl(asked) {
  const method = asked.method === 'GET' ? '' : ` -X ${asked.method}`;
  const body = asked.body === undefined ? '' : ` \\\n  -H 'Content-Type: application/json' \\\n  -d ${inShell(textOf(asked.body))}`;
  return `curl${method} ${inShell(location.origin + asked.path)}${body}`;
}

/** @param {string} text */
const inCSharp = text => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}"`;

/** @param {Asked} asked */
export function asCSharp(asked) {
  const method = asked.method.charAt(0) + asked.method.slice(1).toLowerCase();
  const content = asked.body === undefined
    ? ''
    : `\n{\n    Content = new StringContent(${inCSharp(textOf(asked.body))}, Encoding.UTF8, "application/json"),\n}`;
  return `using var http = new HttpClient { BaseAddress = new Uri(${inCSharp(location.origin)}) };\n`
    + `using HttpResponseMessage answer = await http.SendAsync(new HttpRequestMessage(HttpMethod.${method}, ${inCSharp(asked.path)})${content});\n`
    + 'string json = await answer.Content.ReadAsStringAsync();';
}

/** @param {{ asked: Asked, curl?: string, csharp?: string, rql?: string }} props csharp: with the client, where it has a call. curl: of a websocket. */
export function RequestBehind({ asked, curl, csharp, rql }) {
  const [isOpen, setOpen] = useState(false);
  return html`
    <button type="button" class="quiet" onClick=${() => setOpen(true)} title="The request behind this view">{ } Request</button>
    ${isOpen && html`<${Dialog} title="The request behind this view" close=${() => setOpen(false)} isWide=${true}>
      <${Forms} asked=${asked} curl=${curl} csharp=${csharp} rql=${rql} />
    </${Dialog}>`}`;
}

/** @param {{ asked: Asked, curl?: string, csharp?: string, rql?: string }} props */
function Forms({ asked, curl, csharp, rql }) {
  const [shown, show] = useState('curl');
  const forms = [
    { id: 'curl', title: 'curl', text: curl ?? asCurl(asked) },
    { id: 'csharp', title: 'C#', text: csharp ?? asCSharp(asked) },
    ...(rql ? [{ id: 'rql', title: 'RQL', text: rql }] : []),
  ];
  const tabs = forms.map(({ id, title, text }) => ({ id, title, content: () => html`<${Snippet} text=${text} />` }));
  return html`<${Tabs} tabs=${tabs} shown=${shown} show=${show} label="Forms of the request" />`;
}

/** @param {{ text: string }} props */
export const Snippet = ({ text }) => html`<div class="snippet"><pre tabindex="0">${text}</pre><${CopyButton} text=${text} /></div>`;
