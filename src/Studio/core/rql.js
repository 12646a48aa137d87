/** Names and texts in queries. */

const WORDS = new Set(['as', 'select', 'where', 'load', 'group', 'order', 'include', 'update', 'offset', 'limit', 'scale', 'filter', 'filter_limit', 'from',
  'index', 'true', 'false', 'null', 'not', 'and', 'or', 'between', 'in', 'all', 'declare', 'distinct']);

/** A text in quotes: a name or a value. @param {string} text */
export const inRql = text => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** A name that begins a path or names a source, with quotes where it needs them. @param {string} name */
export const nameInRql = name => /^[\p{L}_@][\p{L}\p{N}_@-]*$/u.test(name) && !WORDS.has(name.toLowerCase()) ? name : inRql(name);
