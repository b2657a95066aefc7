import type { RelationRow } from '@dutchbook/contract/relations.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { payingWords } from '../../forms/paying-words.ts';
import { useLink } from '../../live/live.ts';
import { Explained } from '../../ui/explained.tsx';
import { LiveNumber } from '../../ui/live-number.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import { Outdated } from '../../ui/signed.tsx';
import { StatusBadge, statusWords } from '../../ui/status-badge.tsx';
import styles from './relation-values.module.css';
import { BASIS_BY, BASIS_MEANING, distanceWords, obstacleWords, stateWords } from './relation-words.ts';

export function BasisWord({ of: { basis } }: { of: Pick<RelationRow, 'basis'> }) {
  return (
    <Explained by={BASIS_MEANING[basis]}>
      <span className={`stacked ${styles.basis}`}>
        {statusWords(basis)}
        <span className="aside">{BASIS_BY[basis]}</span>
      </span>
    </Explained>
  );
}

export function BasisBadge({ of: { basis } }: { of: Pick<RelationRow, 'basis'> }) {
  return (
    <Explained by={BASIS_MEANING[basis]}>
      <StatusBadge tone="inactive">{statusWords(basis)}</StatusBadge>
    </Explained>
  );
}

export function StateBadge({ of }: { of: Pick<RelationRow, 'state' | 'basis' | 'may_trade' | 'distance'> }) {
  const { label, tone, meaning } = stateWords(of);
  return (
    <Explained by={meaning}>
      <StatusBadge tone={tone}>{label}</StatusBadge>
    </Explained>
  );
}

type Dated = Pick<RelationRow, 'outdated' | 'updated_at'>;
type Placed = Pick<RelationRow, 'distance' | 'limited_by' | 'quoted' | 'members' | 'paying_since'> & Dated;

/** When its prices were those of its books, where that is not now: as the server says, or where this tab hears nothing from it. */
function useOutdated({ outdated, updated_at }: Dated): Instant | undefined {
  const link = useLink();
  if (outdated !== null) return outdated.as_of;
  return link === 'stale' || link === 'offline' ? updated_at : undefined;
}

/** How far it is from paying, and what keeps it; what pays says so in words, by its arrow and by its colour. */
export function Distance({ of }: { of: Placed }) {
  const { distance } = of;
  const at = useOutdated(of);
  if (at !== undefined && distance !== null) return <Outdated at={at}>{distanceWords(of)}</Outdated>;
  const pays = distance !== null && distance < 0;
  const obstacle = obstacleWords(of);
  const { paying_since: since } = of;
  return (
    <span className="stacked">
      {/* Coming nearer is what is good. */}
      <LiveNumber value={distance === null ? null : -distance} arrow="none">
        <span className={styles.figure} data-pays={pays}>
          {pays && <span aria-hidden="true">↑ </span>}
          {distanceWords(of)}
        </span>
      </LiveNumber>
      {obstacle !== null && <span className="aside">{obstacle}</span>}
      {pays && since !== null && (
        <span className="aside">
          since <LocalTime at={since} to="clock" />
        </span>
      )}
    </span>
  );
}

/** What its best size would make now. */
export function Dollars({ of }: { of: Dated & Pick<RelationRow, 'profit_usd' | 'size'> }) {
  const { profit_usd, size } = of;
  const at = useOutdated(of);
  if (profit_usd === 0) return <span className="aside">none now</span>;
  if (at !== undefined) return <Outdated>{formatUsd(profit_usd)}</Outdated>;
  return (
    <span className="stacked">
      <LiveNumber value={profit_usd} arrow="none">
        {payingWords(profit_usd)}
      </LiveNumber>
      <span className="aside">at {formatShares(size)} sh</span>
    </span>
  );
}
