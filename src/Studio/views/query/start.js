/** What a person sees who has not asked yet: queries to begin with, made from the collections that are there. */
import { html } from '../../core/html.js';
import { get, inDatabase } from '../../core/http.js';
import { useResource } from '../../core/resource.js';
import { nameInRql } from '../../core/rql.js';
import { Empty, Loaded } from '../../parts/loaded.js';

const EXAMPLES_MAX = 6;

/** @param {{ database: string, open: (query: import('./request.js').Query) => void }} props */
export function Start({ database, open }) {
  const counts = useResource(database, signal => get(inDatabase(database, '/collections/stats'), { signal }));
  return html`
    <${Loaded} resource=${counts} what="the collections">
      ${(/** @type {{ Collections: Record<string, number> }} */ data) => {
        const names = Object.entries(data.Collections).filter(([name]) => !name.startsWith('@')).sort(([, left], [, right]) => right - left);
        return html`
          <${Empty} title="Ask this database">
            <p>Type a query above; Ctrl+Space shows what fits, Ctrl+Enter runs it.${names.length > 0 ? ' To begin with:' : ''}</p>
            ${names.length === 0 && html`<p>There is no document yet, so that no query finds anything.</p>`}
            ${names.slice(0, EXAMPLES_MAX).map(([name]) => {
              const text = `from ${nameInRql(name)}`;
              return html`<button key=${name} type="button" class="example mono" onClick=${() => open({ text, parameters: {} })}>${text}</button>`;
            })}
          </${Empty}>`;
      }}
    </${Loaded}>`;
}
