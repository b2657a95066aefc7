import type { Notification } from '@dutchbook/contract/notifications.ts';
import type { QueryClient } from '@tanstack/react-query';
import { currentUserQuery } from '../session/current-user.ts';

const NEW_MS = 10_000;

/** Not one of earlier that was edited or is tried again; one that was sent at once may be received only then. */
export function isNew({ created_at, updated_at }: Notification): boolean {
  return updated_at - created_at < NEW_MS;
}

/** Calls `take` where it is news to the person, once it is known who that is: a page hears of news before it has read that. */
export function whenFor(client: QueryClient, { data }: Notification, take: () => void): void {
  const takeFor = (email: string | undefined) => {
    if (isFor(data, email)) take();
  };
  const known = client.getQueryData(currentUserQuery.queryKey)?.email;
  const isForEverybody = data.by === undefined && data.for === undefined;
  if (isForEverybody || known !== undefined) takeFor(known);
  else
    client.ensureQueryData(currentUserQuery).then(
      ({ email }) => takeFor(email),
      () => takeFor(undefined),
    );
}

/** Whether it is news to this user: not an own action, nor an alert of another user. */
function isFor(data: Notification['data'], email: string | undefined): boolean {
  const isOwnAction = data.by !== undefined && data.by === email;
  return !isOwnAction && (data.for === undefined || data.for === email);
}
