import { VIEWER_REFUSAL } from '@dutchbook/contract/current-user.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ChangeRefusal } from '../../ui/changing.tsx';
import { currentUserQuery } from './current-user.ts';

/** Takes from viewers what changes something, on every page within. */
export function ViewerRefusal({ children }: { children: ReactNode }) {
  const { data: user } = useQuery(currentUserQuery);
  return <ChangeRefusal value={user?.role === 'viewer' ? VIEWER_REFUSAL : undefined}>{children}</ChangeRefusal>;
}
