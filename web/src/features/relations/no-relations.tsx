import type { Census } from '@dutchbook/contract/discovery/census.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../../ui/states.tsx';
import { currentUserQuery } from '../session/current-user.ts';
import { censusQuery } from './relation-queries.ts';

/** Why there is no relation to show, and what can be done about it. */
export function NoRelations() {
  const { data: census } = useQuery(censusQuery());
  const { data: user } = useQuery(currentUserQuery);
  const isOff = census?.enabled === false;
  return (
    <EmptyState
      icon="search"
      text={isOff ? 'Discovery is off.' : 'No relations are watched.'}
      hint={reasonOf(census, user)}
    >
      {isOff && user?.is_superuser ? (
        <Button renderRoot={(props) => <Link to="/admin/system-settings" {...props} />}>Discovery Settings</Button>
      ) : (
        <Button variant="default" renderRoot={(props) => <Link to="/discover/census" {...props} />}>
          Census
        </Button>
      )}
    </EmptyState>
  );
}

function reasonOf(census: Census | undefined, user: { is_superuser: boolean } | undefined): string {
  if (census === undefined) return 'They appear here once the events of the venue have been read.';
  if (!census.enabled)
    return user?.is_superuser
      ? 'The events of the venue are not read. Switch discovery on in the system settings.'
      : 'The events of the venue are not read. A superuser can switch discovery on.';
  const { running, events_read, error, finished_at } = census.sync;
  if (error !== null) return `The events of the venue could not be read: ${error}`;
  if (running || finished_at === null)
    return `The venue is being read: ${formatCount(events_read)} ${events_read === 1 ? 'event' : 'events'} so far.`;
  return `${formatCount(census.events)} events were read. The census says why none of them is watched.`;
}
