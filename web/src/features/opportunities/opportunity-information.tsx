import type { Opportunity } from '@dutchbook/contract/opportunities.ts';
import { formatAnnualised, isBackWithinDay, NO_YEARLY_REASON } from '@dutchbook/units/percent.ts';
import { formatPrice } from '@dutchbook/units/price.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { Link } from '@tanstack/react-router';
import { CopiedId, Copyable, shortId } from '../../ui/copyable.tsx';
import { Moment } from '../../ui/local-time.tsx';
import { Beneath, Details, Figures, Panel } from '../../ui/panel.tsx';
import { TriggerWords } from './list/trigger-note.tsx';
import { formatPerShare } from './per-share.ts';
import { CurrentPrice, OpportunityStatus, Profit, profitPerSet } from './profit.tsx';

type FactsProps = { of: Opportunity };

const UNKNOWN = '–';

export function PriceInformation({ of: opportunity }: FactsProps) {
  const { target_price, fees_per_set, annualised_return, profit_percentage, max_profitable_size } = opportunity;
  return (
    <Panel title="Price Information">
      <Figures
        figures={[
          {
            name: 'Target Price',
            value: (
              <>
                {formatPrice(target_price)}
                <Beneath>dollars that a set pays</Beneath>
              </>
            ),
          },
          {
            name: 'Current Price',
            value: <CurrentPrice of={opportunity} arrow="after" />,
          },
          { name: 'Fees per Set', value: fees_per_set === null ? UNKNOWN : formatPerShare(fees_per_set) },
          { name: 'Profit %', value: <ProfitInBoth of={opportunity} /> },
          {
            name: 'Return a Year',
            value: (
              <>
                {formatAnnualised(annualised_return, profit_percentage)}
                {isBackWithinDay(annualised_return, profit_percentage) && <Beneath>{NO_YEARLY_REASON}</Beneath>}
              </>
            ),
          },
          {
            name: 'Max Profitable Size',
            value: max_profitable_size === null ? UNKNOWN : `${formatShares(max_profitable_size)} sh`,
          },
        ]}
      />
    </Panel>
  );
}

function ProfitInBoth({ of: opportunity }: FactsProps) {
  const perSet = profitPerSet(opportunity);
  return (
    <>
      <Profit of={opportunity} />
      {perSet !== null && <Beneath>{perSet} a set</Beneath>}
      <Beneath>
        <TriggerWords />
      </Beneath>
    </>
  );
}

export function BasicInformation({ of: opportunity }: FactsProps) {
  const { id, created_at, updated_at, last_checked, error_count, source, source_details, content_hash } = opportunity;
  const { relation_id, relation_basis: basis } = opportunity;
  return (
    <Panel
      title="Basic Information"
      folds
      aside={
        <Link to="/batches" search={{ opportunityId: id, each: true }}>
          View Batches
        </Link>
      }
    >
      <Details
        details={[
          {
            name: 'ID',
            value: <CopiedId id={id} what="ID" whole />,
          },
          { name: 'Status', value: <OpportunityStatus of={opportunity} /> },
          { name: 'Created', value: <Moment at={created_at} /> },
          { name: 'Updated', value: <Moment at={updated_at} /> },
          { name: 'Last Checked', value: last_checked === null ? 'Never' : <Moment at={last_checked} /> },
          { name: 'Error Count', value: error_count },
          {
            name: 'Source',
            value: relation_id === null ? (source ?? UNKNOWN) : <FoundBy id={relation_id} basis={basis} />,
          },
          { name: 'Source Details', value: source_details ?? UNKNOWN },
          {
            name: 'Content Hash',
            value: <Copyable text={content_hash} what="Content hash" mono>{`${shortId(content_hash)}…`}</Copyable>,
          },
        ]}
      />
    </Panel>
  );
}

/** Two sets of one title may differ in nothing else than whether a superuser is asked first. */
function FoundBy({ id, basis }: { id: string; basis: Opportunity['relation_basis'] }) {
  return (
    <>
      Found by discovery:{' '}
      <Link to="/discover/$relationId" params={{ relationId: id }}>
        its relation
      </Link>
      {basis && `, ${basis}: needs ${basis === 'parsed' || basis === 'human' ? 'an' : 'no'} approval`}
    </>
  );
}
