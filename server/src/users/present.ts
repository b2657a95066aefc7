import type { User } from '@dutchbook/contract/users.ts';
import type { UserRow } from '../parts.ts';

export function presentUser({ id, email, fullName, isSuperuser, isActive }: UserRow): User {
  return { id, email, full_name: fullName, is_superuser: isSuperuser, is_active: isActive };
}
