/** A websocket of the server that is opened again when it is lost, and is closed while nobody looks at the page. */
import { effect, untracked } from '@preact/signals';
import { RequestError, send, socketAddress } from './http.js';
import { isVisible } from './visibility.js';

/** @typedef {'off' | 'connecting' | 'live' | 'lost'} SocketState off: nobody looks at the page. */

const RETRY_MS_MAX = 10_000;

/** The answer to a plain request for a websocket that the person may open. */
const UPGRADE_REQUIRED = 426;

/**
 * @param {{ path: string, received: (message: any) => void, changed: (state: SocketState) => void, refused?: (error: Error) => void,
 *   greet?: unknown[] }} options
 * greet: messages that are sent first. refused: the person may not open it, so that it is not tried again.
 * @returns {() => void} Closes it.
 */
export function openSocket({ path, received, changed, refused, greet = [] }) {
  return effect(() => {
    const isWanted = isVisible.value;
    return untracked(() => isWanted ? connecting() : changed('off')); // what is called back may read signals
  });

  /** Connects, again and again. */
  function connecting() {
    let isOpen = true;
    let attempts = 0;
    /** @type {WebSocket | undefined} */
    let socket;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let retry;
    const connect = () => {
      changed(attempts === 0 ? 'connecting' : 'lost');
      socket = new WebSocket(socketAddress(path));
      socket.onopen = () => greet.forEach(message => socket?.send(JSON.stringify(message)));
      socket.onmessage = message => {
        attempts = 0;
        changed('live');
        received(JSON.parse(message.data));
      };
      socket.onclose = async () => {
        const refusal = isOpen && attempts === 0 && refused ? await refusalOf(path) : null;
        if (!isOpen) return;
        if (refusal) {
          refused?.(refusal);
          return;
        }

        changed('lost');
        retry = setTimeout(connect, Math.min(RETRY_MS_MAX, 500 * 2 ** attempts++));
      };
    };
    connect();
    return () => {
      isOpen = false;
      clearTimeout(retry);
      socket?.close();
    };
  }
}

/** Browsers do not say why a websocket was refused; the server tells a plain request. @param {string} path @returns {Promise<Error | null>} */
async function refusalOf(path) {
  try {
    await send({ method: 'GET', path });
  } catch (error) {
    return error instanceof RequestError && error.status >= 400 && error.status < 500 && error.status !== UPGRADE_REQUIRED ? error : null;
  }

  return null;
}
