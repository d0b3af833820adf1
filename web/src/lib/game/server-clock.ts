// The difference between the browser's clock and the server's, estimated from the times of messages.

import { CLOCK_JUMP } from '../platform/time-limits';

export class ServerClock {
  /** The browser's time minus the server's. */
  private difference = Infinity;

  /**
   * Notes that a message which the server sent at `sent` has arrived at `now`. The fastest message is the best estimate, and
   * late messages must not make the players' clocks jump.
   */
  observe(sent: number, now: number): void {
    const difference = now - sent;
    if (difference < this.difference || difference > this.difference + CLOCK_JUMP)
      this.difference = difference;
  }

  /** Converts a time of the server to the browser's. */
  toBrowser(time: number): number {
    return time + this.difference;
  }
}
