/** What somebody sees whom the server does not let in: who it thinks that is, and how to get in. */
import { html } from '../core/html.js';
import { Empty } from './loaded.js';

/** @param {{ error: Error, retry: () => void }} props */
export const Stranger = ({ error, retry }) => html`
  <${Empty} title="This server does not let you in" isAlone=${true}>
    <p>${error.message}</p>
    <p>Two ways in:</p>
    <ol>
      <li>On the machine of the server run <code>jackdaw login-link</code>, and open the link that it prints in this browser. It works once.</li>
      <li>Import a certificate, such as <code>admin.pfx</code> of the first start, into this browser, and open the page in a new window.</li>
    </ol>
    <button type="button" class="primary" onClick=${retry}>Try again</button>
  </${Empty}>`;
