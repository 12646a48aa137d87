/** Files for the person who looks. */

/** Saves a text or the bytes of an answer as a file. @param {string} name @param {string | Blob} content @param {string} type */
export function save(name, content, type) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  follow(url, name);
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Lets the browser fetch a file of the server, which never passes through the page. @param {string} path @param {string} [name] if the server gives none */
export const download = (path, name = '') => follow(path, name);

/** @param {string} address @param {string} name */
function follow(address, name) {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}
