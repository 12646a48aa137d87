'use strict';

const GONE = /ECONNRE|socket|fetch failed|AllTopologyNodesDown|terminated|hang up|other side closed|network/i;

/** What a client sees of a server that is gone, and what else a part expects; any other error is a finding. */
function isConnectionError(error, also) {
  const text = `${error.name} ${error.message} ${error.cause?.message ?? ''}`;
  return GONE.test(text) || Boolean(also?.test(text));
}

const pause = ms => new Promise(resolve => setTimeout(resolve, ms));

module.exports = { isConnectionError, pause };
