import { readMe, type User } from '@dutchbook/contract/users.ts';
import type { App } from '../http/app.ts';
import { route } from '../http/route.ts';
import type { UserRow } from './store.ts';

export function registerUsers(app: App): void {
  route(app, readMe, ({ user }) => presentUser(user));
}

function presentUser({ id, email, fullName, isSuperuser, isActive }: UserRow): User {
  return { id, email, full_name: fullName, is_superuser: isSuperuser, is_active: isActive };
}
