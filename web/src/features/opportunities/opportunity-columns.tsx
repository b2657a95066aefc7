import { plainWords } from '@dutchbook/contract/notes/setting-labels.ts';
import type { OpportunityFlag, OpportunityRow } from '@dutchbook/contract/opportunities.ts';
import { formatAnnualised, isBackWithinDay, NO_YEARLY_REASON } from '@dutchbook/units/percent.ts';
import { formatPrice } from '@dutchbook/units/price.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { NameCell, RowLink } from '../../lists/name-cell.tsx';
import { nameParts } from '../../lists/name-parts.ts';
import { Selectable } from '../../lists/selection.tsx';
import type { Read } from '../../live/fresher.ts';
import { Copyable, shortId } from '../../ui/copyable.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Explained } from '../../ui/explained.tsx';
import { LocalDay, Moment } from '../../ui/local-time.tsx';
import type { MenuEntry } from '../../ui/menu-items.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useIsDisarmed, venuesOfLegs } from '../status/is-disarmed.ts';
import { VenueTags } from '../status/venue-tags.tsx';
import { ChosenSizeOf } from './chosen-sizes.tsx';
import { FLAG_WORDS } from './flag-words.ts';
import { LastHit } from './list/last-hit.tsx';
import { PinnedMark } from './list/pinned-mark.tsx';
import { togglePin, usePins } from './list/pins.ts';
import { PlaceButton, useAlerting, usePlacing } from './list/row-order.tsx';
import { useCheckPrices, useDeleteOpportunity } from './opportunity-actions.ts';
import styles from './opportunity-columns.module.css';
import type { OpportunitySearch } from './opportunity-search.ts';
import { placingRefusal } from './placing-rule.ts';
import { CurrentPrice, DollarsNow, OpportunityStatus, Profit, profitPerSet } from './profit.tsx';
import { RecentProfit } from './recent-profits.tsx';

type Row = Read<OpportunityRow>;

export const opportunityColumns: readonly Column<Row, OpportunitySearch['sortBy']>[] = [
  {
    key: 'combinations',
    header: 'Market Combinations',
    sortBy: 'about',
    wide: true,
    fills: true,
    cell: (row) => (
      <Selectable row={row}>
        <Combinations of={row} />
      </Selectable>
    ),
  },
  {
    key: 'dollars',
    header: '$ Now',
    sortBy: 'profit_usd',
    align: 'end',
    ofNow: true,
    cell: (row) => (
      <span className={styles.dollars}>
        <DollarsNow of={row} />
        {row.outdated === null && <YearlyBeneath of={row} />}
      </span>
    ),
  },
  {
    key: 'size',
    header: 'Size',
    sortBy: 'max_profitable_size',
    align: 'end',
    spare: 'first',
    ofNow: true,
    cell: ({ max_profitable_size: size }) => (size === null || size === 0 ? UNKNOWN : formatShares(size)),
  },
  {
    key: 'pays',
    header: 'Pays On',
    sortBy: 'pays_at',
    spare: 'first',
    ofNow: true,
    cell: (row) => <PaysOn of={row} />,
  },
  {
    key: 'annualised',
    header: '% a Year',
    sortBy: 'annualised_return',
    align: 'end',
    spare: 'first',
    folds: true,
    cell: (row) => <Yearly of={row} />,
  },
  {
    key: 'profit',
    header: 'Profit %',
    sortBy: 'profit_percentage',
    align: 'end',
    cell: (row) => <ProfitCell of={row} />,
  },
  {
    key: 'target',
    header: 'Target Price',
    sortBy: 'target_price',
    align: 'end',
    folds: true,
    cell: (row) => formatPrice(row.target_price),
  },
  {
    key: 'current',
    header: 'Current Price',
    sortBy: 'current_price',
    align: 'end',
    cell: (row) => <CurrentPrice of={row} />,
  },
  { key: 'status', header: 'Status', sortBy: 'active', cell: (row) => <Status of={row} /> },
  {
    key: 'id',
    header: 'ID',
    sortBy: 'id',
    spare: true,
    cell: (row) => <OpportunityLink id={row.id}>{shortId(row.id)}</OpportunityLink>,
  },
  {
    key: 'created',
    header: 'Created',
    sortBy: 'created_at',
    spare: true,
    cell: (row) => <Moment at={row.created_at} />,
  },
  { key: 'actions', header: 'Actions', align: 'end', cell: (row) => <OpportunityRowActions row={row} /> },
];

const UNKNOWN = '–';

type YearlyProps = { of: Pick<OpportunityRow, 'active' | 'annualised_return' | 'profit_percentage' | 'outdated'> };

function Yearly({ of: { active, annualised_return: annualised, profit_percentage: profit, outdated } }: YearlyProps) {
  if (active && isBackWithinDay(annualised, profit))
    return (
      <span className="muted" title={`None: ${NO_YEARLY_REASON}`}>
        within a day
      </span>
    );
  return (
    <span className={outdated === null ? undefined : 'muted'}>
      {active ? formatAnnualised(annualised, profit) : UNKNOWN}
    </span>
  );
}

function YearlyBeneath({ of: { annualised_return: annualised, profit_percentage: profit } }: YearlyProps) {
  const words = formatAnnualised(annualised, profit);
  return words !== UNKNOWN && <span className={`aside ${styles.yearly}`}>{words} a year</span>;
}

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

type LinkProps = { id: string; children: string };

/** Remembered, because working out an address costs more than the prices that change beside it. */
const OpportunityLink = memo(function OpportunityLink({ id, children }: LinkProps) {
  return (
    <RowLink to="/arbitrage/$opportunityId" params={{ opportunityId: id }} title={id} className="mono">
      {children}
    </RowLink>
  );
});

/** Remembered as long as the row is the same but for its prices, which move without touching `updated_at`. */
const Combinations = memo(
  function Combinations({
    of: { id, active, name, market_combinations: legs, source_details, relation_id, max_profitable_size: payingSize },
  }: {
    of: OpportunityRow;
  }) {
    const { about, kind } = nameParts(name);
    return (
      <NameCell
        about={about}
        last={active ? <ChosenSizeOf id={id} payingSize={payingSize} /> : relation_id !== null && <LastHit id={id} />}
        link={
          <RowLink to="/arbitrage/$opportunityId" params={{ opportunityId: id }}>
            {kind === null ? 'Opportunity' : about}
          </RowLink>
        }
      >
        <PinnedMark id={id} />
        <VenueTags ids={legs.flatMap(({ markets }) => markets.map((market) => market.id))} />
        <Copyable text={JSON.stringify(legs)} what="Market combinations">
          {kindAndLegs(kind ?? name, legs.length)}
        </Copyable>
        {relation_id !== null && (
          <RowLink
            to="/discover/$relationId"
            params={{ relationId: relation_id }}
            title="Found by discovery: its relation"
          >
            <StatusBadge tone="active">Found</StatusBadge>
          </RowLink>
        )}
        {source_details !== null && !source_details.startsWith(about) && (
          <span title={source_details}>{source_details}</span>
        )}
      </NameCell>
    );
  },
  ({ of: before }, { of: now }) =>
    before.id === now.id && before.updated_at === now.updated_at && before.name === now.name,
);

/** "Yes + 3 × No · 4 legs"; "No on all 4" says of itself how many there are. */
function kindAndLegs(kind: string, legs: number): string {
  return legs <= 1 || /(all \d+|both)$/.test(kind) ? kind : `${kind} · ${legs} legs`;
}

/** When its cash is back; a moment before it was priced last means that a merge or a conversion brings it at once. */
function PaysOn({ of: { active, pays_at: at, last_checked: checked } }: { of: Row }) {
  if (at === null) return UNKNOWN;
  // What could be converted at once when it was priced may be no more.
  if (!active && checked !== null && at <= checked) return UNKNOWN;
  return checked !== null && at <= checked ? 'At once' : <LocalDay at={at} />;
}

/** Why a triggered row is not placed automatically: the first reason in short, and all when it is pointed at. */
function blockedBy(row: OpportunityRow): { short: string; whole: string } | undefined {
  const { flags } = row;
  const blocked = row.blocked === null ? null : plainWords(row.blocked);
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

/** The quick way to an order, and the menu. */
function OpportunityRowActions({ row }: { row: Row }) {
  const isPlaceable = placingRefusal(row) === undefined;
  const isDisarmed = useIsDisarmed(venuesOfLegs(row.market_combinations));
  return (
    <span className={styles.actions}>
      <PlaceButton id={row.id} name={row.name} isPlaceable={isPlaceable} isDisarmed={isDisarmed} />
      <OpportunityRowMenu id={row.id} name={row.name} isPlaceable={isPlaceable && !isDisarmed} />
    </span>
  );
}

type RowActionProps = { id: string; name: string; isPlaceable: boolean };

/** A row's menu; remembered, because it costs more to render than the prices that change beside it. */
const OpportunityRowMenu = memo(function OpportunityRowMenu({ id, name, isPlaceable }: RowActionProps) {
  const check = useCheckPrices('Failed to check arbitrage opportunity');
  const askAndDelete = useDeleteOpportunity();
  const place = usePlacing();
  const alertMe = useAlerting();
  const isPinned = usePins().includes(id);
  const entries: MenuEntry[] = [
    {
      label: 'View Details',
      icon: 'eye',
      link: (props) => (
        <Link to="/arbitrage/$opportunityId" params={{ opportunityId: id }} preload={false} {...props} />
      ),
    },
    {
      label: 'Place Order',
      icon: 'batches',
      onChoose: () => place(id, 'place'),
      disabled: !isPlaceable,
      changes: true,
    },
    { label: isPinned ? 'Unpin' : 'Pin', icon: 'pinned', onChoose: () => togglePin(id) },
    { label: 'Alert Me', icon: 'bell', onChoose: () => alertMe(id) },
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
