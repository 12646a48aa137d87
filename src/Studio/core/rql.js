/** Texts in queries. */

/** A text in quotes: a name or a value. @param {string} text */
export const inRql = text => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
