import type { OpportunityFlag, OpportunityRow } from '@dutchbook/contract/opportunities.ts';
import { formatAnnualised } from '@dutchbook/units/percent.ts';
import { formatPrice } from '@dutchbook/units/price.ts';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { Selectable } from '../../lists/selection.tsx';
import type { Read } from '../../live/fresher.ts';
import { Copyable, shortId } from '../../ui/copyable.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Explained } from '../../ui/explained.tsx';
import { Moment } from '../../ui/local-time.tsx';
import type { MenuEntry } from '../../ui/menu-items.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { combinationsInWords } from './combinations.ts';
import { FLAG_WORDS } from './flag-words.ts';
import { useCheckPrices, useDeleteOpportunity } from './opportunity-actions.ts';
import styles from './opportunity-columns.module.css';
import type { OpportunitySearch } from './opportunity-search.ts';
import { CurrentPrice, OpportunityStatus, Profit, profitPerSet } from './profit.tsx';
import { RecentProfit } from './recent-profits.tsx';

type Row = Read<OpportunityRow>;

export const opportunityColumns: readonly Column<Row, OpportunitySearch['sortBy']>[] = [
  {
    key: 'id',
    header: 'ID',
    sortBy: 'id',
    cell: (row) => (
      <Selectable row={row}>
        <OpportunityLink id={row.id} />
      </Selectable>
    ),
  },
  {
    key: 'created',
    header: 'Created',
    sortBy: 'created_at',
    spare: true,
    cell: (row) => <Moment at={row.created_at} />,
  },
  { key: 'combinations', header: 'Market Combinations', wide: true, cell: (row) => <Combinations of={row} /> },
  {
    key: 'target',
    header: 'Target Price',
    sortBy: 'target_price',
    align: 'end',
    cell: (row) => formatPrice(row.target_price),
  },
  {
    key: 'current',
    header: 'Current Price',
    sortBy: 'current_price',
    align: 'end',
    cell: (row) => <CurrentPrice of={row} />,
  },
  {
    key: 'profit',
    header: 'Profit %',
    sortBy: 'profit_percentage',
    align: 'end',
    cell: (row) => <ProfitCell of={row} />,
  },
  {
    key: 'annualised',
    header: 'Return a Year',
    sortBy: 'annualised_return',
    align: 'end',
    spare: true,
    cell: ({ annualised_return, outdated }) => (
      <span className={outdated === null ? undefined : 'muted'}>{formatAnnualised(annualised_return)}</span>
    ),
  },
  { key: 'status', header: 'Status', sortBy: 'active', cell: (row) => <Status of={row} /> },
  {
    key: 'actions',
    header: 'Actions',
    align: 'end',
    cell: (row) => <OpportunityRowMenu id={row.id} name={row.name} />,
  },
];

function ProfitCell({ of: row }: { of: Row }) {
  return (
    <div className={styles.profit}>
      {row.outdated === null && <RecentProfit id={row.id} />}
      <span className={styles.figures}>
        <Profit of={row} />
        <span className="aside">{profitPerSet(row)}</span>
      </span>
    </div>
  );
}

/** Remembered, because working out an address costs more than the prices that change beside it. */
const OpportunityLink = memo(function OpportunityLink({ id }: { id: string }) {
  return (
    <Link to="/arbitrage/$opportunityId" params={{ opportunityId: id }} title={id} className="mono">
      {shortId(id)}
    </Link>
  );
});

/** Remembered as long as the row is the same but for its prices, which move without touching `updated_at`. */
const Combinations = memo(
  function Combinations({ of: { market_combinations, source_details, relation_id } }: { of: OpportunityRow }) {
    return (
      <div className={styles.combinations}>
        <Copyable text={JSON.stringify(market_combinations)} what="Market combinations">
          {combinationsInWords(market_combinations)}
        </Copyable>
        {relation_id !== null && (
          <Link
            to="/discover/$relationId"
            params={{ relationId: relation_id }}
            title="Found by discovery: its relation"
          >
            <StatusBadge tone="active">Found</StatusBadge>
          </Link>
        )}
        {source_details !== null && <span title={source_details}>{source_details}</span>}
      </div>
    );
  },
  ({ of: before }, { of: now }) => before.id === now.id && before.updated_at === now.updated_at,
);

/** Why a triggered row is not placed automatically: the first reason in short, and all when it is pointed at. */
function blockedBy({ flags, blocked }: OpportunityRow): { short: string; whole: string } | undefined {
  const [flag] = flags.map((each) => FLAG_WORDS[each]);
  const meanings = flags.map((each) => `${FLAG_WORDS[each].label}: ${FLAG_WORDS[each].meaning}`);
  if (blocked !== null) return { short: flag?.label ?? blocked, whole: [...meanings, blocked].join(' ') };
  return flag && { short: flag.label, whole: meanings.join(' ') };
}

function Status({ of: row }: { of: OpportunityRow }) {
  const reason = blockedBy(row);
  return (
    <div className={styles.status}>
      <OpportunityStatus
        of={row}
        triggeredAs={
          reason && (
            <Explained by={reason.whole}>
              <StatusBadge tone="inactive">
                Not bought automatically<span className="visually-hidden">: {reason.short}</span>
              </StatusBadge>
            </Explained>
          )
        }
      />
      {!row.triggered && <FlagBadges flags={row.flags.slice(0, 1)} />}
    </div>
  );
}

type RowMenuProps = { id: string; name: string };

/** A row's menu; remembered, because it costs more to render than the prices that change beside it. */
const OpportunityRowMenu = memo(function OpportunityRowMenu({ id, name }: RowMenuProps) {
  const check = useCheckPrices('Failed to check arbitrage opportunity');
  const askAndDelete = useDeleteOpportunity();
  const entries: MenuEntry[] = [
    {
      label: 'View Details',
      icon: 'eye',
      link: (props) => (
        <Link to="/arbitrage/$opportunityId" params={{ opportunityId: id }} preload={false} {...props} />
      ),
    },
    { label: 'Check Prices', icon: 'refresh', onChoose: () => check.mutate(id), changes: true },
    { label: 'Delete', icon: 'trash', tone: 'danger', onChoose: () => askAndDelete(id, name), changes: true },
  ];
  return <RowMenu of={shortId(id)} entries={entries} />;
});

/** A badge per flag, which says what it means when it is pointed at, touched or focused. */
function FlagBadges({ flags }: { flags: readonly OpportunityFlag[] }) {
  return flags.map((flag) => {
    const { label, meaning } = FLAG_WORDS[flag];
    return (
      <Explained key={flag} by={meaning}>
        <StatusBadge tone="warning">{label}</StatusBadge>
      </Explained>
    );
  });
}
