import type { TradingLimits } from '@dutchbook/engine/risk/context.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';

/** Whether orders may leave for one venue, and how much may be bought there. */
export type TradingControls = {
  venue: VenueName;
  /** The venue's name in messages; null where it is the only one. */
  label: string | null;
  current: () => {
    armed: boolean;
    armedChanged: { at: Instant; by: string | null } | null;
    limits: TradingLimits;
    limitsChanged: { at: Instant; by: string | null } | null;
  };
  /** The venue was opened without a key, or with one that may not place orders. */
  isReadOnly: boolean;
  /** On a real venue nothing is bought while a limit is not set. */
  limitsRequired: boolean;
  /** Disarms this process now, whatever the database says, until a superuser arms trading after that, or after `askedAt`. */
  halt: (askedAt?: Instant) => void;
  isHalted: () => boolean;
  /** Looks at once, and ends what `halt` began where trading was armed or disarmed since. */
  refresh: () => Promise<void>;
  onChange: (react: () => void) => () => void;
};
