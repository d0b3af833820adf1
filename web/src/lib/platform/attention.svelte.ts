// Calling the player back to the page: the document's title and icon, and notifications.

import { settings } from './settings.svelte';

/** The start of the document title, such as "Your turn", and the mark on the icon. */
export const attention: { title: string; mark: IconMark | null } = $state({ title: '', mark: null });

/** The mark on the icon: a dot in the colour of the side to move, with a ring if that is the player. */
export interface IconMark {
  ink: string;
  isOwn: boolean;
}

const BASE_ICON = `${import.meta.env.BASE_URL}icon.svg`;

/** The address of the document's icon. */
export function iconAddress(mark: IconMark | null): string {
  if (!mark) return BASE_ICON;
  const ring = mark.isOwn
    ? '<circle cx="50" cy="50" r="46" fill="none" stroke="#d9480f" stroke-width="8"/>'
    : '';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">\
<path d="M50 4 90 27v46L50 96 10 73V27Z" fill="#f0e2c0" stroke="#5b4327" stroke-width="5"/>\
<circle cx="50" cy="50" r="24" fill="${mark.ink}" stroke="#5b4327" stroke-width="5"/>${ring}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** Whether the browser can show notifications; it refuses them to pages that are not on https or localhost. */
export const notificationsAvailable = 'Notification' in globalThis && globalThis.isSecureContext;

/** Turns notifications on or off, and asks for permission if needed. Returns whether the browser refuses it. */
export async function setNotifications(on: boolean): Promise<boolean> {
  settings.notifications = on && (await Notification.requestPermission()) === 'granted';
  return on && !settings.notifications;
}

/** Shows a notification if the player wants it and does not see the page. */
export function notify(title: string, body: string): void {
  if (!notificationsAvailable || !settings.notifications || !document.hidden) return;
  if (Notification.permission !== 'granted') return;
  try {
    const notification = new Notification(title, { body, tag: 'sandtable', icon: './icon.svg' });
    notification.onclick = () => {
      window.focus();
      notification.close();
    };
  } catch {
    // Some phones allow notifications only to service workers; the title still shows the turn.
  }
}
