import { SETTINGS } from '@dutchbook/contract/system-settings.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { currentUserQuery } from './current-user.ts';

/** What the gate of the balance says of a pocket that is short of cash. */
const SHORT_SHARD = /\bshard (\d{1,4}) has .{1,60}: move cash into it/;

/** The way to the setting that a message names, or to the move of cash that it asks for, for those who may change it. */
export function SettingLink({ message }: { message: string }) {
  const { data: user } = useQuery(currentUserQuery);
  const shard = SHORT_SHARD.exec(message)?.[1];
  if (shard !== undefined && user?.is_superuser)
    return (
      <Link to="/portfolio" search={{ cashTo: shard }}>
        Move Cash
      </Link>
    );
  const name = message.match(/\b[A-Z]+(_[A-Z]+)+\b/g)?.findLast((each) => Object.hasOwn(SETTINGS, each));
  if (name === undefined || !user?.is_superuser) return null;
  return (
    <Link to="/admin/system-settings" hash={name}>
      Settings
    </Link>
  );
}
