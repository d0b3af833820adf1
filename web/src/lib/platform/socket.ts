// A WebSocket that reconnects with exponential backoff until it is closed.

import { RECONNECT_DELAY } from './time-limits';

export interface ReconnectingSocket {
  /** Sends a message; it is dropped while the socket is not connected. */
  send(message: unknown): void;
  close(): void;
}

export function openSocket<T>(
  path: () => string,
  on: { message: (message: T) => void; connected?: () => void; disconnected?: () => void },
): ReconnectingSocket {
  let socket: WebSocket | null = null;
  let delay = RECONNECT_DELAY.first;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  const connect = () => {
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
    socket = new WebSocket(`${scheme}//${location.host}/api/${path()}`);
    socket.onopen = () => {
      if (closed) return socket?.close();
      delay = RECONNECT_DELAY.first;
      on.connected?.();
    };
    socket.onmessage = (event) => {
      if (!closed) on.message(JSON.parse(String(event.data)) as T);
    };
    socket.onclose = () => {
      if (closed) return;
      on.disconnected?.();
      timer = setTimeout(connect, delay);
      delay = Math.min(delay * 2, RECONNECT_DELAY.longest);
    };
  };
  connect();
  return {
    send(message) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    },
    close() {
      closed = true;
      clearTimeout(timer);
      // Browsers log a warning if a socket is closed while connecting: `onopen` closes it instead.
      if (socket?.readyState !== WebSocket.CONNECTING) socket?.close();
    },
  };
}
