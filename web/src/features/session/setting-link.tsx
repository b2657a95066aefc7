import type { LimitName } from '@dutchbook/contract/limits.ts';
import type { SizeBound } from '@dutchbook/contract/notes/size-words.ts';
import { SETTINGS, type SettingName } from '@dutchbook/contract/system-settings.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { currentUserQuery } from './current-user.ts';

/** Where what bounds a size is set, as settings and limits are named in the address. */
const BOUND_SETTINGS: Partial<Record<SizeBound, SettingName | LimitName>> = {
  margin: 'MIN_PROFIT_TRIGGER_THRESHOLD',
  minimum: 'MIN_ORDER_SHARES',
  clip: 'CLIP_USD',
  'loss allowance': 'LOSS_ALLOWANCE_USD',
  'price band': 'PRICE_LOW_THRESHOLD',
  clips: 'CLIPS_MAX',
  'order limit': 'per_order_usd',
  'batch limit': 'per_batch_usd',
  'day limit': 'per_day_usd',
  exposure: 'open_exposure_usd',
};

/** The way to what bounded a size, for those who may change it. */
export function BoundLink({ bound }: { bound: SizeBound | null }) {
  const { data: user } = useQuery(currentUserQuery);
  const name = bound === null ? undefined : BOUND_SETTINGS[bound];
  if (name === undefined || !user?.is_superuser) return null;
  return (
    <Link to="/admin/system-settings" hash={name}>
      Settings
    </Link>
  );
}

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
