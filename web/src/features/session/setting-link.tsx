import type { LimitName } from '@dutchbook/contract/limits.ts';
import type { SizeBound } from '@dutchbook/contract/notes/size-words.ts';
import type { SettingName } from '@dutchbook/contract/system-settings.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { currentUserQuery } from './current-user.ts';
import { APPROVE_FIRST, anchorWords, type WayToChange, waysToChange } from './way-to-change.ts';

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
      {anchorWords(name)}
    </Link>
  );
}

type SettingLinkProps = {
  message: string;
  /** The relation that it is about, where it is about one. */
  relationId?: string | null;
};

/** The ways to what a message asks to change, one for each of its sentences, for those who may: a setting or limit, a move of cash, a relation that waits for approval. */
export function SettingLink({ message, relationId = null }: SettingLinkProps) {
  const { data: user } = useQuery(currentUserQuery);
  const ways = waysToChange(message);
  if (!user?.is_superuser) return null;
  return ways.map((way, nth) => (
    <Fragment key={JSON.stringify(way)}>
      {nth > 0 && ' · '}
      <WayLink way={way} relationId={relationId} />
    </Fragment>
  ));
}

type WayLinkProps = { way: WayToChange; relationId: string | null };

function WayLink({ way, relationId }: WayLinkProps) {
  switch (way.kind) {
    case 'cash':
      return (
        <Link to="/portfolio" search={{ cashTo: way.shard }}>
          Move Cash
        </Link>
      );
    case 'proposed':
      return relationId !== null ? (
        <Link to="/discover/$relationId" params={{ relationId }}>
          Approve
        </Link>
      ) : (
        // Each of what was missed for it leads to the relation of its own.
        <Link to="/report/missed" search={{ reason: APPROVE_FIRST }}>
          Approve
        </Link>
      );
    case 'setting':
      return (
        <Link to="/admin/system-settings" hash={way.anchor}>
          {anchorWords(way.anchor)}
        </Link>
      );
  }
}
