import { type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import { venueOfCash, venueOfDollars } from '@dutchbook/units/ledger-kinds.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { Link } from '@tanstack/react-router';
import { Copyable, shortId } from '../../ui/copyable.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Moment } from '../../ui/local-time.tsx';
import { Signed } from '../../ui/signed.tsx';
import { BatchName } from '../batches/batch-name.tsx';
import { TagsOf } from '../status/venue-tags.tsx';
import styles from './ledger.module.css';
import type { EntryRow } from './ledger-queries.ts';
import { ACCOUNT_WORDS, amountWords, KIND_WORDS, unitWords } from './ledger-words.ts';
import { NameDollars } from './name-dollars.tsx';

export const LEDGER_COLUMNS: readonly Column<EntryRow, 'at'>[] = [
  { key: 'id', header: 'Entry', folds: true, cell: ({ id }) => <span className="mono">{id}</span> },
  { key: 'at', header: 'When', sortBy: 'at', cell: ({ at }) => <Moment at={at} /> },
  { key: 'kind', header: 'Kind', cell: ({ kind }) => KIND_WORDS[kind] },
  { key: 'what', header: 'What', wide: true, cell: (entry) => <What of={entry} /> },
  { key: 'lines', header: 'Accounts', wide: true, folds: true, cell: ({ lines }) => <Lines of={lines} /> },
  {
    key: 'usd',
    header: 'Dollars',
    align: 'end',
    cell: ({ usd }) => (usd === 0 ? '–' : <Signed value={usd}>{formatUsd(usd)}</Signed>),
  },
  { key: 'block', header: 'Block', align: 'end', spare: true, cell: ({ block }) => block ?? 'Not sealed yet' },
];

/** Cash is named by its account, a token by its id. */
function venuesOf(lines: EntryRow['lines']): VenueName[] {
  return lines.flatMap(({ account, unit }) => (isToken(unit) ? venueOf(unit) : (venueOfDollars(account) ?? [])));
}

function isToken(unit: string): boolean {
  return unit !== 'usd' && unit !== 'pol';
}

/** What it is about, with the way to its cause. */
function What({ of: entry }: { of: EntryRow }) {
  const { market_name, outcome, batch_id, batch_name, submission_id, transaction_hash, stated_by, reason, trade_id } =
    entry;
  const { sender, names_entry_id } = entry;
  return (
    <span className={styles.what}>
      <TagsOf venues={venuesOf(entry.lines)} />
      {market_name !== null && (
        <span>
          {market_name} {outcome}
        </span>
      )}
      {reason !== null && (
        <span>
          {reason} {stated_by !== null && <span className="hint">stated by {stated_by}</span>}
        </span>
      )}
      {entry.kind === 'unknown' && <Unknown of={entry} />}
      {batch_id !== null && (
        <span className={styles.batch}>
          <BatchName id={batch_id} name={batch_name} />
        </span>
      )}
      <span className={styles.causes}>
        {names_entry_id !== null && <span>Names entry {names_entry_id}</span>}
        {sender !== null && (
          <span>
            From{' '}
            <Copyable text={sender} what="Sender" mono>
              {sender.slice(0, 10)}…
            </Copyable>
          </span>
        )}
        {submission_id !== null && (
          <Link to="/submissions/$submissionId" params={{ submissionId: submission_id }}>
            Submission {shortId(submission_id)}
          </Link>
        )}
        {trade_id !== null && (
          <span className={styles.trade}>
            <Copyable text={trade_id} what="Trade ID" mono>
              {trade_id.length > 12 ? `${trade_id.slice(0, 8)}…` : trade_id}
            </Copyable>
          </span>
        )}
        {transaction_hash !== null && (
          <span>
            Transaction{' '}
            <Copyable text={transaction_hash} what="Transaction hash" mono>
              {transaction_hash.slice(0, 10)}…
            </Copyable>
          </span>
        )}
      </span>
    </span>
  );
}

function Unknown({ of: { id, named_as, lines } }: { of: EntryRow }) {
  if (named_as !== null) return <span className="hint">Named: {KIND_WORDS[named_as]}</span>;
  const amount = lines.find(({ account }) => venueOfCash(account) !== null)?.amount ?? '0';
  return <NameDollars entryId={Number(id)} amount={amountWords({ unit: 'usd', amount })} />;
}

/** Which account has more or less of what; in every unit they add up to nothing. */
function Lines({ of: lines }: { of: EntryRow['lines'] }) {
  return (
    <ul className={styles.lines}>
      {lines.map((line) => (
        <li key={`${line.account} ${line.unit}`}>
          <span className="muted">{ACCOUNT_WORDS[line.account]}</span>{' '}
          <span title={line.unit}>
            {line.amount.startsWith('-') ? '' : '+'}
            {amountWords(line)}
            {line.unit.length > 12 && <span className="hint"> {unitWords(line.unit)}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}
