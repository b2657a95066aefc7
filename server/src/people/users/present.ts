import type { Role, User } from '@dutchbook/contract/current-user.ts';
import type { UserRow } from '../../platform/http/signed-in.ts';

export function presentUser(user: UserRow): User {
  const { id, email, fullName, isSuperuser, isActive } = user;
  return { id, email, full_name: fullName, is_superuser: isSuperuser, is_active: isActive, role: roleOf(user) };
}

function roleOf({ isSuperuser, isViewer }: UserRow): Role {
  if (isSuperuser) return 'superuser';
  return isViewer ? 'viewer' : 'operator';
}
