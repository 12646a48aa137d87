/** What the server's parser says about a query while it is typed. */
import { inDatabase, send } from '../../core/http.js';

/** @typedef {{ Start: number, End: number, Kind: string }} Token */
/** @typedef {{ Start: number, End: number, Message: string, Severity: 'Error' | 'Warning' }} Remark */
/** @typedef {{ Text: string, Kind: string, Detail: string }} Item */
/**
 * @typedef {{ Tokens: Token[], Remarks: Remark[], Parameters: string[], HasUpdate: boolean,
 *   Completion?: { Start: number, End: number, Items: Item[], HasMore: boolean } }} Parsed
 */

/**
 * @param {string} database
 * @param {string} text
 * @param {{ signal?: AbortSignal, position?: number, parameters?: string[] }} [options]
 * @returns {Promise<Parsed>}
 */
export const parse = (database, text, { signal, position, parameters = [] } = {}) => send({
  method: 'POST', path: inDatabase(database, '/queries/parse'),
  body: { Query: text, Position: position, QueryParameters: Object.fromEntries(parameters.map(name => [name, null])) },
}, { signal });
