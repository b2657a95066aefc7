import type { RelationMember } from '@dutchbook/contract/relations.ts';
import { formatPrice } from '@dutchbook/units/price.ts';
import { useMemo } from 'react';
import { CopiedId } from '../../ui/copyable.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StatusBadge, statusWords } from '../../ui/status-badge.tsx';
import { MarketRules } from '../markets/market-rules.tsx';
import { bookAge } from '../opportunities/book-age.ts';
import styles from './member-table.module.css';

type Row = RelationMember & { id: string };

/** The members in the order of the relation, each with what its market says. */
export function MemberTable({ members }: { members: readonly RelationMember[] }) {
  const rows = useMemo(() => members.map((member) => ({ ...member, id: String(member.leg) })), [members]);
  return (
    <Panel title="Members" folds>
      <DataTable label="Members" columns={COLUMNS} rows={rows} />
    </Panel>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  { key: 'leg', header: 'Leg', folds: true, cell: ({ leg }) => leg },
  { key: 'member', header: 'Member', wide: true, cell: (row) => <Member of={row} /> },
  { key: 'role', header: 'Role', folds: true, cell: ({ role }) => statusWords(role) },
  { key: 'quote', header: 'Bid / Ask', align: 'end', cell: (row) => <Quote of={row} /> },
  { key: 'status', header: 'Status', cell: (row) => <Status of={row} /> },
  {
    key: 'ends',
    header: 'Ends',
    folds: true,
    cell: ({ end_date }) => (end_date === null ? 'Not said' : <LocalTime at={end_date} />),
  },
  {
    key: 'market',
    header: 'Market',
    folds: true,
    cell: ({ market_id }) => <CopiedId id={market_id} what="Market ID" />,
  },
];

function Member({ of: { group_title, question, rules, resolution_source } }: { of: Row }) {
  return (
    <div className={styles.member}>
      {group_title !== '' && <strong>{group_title}</strong>}
      <span className={styles.question}>{question}</span>
      <span className="aside">Resolved by: {resolution_source === '' ? 'not said' : resolution_source}</span>
      <MarketRules of={question} text={rules} />
    </div>
  );
}

function Quote({ of: { best_bid, best_ask, book_age_ms } }: { of: Row }) {
  return (
    <span className={styles.quote}>
      {best_bid === null ? '–' : formatPrice(best_bid)} / {best_ask === null ? '–' : formatPrice(best_ask)}
      {book_age_ms !== null && <span className="aside">{bookAge(book_age_ms)} old</span>}
    </span>
  );
}

function Status({ of: { closed, resolved_value, left_out, best_bid, best_ask } }: { of: Row }) {
  if (resolved_value !== null)
    return <StatusBadge tone="inactive">Resolved at {formatPrice(resolved_value)}</StatusBadge>;
  if (closed) return <StatusBadge tone="inactive">Closed</StatusBadge>;
  if (left_out !== null)
    return (
      <span className={styles.member}>
        <StatusBadge tone="warning">Left out</StatusBadge>
        <span className="aside">{left_out}</span>
      </span>
    );
  if (best_bid === null && best_ask === null) return <StatusBadge tone="warning">Not quoted</StatusBadge>;
  return <StatusBadge tone="success">Open</StatusBadge>;
}
