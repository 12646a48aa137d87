/** The lines with which a program connects to a database. */
import { useState } from 'preact/hooks';
import { html } from '../../core/html.js';
import { inDatabase } from '../../core/http.js';
import { Snippet } from '../../parts/behind.js';
import { Dialog } from '../../parts/dialog.js';
import { Tabs } from '../../parts/tabs.js';

/** @param {string} text For a string literal of C# and JavaScript. */
const quoted = text => JSON.stringify(text);

/** @param {string} name */
function snippets(name) {
  const url = location.origin;
  const isSecured = location.protocol === 'https:';
  return [
    {
      id: 'csharp', title: 'C#', text: 'using Jackdaw.Client;\n\n'
        + `using var store = new DocumentStore(${quoted(url)}, ${quoted(name)})${isSecured ? '\n{\n    CertificateFile = "client.pfx",\n}' : ''};\n`
        + 'using var session = store.OpenAsyncSession();\nvar first = await session.Query<dynamic>().Take(10).ToListAsync();',
    },
    {
      id: 'node', title: 'Node', text: `import { DocumentStore } from 'ravendb';\n${isSecured ? "import { readFileSync } from 'node:fs';\n" : ''}\n`
        + `const store = new DocumentStore(${quoted(url)}, ${quoted(name)}${isSecured ? ", { certificate: readFileSync('client.pem'), type: 'pem' }" : ''});\n`
        + 'store.initialize();\nconst session = store.openSession();\nconst first = await session.query({ collection: \'@all_docs\' }).take(10).all();',
    },
    {
      id: 'curl', title: 'curl', text: `curl ${isSecured ? '--cacert ca.crt --cert client.pem ' : ''}'${url}${inDatabase(name, '/docs')}?pageSize=10'`,
    },
  ];
}

/** @param {{ name: string, close: () => void }} props */
export function Connect({ name, close }) {
  const [shown, show] = useState('csharp');
  const tabs = snippets(name).map(({ id, title, text }) => ({ id, title, content: () => html`<${Snippet} text=${text} />` }));
  return html`
    <${Dialog} title=${`Connect to ${name}`} close=${close} isWide=${true}>
      <${Tabs} tabs=${tabs} shown=${shown} show=${show} label="Languages" />
      ${location.protocol === 'https:' && html`<p>A program needs a certificate: <code>jackdaw cert create</code> on the machine of the server makes one.</p>`}
    </${Dialog}>`;
}
