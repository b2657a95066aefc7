import { type ExternalOrder, listExternalOrders } from '@dutchbook/contract/external-orders.ts';
import type { Change } from '@dutchbook/contract/stream.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { formatPrice } from '@dutchbook/units/price.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { Box } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { pageQuery } from '../../calls/call-query.ts';
import { useReadSoon } from '../../live/read-soon.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import { Panel } from '../../ui/panel.tsx';
import { VenueChoice } from '../status/venue-choice.tsx';
import { VenueTags } from '../status/venue-tags.tsx';

const KEY = ['external-orders'];
const SHOWN_MAX = 50;
/** In case a change was not received; that an order has ended is not published. */
const READ_ANYWAY_MS = 15_000;

const isAlert = ({ type }: Change) => type === 'notification';

/** Orders that were placed elsewhere with our key and that stand at a venue. Nothing is shown where there are none. */
export function ExternalOrders() {
  const client = useQueryClient();
  const readAgain = useCallback(() => void client.invalidateQueries({ queryKey: KEY }), [client]);
  useReadSoon(isAlert, readAgain);
  const [venue, setVenue] = useState<VenueName>();
  const { data } = useQuery(
    pageQuery(
      [...KEY, venue],
      listExternalOrders,
      { query: { skip: 0, limit: SHOWN_MAX, standing: true, ...(venue !== undefined && { venue }) } },
      { refetchInterval: READ_ANYWAY_MS },
    ),
  );
  if (data === undefined || (data.count === 0 && venue === undefined)) return null;
  return (
    <Panel title={`External Orders (${formatCount(data.count)})`} tone="warning">
      <Box component="p" maw="72ch" mb={12} className="muted">
        They stand at the venue and were not placed here: the person who placed them has the trading key. They are never
        sold or canceled by this product.
      </Box>
      <VenueChoice venue={venue} onVenue={setVenue} />
      <DataTable
        label="External orders"
        columns={COLUMNS}
        rows={data.data.map((order) => ({ ...order, id: order.order_hash }))}
      />
    </Panel>
  );
}

const COLUMNS: readonly Column<ExternalOrder & { id: string }>[] = [
  {
    key: 'market',
    header: 'Market',
    wide: true,
    cell: ({ market_name, market_id, token_id }) => (
      <>
        {market_name ?? market_id ?? token_id} <VenueTags ids={[token_id]} />
      </>
    ),
  },
  { key: 'outcome', header: 'Outcome', cell: ({ outcome }) => <strong>{outcome ?? 'Unknown'}</strong> },
  { key: 'side', header: 'Side', cell: ({ side }) => (side === 'buy' ? 'Buy' : 'Sell') },
  { key: 'price', header: 'Price', align: 'end', cell: ({ price }) => formatPrice(price) },
  { key: 'size', header: 'Size', align: 'end', cell: ({ size }) => formatShares(size) },
  { key: 'matched', header: 'Matched', align: 'end', cell: ({ matched_size }) => formatShares(matched_size) },
  { key: 'since', header: 'Since', cell: ({ since }) => <LocalTime at={since} /> },
];
