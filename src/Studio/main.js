/** The Studio: a frame, and a view for each address. A view is loaded when it is first opened. */
import { Component, render } from 'preact';
import { useEffect } from 'preact/hooks';
import { html } from './core/html.js';
import { place } from './core/router.js';
import { Frame } from './parts/frame.js';
import { Late } from './parts/late.js';
import { Empty, Failed } from './parts/loaded.js';

/** @typedef {{ title: string, load: () => Promise<{ View: any }> }} ViewOf */

/** @type {ViewOf} */
const DATABASES = { title: 'Databases', load: () => import('./views/databases/view.js') };

/** The performance view shows one database, or all together. @type {ViewOf} */
const PERFORMANCE = { title: 'Performance', load: () => import('./views/performance/view.js') };

/** The other views of the server, by the first part of the address. Those with a link stand at the top. @type {Record<string, ViewOf & { link?: string }>} */
const OF_SERVER = {
  performance: PERFORMANCE,
  access: { title: 'Access', link: 'Access', load: () => import('./views/access/view.js') },
};

/** The views of a database, by the third part of the address. Those with a link stand in the side bar. @type {Record<string, ViewOf & { link?: string }>} */
const OF_DATABASE = {
  doc: { title: 'Document', load: () => import('./views/document/view.js') },
  docs: { title: 'Documents', link: 'Documents', load: () => import('./views/documents/view.js') },
  query: { title: 'Query', link: 'Query', load: () => import('./views/query/view.js') },
  plan: { title: 'Plan', load: () => import('./views/plan/view.js') },
  indexes: { title: 'Indexes', link: 'Indexes', load: () => import('./views/indexes/view.js') },
  index: { title: 'Index', load: () => import('./views/index/view.js') },
  live: { title: 'Live', link: 'Live', load: () => import('./views/live/view.js') },
  performance: { ...PERFORMANCE, link: 'Performance' },
  storage: { title: 'Storage', link: 'Storage', load: () => import('./views/storage/view.js') },
  tasks: { title: 'Tasks and settings', link: 'Tasks and settings', load: () => import('./views/tasks/view.js') },
  console: { title: 'HTTP console', link: 'HTTP console', load: () => import('./views/console/view.js') },
};

/** @param {Record<string, ViewOf & { link?: string }>} views */
const linksOf = views => Object.entries(views).filter(([, view]) => view.link).map(([id, view]) => ({ id, title: /** @type {string} */ (view.link) }));

const LINKS = linksOf(OF_DATABASE);
const LINKS_OF_SERVER = linksOf(OF_SERVER);

/**
 * The view of an address, and what of the address it stays the same view for.
 * @param {string[]} parts @returns {{ view: ViewOf | undefined, key: string }}
 */
function find(parts) {
  const [first = '', , third = ''] = parts;
  if (first === '') return { view: DATABASES, key: '' };
  if (Object.hasOwn(OF_SERVER, first)) return { view: OF_SERVER[first], key: first };
  return { view: first === 'db' && Object.hasOwn(OF_DATABASE, third) ? OF_DATABASE[third] : undefined, key: parts.slice(0, 3).join('/') };
}

function Studio() {
  const { parts, query } = place.value;
  const { view, key } = find(parts);
  useEffect(() => {
    document.title = [view?.title, parts[0] === 'db' && parts[1], 'Jackdaw'].filter(Boolean).join(' · ');
  });
  return html`<${Frame} links=${LINKS} linksOfServer=${LINKS_OF_SERVER}>
    ${!view ? html`<${Nowhere} />` : html`
      <${Late} key=${key} load=${view.load} what=${`the view ${view.title}`}>
        ${(/** @type {{ View: any }} */ { View }) => html`
          <${Guarded} address=${parts.join('/') + query}><${View} parts=${parts} query=${query} /></${Guarded}>`}
      </${Late}>`}
  </${Frame}>`;
}

/** A fault in one view leaves the rest of the page working. */
class Guarded extends Component {
  /** @type {{ error: Error | null }} */
  state = { error: null };

  /** @param {Error} error */
  static getDerivedStateFromError(error) {
    return { error };
  }

  /** Another address may work. @param {any} before */
  componentDidUpdate(before) {
    if (this.state.error && before.address !== /** @type {any} */ (this.props).address) this.setState({ error: null });
  }

  render() {
    const { error } = this.state;
    return error ? html`<${Failed} error=${error} what="this view" retry=${() => this.setState({ error: null })} />` : this.props.children;
  }
}

const Nowhere = () => html`
  <${Empty} title="There is no such view" isAlone=${true}><p>The address may be mistyped. <a href="#/">All databases</a></p></${Empty}>`;

render(html`<${Studio} />`, document.body);
