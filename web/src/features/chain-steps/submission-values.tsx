import type { ChainQuota, ChainStep, ChainSubmission } from '@dutchbook/contract/chain-steps.ts';
import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { formatUsd, subtractUsd } from '@dutchbook/units/usd.ts';
import { Link } from '@tanstack/react-router';
import { Copyable, shortId } from '../../ui/copyable.tsx';
import { Explained } from '../../ui/explained.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import { Signed } from '../../ui/signed.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import styles from './chain-steps.module.css';
import { BY_VENUE_MEANING, quotaWords, STATUS_WORDS, shortHash } from './chain-words.ts';

type Of<Key extends keyof ChainSubmission> = { of: Pick<ChainSubmission, Key> };

export function SubmissionStatus({ of: { status, by_venue } }: Of<'status' | 'by_venue'>) {
  const { text, tone, meaning } = STATUS_WORDS[status];
  return (
    <Explained by={by_venue ? BY_VENUE_MEANING : meaning}>
      <StatusBadge tone={tone}>{text}</StatusBadge>
    </Explained>
  );
}

export function AskedBy({ of: { automatic, by_venue, requested_by } }: Of<'automatic' | 'by_venue' | 'requested_by'>) {
  if (by_venue) return <StatusBadge tone="inactive">The venue itself</StatusBadge>;
  if (automatic) return <StatusBadge tone="active">By itself</StatusBadge>;
  return <span className={styles.breaking}>{requested_by ?? 'A deleted user'}</span>;
}

/** What came in, and where it is not what was expected, by how much. */
export function Received({ of: { received_usd, expected_usd } }: Of<'received_usd' | 'expected_usd'>) {
  if (received_usd === null) return '–';
  const difference = subtractUsd(received_usd, expected_usd);
  return (
    <span className="stacked">
      {formatUsd(received_usd)}
      {difference !== 0 && <Signed value={difference}>{formatUsd(difference)}</Signed>}
    </span>
  );
}

export function Batches({ of: { batch_ids, batch_names } }: Of<'batch_ids' | 'batch_names'>) {
  if (batch_ids.length === 0) return '–';
  return (
    <span className={styles.links}>
      {batch_ids.map((batchId, place) => (
        <Link key={batchId} to="/batches/$batchId" params={{ batchId }} title={batchId}>
          {batch_names[place] ?? shortId(batchId)}
        </Link>
      ))}
    </span>
  );
}

export function Hash({ hash, what = 'Transaction hash' }: { hash: string | null; what?: string }) {
  if (hash === null) return '–';
  return (
    <Copyable text={hash} what={what} mono>
      {shortHash(hash)}
    </Copyable>
  );
}

type TokensProps = { of: ChainStep['tokens_out']; names?: ReadonlyMap<string, string> };

/** How many shares of which token; `names` where one is known. */
export function Tokens({ of: amounts, names }: TokensProps) {
  if (amounts.length === 0) return '–';
  return (
    <span className="lines">
      {amounts.map(({ token_id, shares }) => (
        <span key={token_id} className={styles.token}>
          {formatShares(shares)} of {names?.get(token_id) ?? <Hash hash={token_id} what="Token" />}
        </span>
      ))}
    </span>
  );
}

type QuotasProps = { of: readonly (ChainQuota & { venue: VenueName })[] };

/** How many merges each venue still takes; it is named where there are several. */
export function Quotas({ of: quotas }: QuotasProps) {
  return quotas.map((quota) => (
    <p key={quota.venue} className="hint">
      {quotas.length > 1 && `${VENUE_LABELS[quota.venue]}: `}Merges {quotaWords(quota)}
      {quota.resets_at !== null && (
        <>
          , counted anew from <LocalTime at={quota.resets_at} />
        </>
      )}
    </p>
  ));
}
