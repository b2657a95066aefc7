import type { readBatchResult } from '@dutchbook/contract/batch-results.ts';
import { formatPrice } from '@dutchbook/units/price.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type * as z from 'zod/mini';
import { Loaded } from '../../calls/loaded.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Beneath, Figures } from '../../ui/panel.tsx';
import { delayWords } from '../batches/delay-words.ts';
import { batchResultQuery, useReportRefresh } from './report-queries.ts';
import { costUsd, SignedUsd } from './results/result-columns.tsx';

type Result = z.output<typeof readBatchResult.reply>;
type Batch = Result['batch'];
type Leg = Result['legs'][number] & { id: string };

/** What a batch promised and its result, leg by leg. */
export function BatchResult({ id }: { id: string }) {
  useReportRefresh();
  const read = useQuery(batchResultQuery(id));
  return (
    <Loaded of={read} text="Error loading its result" inline height={180}>
      {(result) =>
        result === null ? (
          <p className="hint">Nothing of it has been counted yet. What is only simulated never is.</p>
        ) : (
          <Counted of={result} />
        )
      }
    </Loaded>
  );
}

function Counted({ of: { batch, legs } }: { of: Result }) {
  return (
    <>
      <Figures figures={figuresOf(batch)} />
      <Box my={14}>
        <DataTable
          label="Predicted and realised by leg"
          columns={LEGS}
          rows={legs.map((leg) => ({ ...leg, id: leg.order_id }))}
        />
      </Box>
      <p className="hint">{timeWords(batch)}</p>
      <Link to="/ledger" search={{ batchId: batch.batch_id }}>
        Entries in the Ledger
      </Link>
    </>
  );
}

function figuresOf(batch: Batch) {
  return [
    {
      name: 'Predicted',
      value: (
        <>
          <SignedUsd usd={batch.predicted_usd} />
          <Beneath>
            for {formatUsd(batch.predicted_cost_usd)} and {formatUsd(batch.predicted_fees_usd)} fees
          </Beneath>
        </>
      ),
    },
    {
      name: 'Paid',
      value: (
        <>
          <SignedUsd usd={batch.paid_usd} />
          <Beneath>
            for {formatUsd(batch.cost_usd)} and {formatUsd(batch.fees_usd)} fees
          </Beneath>
        </>
      ),
    },
    { name: 'Locked', value: <SignedUsd usd={batch.locked_usd} /> },
    { name: 'At Risk', value: formatUsd(batch.at_risk_usd) },
    { name: 'Slippage', value: costUsd(batch.slippage_usd) },
    { name: 'Shortfall', value: formatUsd(batch.shortfall_usd) },
  ];
}

const STEPS = [
  ['sent', 'sent_ms'],
  ['matched', 'matched_ms'],
  ['confirmed', 'confirmed_ms'],
  ['cash', 'cash_ms'],
] as const;

/** How long each step took from the trigger, and how old the books were then. */
function timeWords(batch: Batch): string {
  const steps = STEPS.flatMap(([word, name]) => {
    const ms = batch[name];
    return ms === null ? [] : [`${word} ${delayWords(ms)}`];
  });
  const after = steps.length === 0 ? '' : `After the trigger: ${steps.join(', ')}. `;
  return `${after}${batch.books_age_ms === null ? '' : `The oldest book was ${delayWords(batch.books_age_ms)} old.`}`;
}

const LEGS: readonly Column<Leg>[] = [
  {
    key: 'market',
    header: 'Market',
    wide: true,
    cell: ({ market_name, outcome }) => (
      <>
        {market_name} <strong>{outcome}</strong>
      </>
    ),
  },
  {
    key: 'filled',
    header: 'Filled',
    align: 'end',
    cell: ({ filled, ordered }) => `${formatShares(filled)} / ${formatShares(ordered)}`,
  },
  {
    key: 'predicted',
    header: 'Predicted Price',
    align: 'end',
    cell: ({ predicted_price }) => formatPrice(predicted_price),
  },
  {
    key: 'average',
    header: 'Average Price',
    align: 'end',
    cell: ({ average_price }) => (average_price === null ? '–' : formatPrice(average_price)),
  },
  {
    key: 'predicted_fee',
    header: 'Predicted Fee',
    align: 'end',
    spare: true,
    cell: ({ predicted_fee_usd }) => formatUsd(predicted_fee_usd),
  },
  { key: 'fee', header: 'Fee', align: 'end', cell: ({ fee_usd }) => formatUsd(fee_usd) },
  { key: 'slippage', header: 'Slippage', align: 'end', cell: ({ slippage_usd }) => costUsd(slippage_usd) },
  {
    key: 'before',
    header: 'Before Send',
    align: 'end',
    cell: ({ moved_before_send_usd }) => costUsd(moved_before_send_usd),
  },
  {
    key: 'flight',
    header: 'In Flight',
    align: 'end',
    cell: ({ moved_in_flight_usd }) => costUsd(moved_in_flight_usd),
  },
  { key: 'added', header: 'Size We Added', align: 'end', cell: ({ size_added_usd }) => costUsd(size_added_usd) },
];
