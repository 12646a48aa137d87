/** The rows of a collection, and the request behind them. */
import { get, inDatabase } from '../../core/http.js';
import { PagedRows } from '../../core/paged.js';
import { membersIn } from './columns.js';

/** @typedef {import('./grid.js').Row} Row */

/** Members that one page can have. */
const FIELDS_MAX = 50;

/**
 * @param {string} database @param {string | undefined} collection @param {string} prefix @param {string[] | null} columns null: those that the page has.
 * @param {Record<string, number | undefined>} more
 */
export function previewPath(database, collection, prefix, columns, more) {
  const given = Object.entries({ collection, startsWith: prefix || undefined, ...more }).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  for (const field of membersIn(columns ?? []).slice(0, FIELDS_MAX)) query.append('field', field);
  return inDatabase(database, `/docs/preview?${query}`);
}

/**
 * The rows of a list, all as of the moment of its first window, so that new documents move no row under the cursor.
 * @param {string} database @param {string | undefined} collection @param {string} prefix @param {string[] | null} columns
 */
export function openList(database, collection, prefix, columns) {
  /** @type {{ rows: PagedRows<Row>, fields: string[], isTotalExact: boolean, upTo: number | undefined }} */
  const list = {
    fields: [], isTotalExact: true, upTo: undefined,
    rows: new PagedRows(async (start, pageSize, signal) => {
      const answer = await get(previewPath(database, collection, prefix, columns, { start, pageSize, upTo: list.upTo }), { signal });
      list.upTo ??= answer.UpTo;
      list.isTotalExact = answer.IsTotalExact;
      if (start === 0) list.fields = answer.Columns;
      return { rows: answer.Results, total: answer.TotalResults };
    }),
  };
  list.rows.want(0, 0);
  return list;
}
