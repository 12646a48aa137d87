/** A part of the page whose module is loaded when it is first shown. */
import { useEffect, useState } from 'preact/hooks';
import { html } from '../core/html.js';
import { Failed, Waiting } from './loaded.js';

/**
 * @template Module
 * @param {{ load: () => Promise<Module>, what: string, children: (module: Module) => any }} props what: as the object of a sentence.
 */
export function Late({ load, what, children }) {
  const [module, setModule] = useState(/** @type {Module | null} */ (null));
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  useEffect(() => {
    // A module may be a function for the state; it is kept as it is.
    load().then(loaded => setModule(() => loaded), setError);
  }, []);
  // A module that failed once fails until the page is loaded again.
  if (error) return html`<${Failed} error=${error} what=${what} retry=${() => location.reload()} />`;
  return module ? children(module) : html`<${Waiting} what=${what} />`;
}
