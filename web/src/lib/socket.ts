// A WebSocket that comes back: after a lost connection it tries again, ever more slowly, until it is closed.

const FIRST_WAIT = 250;
const LONGEST_WAIT = 4000;

export interface Following {
  send(message: unknown): void;
  close(): void;
}

export function follow<T>(
  path: () => string,
  on: { message: (message: T) => void; open?: () => void; lost?: () => void },
): Following {
  let socket: WebSocket | null = null;
  let wait = FIRST_WAIT;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  const connect = () => {
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
    socket = new WebSocket(`${scheme}//${location.host}/api/${path()}`);
    socket.onopen = () => {
      if (closed) return socket?.close();
      wait = FIRST_WAIT;
      on.open?.();
    };
    socket.onmessage = (event) => {
      if (!closed) on.message(JSON.parse(String(event.data)) as T);
    };
    socket.onclose = () => {
      if (closed) return;
      on.lost?.();
      timer = setTimeout(connect, wait);
      wait = Math.min(wait * 2, LONGEST_WAIT);
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
      // One that is still opening closes when it is open: browsers complain of one that is closed before.
      if (socket?.readyState !== WebSocket.CONNECTING) socket?.close();
    },
  };
}
