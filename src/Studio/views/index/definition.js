/** A definition of an index as a person edits it: its maps, its reduce, and everything else as JSON. */
import { format } from '../../core/json.js';

/** @typedef {{ name: string, maps: string[], reduce: string, rest: string }} Edited rest: the other members, as JSON. */

/** Members that the editor has fields for, and those that the server adds. */
const OWN = ['Name', 'Maps', 'Reduce'];
const ADDED = ['Type', 'SourceType'];

const FIRST_MAP = `from order in docs.Orders
select new
{
    order.Company
}`;

/** @returns {Edited} */
export const newDefinition = () => ({ name: '', maps: [FIRST_MAP], reduce: '', rest: '{}' });

/** @param {any} stored As the server sends it. @returns {Edited} */
export function edit(stored) {
  const others = Object.entries(stored).filter(([name, value]) => !OWN.includes(name) && !ADDED.includes(name) && !isEmpty(value));
  return { name: stored.Name, maps: stored.Maps, reduce: stored.Reduce ?? '', rest: format(JSON.stringify(Object.fromEntries(others))) };
}

/** @param {Edited} edited @returns {any} As it is put. Throws when the rest is not JSON. */
export function toPut({ name, maps, reduce, rest }) {
  return { ...JSON.parse(rest.trim() || '{}'), Name: name.trim(), Maps: maps.filter(map => map.trim()), Reduce: reduce.trim() ? reduce : null };
}

/** The same as a text, for comparing. @param {Edited} edited */
export const toText = ({ name, maps, reduce, rest }) => [
  `// ${name}`, ...maps.flatMap((map, at) => ['', `// map ${at + 1}`, map]), ...(reduce.trim() ? ['', '// reduce', reduce] : []),
  '', '// everything else', rest,
].join('\n');

/** Scripts of JavaScript begin with a call. @param {Edited} edited */
export const isJavaScript = ({ maps }) => /^\s*(?:\/\/.*\n|\s)*(?:map|timeSeries|counters)\s*\(|^\s*(?:function|const|var|let)\s/.test(maps[0] ?? '');

/** Where a mistake is, as the server says it. @typedef {{ part: 'map' | 'reduce', at: number, line: number, column: number, message: string }} Mistake */

/** @param {string} message Of the server. @returns {Mistake | null} null when it names no place. */
export function mistakeIn(message) {
  const csharp = /(?:Maps\[(\d+)\]|(Reduce))\((\d+),(\d+)\): ([^]*)/.exec(message);
  if (csharp) return { part: csharp[2] ? 'reduce' : 'map', at: Number(csharp[1] ?? 0), line: Number(csharp[3]), column: Number(csharp[4]), message: csharp[5] };
  const script = /^([^]*) \(at (\d+):(\d+) of (?:map (\d+)|(the reduce|reduce))\)/.exec(message);
  if (!script) return null;
  return { part: script[5] ? 'reduce' : 'map', at: Number(script[4] ?? 1) - 1, line: Number(script[2]), column: Number(script[3]), message: script[1] };
}

/** @param {unknown} value */
const isEmpty = value => value === null || (typeof value === 'object' && Object.keys(value).length === 0);
