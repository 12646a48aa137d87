/** Files for the person who looks. */

/** Saves a text as a file. @param {string} name @param {string} text @param {string} type */
export function save(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  follow(url, name);
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Lets the browser fetch a file of the server, which never passes through the page. @param {string} path */
export const download = path => follow(path, '');

/** @param {string} address @param {string} name */
function follow(address, name) {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}
