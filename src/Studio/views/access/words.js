/** Lines of the audit log as a person would say them. */
import { shorten } from '../../core/format.js';

/**
 * @typedef {{ time: string, kind: string, outcome: 'begun' | 'done' | 'failed' | 'refused', who?: string, thumbprint?: string, session?: string, from?: string,
 *   route?: string, database?: string, status?: number, action?: number, count?: number, details?: Record<string, string> }} AuditLine
 */

/** Characters of a name in a sentence; all of it stands in the fields of the line. */
const SHOWN_MAX = 80;

/** @type {Record<string, string>} */
export const KINDS = {
  refusal: 'refusals', certificate: 'certificates', session: 'links and sessions', database: 'databases', index: 'indexes', setting: 'settings',
  'change-by-query': 'changes by query',
};

/** @type {Record<string, string>} */
export const OUTCOMES = { begun: 'begun', done: 'done', failed: 'failed', refused: 'refused' };

/** What routes do; {…} stands for details of the line. @type {Record<string, string>} */
const ACTIONS = {
  'POST /admin/certificates': 'Make the certificate {name}',
  'PUT /admin/certificates': 'Add the certificate {name}',
  'DELETE /admin/certificates': 'Delete the certificate {name}',
  'POST /admin/certificates/edit': 'Change the certificate {name}',
  'POST /admin/certificates/renew': 'Renew the certificate {name}',
  'POST /admin/certificates/renew-server': 'Renew the certificate of the server',
  'POST /admin/certificates/replace-cluster-cert': 'Replace the certificate of the server',
  'POST /admin/certificates/rotate-ca': 'Replace the authority',
  'POST /admin/metrics-tokens': 'Make the token {token} for metrics',
  'DELETE /admin/metrics-tokens': 'Revoke the token {token} for metrics',
  'POST /admin/login-links': 'Make a login link for {clearance}',
  'DELETE /admin/login-links': 'Withdraw the login link {link}',
  'POST /login': 'Log in with a link',
  'POST /logout': 'Log out',
  'DELETE /admin/sessions': 'End the session {session}',
  'PUT /admin/databases': 'Create or change the database',
  'DELETE /admin/databases': 'Delete databases',
  'POST /admin/databases/enable': 'Enable databases',
  'POST /admin/databases/disable': 'Disable databases',
  'POST /admin/databases/set-lock': 'Lock or unlock databases',
  'POST /admin/compact': 'Compact a database',
  'PUT /databases/{database}/admin/indexes': 'Store indexes',
  'PUT /databases/{database}/indexes': 'Store indexes',
  'DELETE /databases/{database}/indexes': 'Delete the index {name}',
  'RESET /databases/{database}/indexes': 'Build the index {name} again',
  'POST /databases/{database}/admin/indexes/start': 'Resume indexes',
  'POST /databases/{database}/admin/indexes/stop': 'Pause indexes',
  'POST /databases/{database}/admin/indexes/enable': 'Enable the index {name}',
  'POST /databases/{database}/admin/indexes/disable': 'Disable the index {name}',
  'POST /databases/{database}/admin/indexes/try': 'Try an index',
  'POST /databases/{database}/indexes/try': 'Try an index',
  'PATCH /databases/{database}/queries': 'Change documents by a query',
  'DELETE /databases/{database}/queries': 'Delete documents by a query',
  'POST /admin/logs/configuration': 'Change what the server logs',
  'PUT /admin/analyzers': 'Store analyzers for the whole server',
  'DELETE /admin/analyzers': 'Delete the analyzer {name}',
  'PUT /admin/sorters': 'Store sorters for the whole server',
  'DELETE /admin/sorters': 'Delete the sorter {name}',
  'POST /admin/operations/kill': 'Kill the operation {operationId}',
  'POST /databases/{database}/admin/expiration/config': 'Change when documents expire',
  'POST /databases/{database}/admin/refresh/config': 'Change when documents are refreshed',
  'POST /databases/{database}/admin/revisions/config': 'Change which revisions are kept',
  'POST /databases/{database}/admin/revisions/revert': 'Revert documents to a time',
  'DELETE /databases/{database}/admin/revisions': 'Delete revisions',
  'POST /databases/{database}/admin/documents-compression/config': 'Change how documents are compressed',
  'PUT /databases/{database}/admin/configuration/settings': 'Change the settings of the database',
  'POST /databases/{database}/indexes/set-lock': 'Lock or unlock indexes',
  'POST /databases/{database}/indexes/set-priority': 'Change the priority of indexes',
  'POST /databases/{database}/studio/sample-data': 'Write the sample data',
};

/** Names that people chose must not turn the words around them. @param {string} text */
const isolated = text => `\u2068${shorten(text, SHOWN_MAX)}\u2069`;

/** What was done, or what somebody wanted. @param {AuditLine} line */
export function actionOf(line) {
  const action = line.kind === 'refusal' ? wantedOf(line) : doneOf(line);
  const ofDatabase = line.database !== undefined && line.route !== undefined ? ` (${isolated(line.database)})` : '';
  return `${action}${ofDatabase}${line.count ? `, ${line.count} times` : ''}`;
}

/** @param {AuditLine} line */
function doneOf({ route, details = {} }) {
  if (route === undefined) return 'Something';
  const words = ACTIONS[route];
  if (words === undefined) return `Send ${route}`;
  return words.replaceAll(/ ?\{(\w+)\}/g, (_, name) => details[name] ? ` ${isolated(details[name])}` : '');
}

/** @param {AuditLine} line */
function wantedOf({ route, details = {} }) {
  if (route === 'POST /login') return 'Came with a link that does not work';
  const what = route === undefined ? 'Wanted to connect' : `Wanted ${route}`;
  if (details.needs) return `${what}, which needs ${details.needs}`;
  if (details.origin || details.host) return `${what}, from a page of ${isolated(details.origin || details.host)}`;
  return details.reason ? `${what}: ${details.reason}` : what;
}

/** @param {AuditLine} line */
export const outcomeOf = line => `${OUTCOMES[line.outcome] ?? line.outcome}${line.status && line.outcome === 'failed' ? `, ${line.status}` : ''}`;

/** The class that marks it. @param {AuditLine} line */
export const markOf = line => line.outcome === 'done' ? 'online' : line.outcome === 'begun' ? 'disabled' : 'error';
