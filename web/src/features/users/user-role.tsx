import type { User } from '@dutchbook/contract/current-user.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { LoadError } from '../../calls/loaded.tsx';
import { useInSlices } from '../../ui/use-in-slices.ts';
import { currentUserQuery } from '../session/current-user.ts';

type SuperuserOnlyProps = {
  children: (me: User) => ReactNode;
  /** Until it is known who is signed in. */
  meanwhile: ReactNode;
  /** What an ordinary user gets. */
  others: ReactNode;
};

/**
 * Draws its children for a superuser alone, and only once that is known: a superuser's call sent for another user is
 * answered with 403, and that ends the session.
 */
export function SuperuserOnly({ children, meanwhile, others }: SuperuserOnlyProps) {
  const read = useQuery(currentUserQuery);
  const me = useInSlices(read.isPlaceholderData ? undefined : read.data);
  if (me !== undefined) return me.is_superuser ? children(me) : others;
  return read.error === null ? meanwhile : <LoadError of={read} text="Error loading your account" />;
}
