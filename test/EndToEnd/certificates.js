'use strict';
// Certificates of a secured server, as programs get and use them.
const fs = require('node:fs');
const zlib = require('node:zlib');

/** What official clients take: the administrator's certificate in one of its two files. */
const administrator = (server, type) => ({
  certificate: fs.readFileSync(server.key(`admin.client.${type}`)),
  type,
  ca: fs.readFileSync(server.key('ca.pem'))
});

/** A new certificate by an operation of the client: the PEM of the archive that the server answers. */
async function issue(store, ravendb, name, clearance, permissions) {
  const { rawData } = await store.maintenance.server.send(new ravendb.CreateClientCertificateOperation(name, permissions, clearance));
  const files = unzip(Buffer.from(rawData));
  return { certificate: files[`${name}.pem`], type: 'pem', ca: files['ca.pem'] };
}

const END_OF_ARCHIVE = 0x06054b50;
const END_BYTES = 22;

/** The files of an archive, by their names. */
function unzip(archive) {
  let end = archive.length - END_BYTES;
  while (end >= 0 && archive.readUInt32LE(end) !== END_OF_ARCHIVE) end--;
  if (end < 0) throw new Error('this is no zip archive');
  const files = {};
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const [method, size] = [archive.readUInt16LE(at + 10), archive.readUInt32LE(at + 20)];
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map(offset => archive.readUInt16LE(at + offset));
    const local = archive.readUInt32LE(at + 42);
    const name = archive.toString('utf8', at + 46, at + 46 + nameBytes);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const content = archive.subarray(start, start + size);
    files[name] = method === 0 ? content : zlib.inflateRawSync(content);
    at += 46 + nameBytes + extraBytes + commentBytes;
  }
  return files;
}

module.exports = { administrator, issue, unzip };
