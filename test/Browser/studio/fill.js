'use strict';
// Documents for a test.
const { expect } = require('../../EndToEnd/claims');

/** Documents of one transaction. */
const BATCH = 5000;

/** Writes documents, given as pairs of an id and a text, into a database, which is created if it is not there. */
async function fill(url, database, documents) {
  await fetch(`${url}/admin/databases?name=${database}`, { method: 'PUT', body: JSON.stringify({ DatabaseName: database }) });
  for (let i = 0; i < documents.length; i += BATCH) {
    const Commands = documents.slice(i, i + BATCH).map(([Id, Document]) => ({ Type: 'PUT', Id, Document }));
    const answer = await fetch(`${url}/databases/${database}/bulk_docs`, { method: 'POST', body: JSON.stringify({ Commands }) });
    expect(answer.status === 201, await answer.text());
  }
}

/** A document of a collection. */
const of = (collection, fields) => ({ ...fields, '@metadata': { '@collection': collection } });

module.exports = { fill, of };
