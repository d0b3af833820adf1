// Calling the player back to the page: the document title and notifications.

import { settings } from './settings.svelte';

/** The start of the document title, such as "Your turn". */
export const attention = $state({ title: '' });

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
