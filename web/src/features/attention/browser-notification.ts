/** `unsupported`: the browser has none, or the page came over a connection that it does not trust with them. */
export type Permission = 'granted' | 'denied' | 'default' | 'unsupported';

export function permissionNow(): Permission {
  return typeof Notification === 'undefined' || !isSecureContext ? 'unsupported' : Notification.permission;
}

/** To be called by a click alone. */
export async function askPermission(): Promise<Permission> {
  return permissionNow() === 'unsupported' ? 'unsupported' : await Notification.requestPermission();
}

type Shown = { id: string; title: string; text: string; onOpen: () => void };

/** One per `id`, however many tabs show it. @returns whether the browser has taken it */
export function showInBrowser({ id, title, text, onOpen }: Shown): boolean {
  if (permissionNow() !== 'granted') return false;
  try {
    const shown = new Notification(title, { body: text, tag: id });
    shown.onclick = () => {
      window.focus();
      shown.close();
      onOpen();
    };
    return true;
  } catch {
    // Browsers of phones know them in service workers alone.
    return false;
  }
}
