import { SETTINGS } from '@dutchbook/contract/system-settings.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { currentUserQuery } from './current-user.ts';

/** The way to the setting that a message names, for those who may change it. */
export function SettingLink({ message }: { message: string }) {
  const { data: user } = useQuery(currentUserQuery);
  const name = message.match(/\b[A-Z]+(_[A-Z]+)+\b/g)?.findLast((each) => Object.hasOwn(SETTINGS, each));
  if (name === undefined || !user?.is_superuser) return null;
  return (
    <Link to="/admin/system-settings" hash={name}>
      Settings
    </Link>
  );
}
