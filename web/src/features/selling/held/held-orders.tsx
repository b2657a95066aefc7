import { listBatches } from '@dutchbook/contract/batches.ts';
import { listOrders, type Order } from '@dutchbook/contract/orders.ts';
import { formatPrice } from '@dutchbook/units/price.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../../calls/call.ts';
import { Loaded } from '../../../calls/loaded.tsx';
import { useOpening } from '../../../calls/use-opening.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Moment } from '../../../ui/local-time.tsx';
import { type HeldTokens, heldShares } from '../sale-rows.ts';
import { SellOrderDialog } from '../sell-order-dialog.tsx';

/** More than a series of clips buys of one market. */
const ORDERS_MAX = 100;

/** The orders that hold shares of `tokens`, each with the way to sell it by itself, in part or at a price for which it waits. */
export function HeldOrders({ tokens }: { tokens: HeldTokens }) {
  const read = useQuery({
    queryKey: ['batch', 'held', tokens.map(({ token_id }) => token_id)],
    queryFn: ({ signal }) => readHeld(tokens, signal),
  });
  const [chosen, setChosen] = useState<Order>();
  const sale = useOpening();
  const sell = (order: Order) => {
    setChosen(order);
    sale.open();
  };
  return (
    <>
      <Loaded of={read} text="Error loading the orders" inline height={160}>
        {({ rows }) =>
          rows.length === 0 ? (
            <p className="muted">No order holds shares of it any more.</p>
          ) : (
            <DataTable label="Orders to sell" columns={columnsWith(sell)} rows={rows} />
          )
        }
      </Loaded>
      {chosen !== undefined && sale.opening > 0 && (
        <SellOrderDialog
          key={`${chosen.id} ${sale.opening}`}
          opened={sale.opened}
          order={chosen}
          onClose={(isSubmitting) => {
            sale.close(isSubmitting);
            void read.refetch();
          }}
        />
      )}
    </>
  );
}

type Row = Order & { isBuying: boolean };

async function readHeld(tokens: HeldTokens, signal: AbortSignal): Promise<{ rows: Row[] }> {
  const markets = [...new Set(tokens.map(({ market_id }) => market_id))];
  const page = { skip: 0, limit: ORDERS_MAX, sort_by: 'created_at', sort_order: 'desc' } as const;
  const [buying, ...listed] = await Promise.all([
    call(listBatches, { query: { ...page, is_active: true }, signal }),
    ...markets.map((market_id) =>
      call(listOrders, {
        query: { ...page, market_id, side: 'buy', group_by_batch: false, include_batch_summary: false },
        signal,
      }),
    ),
  ]);
  const active = new Set(buying.data.map(({ id }) => id));
  const wanted = new Set<string>(tokens.map(({ token_id }) => token_id));
  // The answers hold orders by themselves, because groups of them were not asked for.
  const orders = listed
    .flatMap(({ data }): (Order | object)[] => data)
    .filter((row): row is Order => 'status' in row)
    .filter((order) => wanted.has(order.token_id) && heldShares(order) > 0);
  return { rows: orders.map((order) => ({ ...order, isBuying: active.has(order.batch_id) })) };
}

function columnsWith(sell: (order: Order) => void): readonly Column<Row>[] {
  return [
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
      key: 'bought',
      header: 'Bought',
      cell: ({ batch_id, created_at }) => (
        <Link to="/batches/$batchId" params={{ batchId: batch_id }}>
          <Moment at={created_at} />
        </Link>
      ),
    },
    { key: 'held', header: 'Held', align: 'end', cell: (order) => formatShares(heldShares(order)) },
    {
      key: 'at',
      header: 'Bought At',
      align: 'end',
      cell: ({ average_price }) => (average_price === null ? '–' : formatPrice(average_price)),
    },
    {
      key: 'sell',
      header: 'Actions',
      align: 'end',
      cell: (order) =>
        order.isBuying ? (
          <span className="hint">Its batch still buys</span>
        ) : (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Sell ${formatShares(heldShares(order))} sh of ${order.outcome} of ${order.market_name}`}
            onClick={() => sell(order)}
          >
            Sell
          </Button>
        ),
    },
  ];
}
