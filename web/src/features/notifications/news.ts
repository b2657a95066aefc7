import type { Notification } from '@dutchbook/contract/notifications.ts';

const NEW_MS = 10_000;

/** Not one of earlier that was edited or is tried again; one that was sent at once may be received only then. */
export function isNew({ created_at, updated_at }: Notification): boolean {
  return updated_at - created_at < NEW_MS;
}

/** Whether it is news to the person: not what they have done, nor the alert of somebody else. */
export function isFor({ data }: Notification, email: string | undefined): boolean {
  const isOwnAction = data.by !== undefined && data.by === email;
  return !isOwnAction && (data.for === undefined || data.for === email);
}
