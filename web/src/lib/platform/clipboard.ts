// Copying text to the clipboard.

/** Copies a text and returns whether the browser allowed it. */
export async function copyText(text: string): Promise<boolean> {
  // Browsers provide the clipboard only to pages on https or localhost.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (!clipboard) return copyWithCommand(text);
  return clipboard.writeText(text).then(
    () => true,
    // Denied, for example inside a frame.
    () => copyWithCommand(text),
  );
}

/** Copies a text with the deprecated command, which works on every origin. */
function copyWithCommand(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  document.body.append(field);
  field.select();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the clipboard of insecure origins has no other interface
  const copied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}
