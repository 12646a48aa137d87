/** The routes of the server, from which paths, parameters and bodies of a request are offered. */
import { counted } from '../../core/format.js';
import { html } from '../../core/html.js';
import { get } from '../../core/http.js';
import { useResource } from '../../core/resource.js';

/** @typedef {{ Name: string, Meaning: string, Example: string, IsRequired: boolean }} Parameter */
/** @typedef {{ Method: string, Path: string, Access: string, Summary: string, Parameters: Parameter[], Body: string | null }} Route */

/** The paths of a database begin with it. @param {string} database */
export function useRoutes(database) {
  const resource = useResource('routes', async signal => /** @type {Route[]} */ ((await get('/routes', { signal })).Routes));
  const here = `/databases/${encodeURIComponent(database)}`;
  const routes = (resource.data ?? []).map(route => ({ ...route, Path: route.Path.replace('/databases/{database}', here) }));
  return { routes, error: resource.error };
}

/** The route of a path. @param {Route[]} routes @param {string} method @param {string} path */
export function routeOf(routes, method, path) {
  const asked = path.split('?')[0].toLowerCase();
  return routes.find(route => route.Method === method && route.Path.toLowerCase() === asked);
}

/** A path with the parameters that its route needs. @param {Route} route */
export const pathWithExamples = route => route.Parameters.filter(one => one.IsRequired).reduce(withParameter, route.Path);

/** A path with one more parameter. @param {string} path @param {Parameter} parameter */
export const withParameter = (path, parameter) =>
  `${path}${path.includes('?') ? '&' : '?'}${parameter.Name}=${encodeURIComponent(parameter.Example).replaceAll('%2F', '/')}`;

/**
 * What the server says of a route.
 * @param {{ route: Route, add: (parameter: Parameter) => void, fill: (body: string) => void }} props
 */
export function Described({ route, add, fill }) {
  return html`
    <div class="described">
      <p>${route.Summary} <span class="hint">Needs ${route.Access}.</span></p>
      ${route.Parameters.length > 0 && html`
        <details>
          <summary>${counted(route.Parameters.length, 'parameter')}</summary>
          <dl class="facts" tabindex="0">${route.Parameters.map(one => html`
            <dt key=${one.Name}><button type="button" class="link mono" title="Add it with an example" onClick=${() => add(one)}>${one.Name}</button></dt>
            <dd>${one.IsRequired && html`<strong>Required. </strong>`}${one.Meaning}</dd>`)}
          </dl>
        </details>`}
      ${route.Body !== null && html`<button type="button" onClick=${() => fill(route.Body ?? '')}>Fill in an example</button>`}
    </div>`;
}
