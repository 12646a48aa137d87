/** Requests to the server that the page came from. No other module sends any. */

/** What a view asks for, as it can be shown and copied. @typedef {{ method: string, path: string, body?: unknown }} Asked */

/** Reading a longer answer takes so long that the page draws a frame before it goes on. */
const LARGE_CHARACTERS = 200_000;

/** A request that failed, with what the server says about it. */
export class RequestError extends Error {
  /** @param {number} status 0 when the server could not be reached. @param {string} message */
  constructor(status, message) {
    super(message);
    this.name = 'RequestError';
    this.status = status;
  }

  /** Whether the server knows who asks and does not let this person do it. */
  get isRefused() {
    return this.status === 401 || this.status === 403;
  }
}

/** @typedef {{ signal?: AbortSignal, headers?: Record<string, string> }} Options */

/** Sends a request. @param {Asked} asked @param {Options} [options] @returns {Promise<any>} The body of the answer; null when it has none. */
export async function send(asked, options) {
  const text = await readText(asked, options);
  if (text.length <= LARGE_CHARACTERS) return text ? JSON.parse(text) : null;
  await nextTask();
  const body = JSON.parse(text);
  await nextTask();
  return body;
}

const nextTask = () => new Promise(resolve => setTimeout(resolve));

/** The text of an answer, with numbers as the server wrote them. @param {Asked} asked @param {Options} [options] */
export async function readText(asked, options) {
  const response = await ask(asked, options);
  const text = await textOf(response);
  if (!response.ok) throw problemOf(response.status, text);
  return text;
}

/** A file that the server makes. @param {Asked} asked @returns {Promise<{ name: string, content: Blob }>} */
export async function readFile(asked) {
  const response = await ask(asked);
  if (!response.ok) throw problemOf(response.status, await textOf(response));
  const [, name = 'file'] = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '') ?? [];
  return { name, content: await response.blob() };
}

/** @param {Asked} asked @param {Options} [options] */
async function ask(asked, options = {}) {
  const hasBody = asked.body !== undefined;
  try {
    return await fetch(asked.path, {
      method: asked.method,
      signal: options.signal,
      headers: { Accept: 'application/json', ...(hasBody ? { 'Content-Type': 'application/json' } : {}), ...options.headers },
      body: hasBody ? bodyOf(asked.body) : undefined,
    });
  } catch (failure) {
    if (options.signal?.aborted) throw failure;
    throw new RequestError(0, 'The server does not answer. It may be stopped, or the network may be down.');
  }
}

/**
 * Sends what a person wrote, and gives the answer as it is, whatever its status.
 * @param {{ method: string, path: string, headers: [string, string][], body: string | undefined }} written @param {AbortSignal} signal
 * @returns {Promise<{ status: number, reason: string, headers: [string, string][], text: string }>}
 */
export async function exchange({ method, path, headers, body }, signal) {
  const response = await fetch(path, { method, headers, body, signal, redirect: 'manual' }).catch(failure => {
    if (signal.aborted) throw failure;
    throw new RequestError(0, `The request was not answered. ${failure.message}`);
  });
  return { status: response.status, reason: response.statusText, headers: [...response.headers], text: await textOf(response) };
}

/** @param {string} path @param {Options} [options] @returns {Promise<any>} The body of the answer. */
export const get = (path, options) => send({ method: 'GET', path }, options);

/** The path of a database. @param {string} database @param {string} rest */
export const inDatabase = (database, rest) => `/databases/${encodeURIComponent(database)}${rest}`;

/** The address of a websocket. @param {string} path */
export const socketAddress = path => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${path}`;

/** The body as it comes, because a long text at once would hold up the page. @param {Response} response */
async function textOf(response) {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  const parts = [];
  for (let part = await reader.read(); !part.done; part = await reader.read()) parts.push(decoder.decode(part.value, { stream: true }));
  return parts.join('') + decoder.decode();
}

/** What is sent of a body. @param {unknown} body */
const bodyOf = body => typeof body === 'string' || body instanceof Blob ? body : JSON.stringify(body);

/** @param {number} status @param {string} text */
function problemOf(status, text) {
  try {
    const problem = JSON.parse(text);
    return new RequestError(status, problem.Message ?? problem.Error ?? text);
  } catch {
    return new RequestError(status, text || `The server answered with the status ${status}.`);
  }
}
