import type { RelationRow } from '@dutchbook/contract/relations.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { Explained } from '../../ui/explained.tsx';
import { LiveNumber } from '../../ui/live-number.tsx';
import { StatusBadge, statusWords } from '../../ui/status-badge.tsx';
import styles from './relation-values.module.css';
import { BASIS_MEANING, distanceWords, obstacleWords, stateWords } from './relation-words.ts';

export function BasisWord({ of: { basis } }: { of: Pick<RelationRow, 'basis'> }) {
  return (
    <Explained by={BASIS_MEANING[basis]}>
      <span className={styles.basis}>{statusWords(basis)}</span>
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

export function StateBadge({ of }: { of: Pick<RelationRow, 'state' | 'basis' | 'may_trade'> }) {
  const { label, tone, meaning } = stateWords(of);
  return (
    <Explained by={meaning}>
      <StatusBadge tone={tone}>{label}</StatusBadge>
    </Explained>
  );
}

type Placed = Pick<RelationRow, 'distance' | 'limited_by' | 'quoted' | 'members'>;

/** How far it is from paying, and what keeps it; what pays says so in words, by its arrow and by its colour. */
export function Distance({ of }: { of: Placed }) {
  const { distance } = of;
  const pays = distance !== null && distance < 0;
  const obstacle = obstacleWords(of);
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
    </span>
  );
}

/** What its best size would make now. */
export function Dollars({ of: { profit_usd, size } }: { of: Pick<RelationRow, 'profit_usd' | 'size'> }) {
  if (profit_usd === 0) return <span className="aside">none now</span>;
  return (
    <span className="stacked">
      <LiveNumber value={profit_usd} arrow="none">
        {formatUsd(profit_usd)}
      </LiveNumber>
      <span className="aside">at {formatShares(size)} sh</span>
    </span>
  );
}
