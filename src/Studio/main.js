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

/** The views of the server, by the first part of the address. @type {Record<string, ViewOf>} */
const OF_SERVER = { performance: PERFORMANCE };

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
  console: { title: 'HTTP console', link: 'HTTP console', load: () => import('./views/console/view.js') },
};

const LINKS = Object.entries(OF_DATABASE).filter(([, view]) => view.link).map(([id, view]) => ({ id, title: /** @type {string} */ (view.link) }));

/** @param {string[]} parts @returns {ViewOf | undefined} */
function find(parts) {
  if (parts.length === 0) return DATABASES;
  const [views, name] = parts[0] === 'db' ? [OF_DATABASE, parts[2]] : [OF_SERVER, parts[0]];
  return Object.hasOwn(views, name ?? '') ? views[name] : undefined;
}

function Studio() {
  const { parts, query } = place.value;
  const view = find(parts);
  useEffect(() => {
    document.title = [view?.title, parts[1], 'Jackdaw'].filter(Boolean).join(' · ');
  });
  return html`<${Frame} links=${LINKS}>
    ${!view ? html`<${Nowhere} />` : html`
      <${Late} key=${parts.slice(0, 3).join('/')} load=${view.load} what=${`the view ${view.title}`}>
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
