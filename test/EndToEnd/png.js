'use strict';
// Pictures as PNG files: a number says exactly which, byte for byte.
const zlib = require('node:zlib');

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const made = new Map();

/** A picture of its own colours and size; the same number is the same file. */
function png(number) {
  let file = made.get(number);
  if (!file) made.set(number, (file = make(number)));
  return file;
}

function make(number) {
  const width = 24 + (number % 73);
  const height = 24 + ((number * 7) % 61);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits for each of red, green and blue.
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Buffer.alloc(height * (1 + width * 3));
  let state = number + 1;
  for (let y = 0, at = 0; y < height; y++) {
    // No filter for this row.
    rows[at++] = 0;
    for (let x = 0; x < width * 3; x++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      rows[at++] = ((x * number) ^ (y * 5) ^ (state >>> 27)) & 0xff;
    }
  }
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', zlib.deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(zlib.crc32(body));
  return Buffer.concat([length, body, sum]);
}

module.exports = { png };
