import type { RelationReply } from '@dutchbook/contract/relations.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { Box } from '@mantine/core';
import { payingWords } from '../../forms/paying-words.ts';
import { LiveNumber } from '../../ui/live-number.tsx';
import { Moment } from '../../ui/local-time.tsx';
import { Figures, Panel } from '../../ui/panel.tsx';
import { Outdated } from '../../ui/signed.tsx';
import { bookAge } from '../opportunities/book-age.ts';
import { Distance } from './relation-values.tsx';
import { inCents } from './relation-words.ts';

const UNKNOWN = '–';

/** How far the best basket is from paying, and what it would make. */
export function Standing({ of: relation }: { of: RelationReply }) {
  const { direction, profit_usd, size, quoted, members, oldest_book_ms, distance_with_voids } = relation;
  return (
    <Panel title="Where It Stands" aside={<Hits of={relation} />}>
      <Box mb={12} fz="1.0625rem">
        <Distance of={relation} />
      </Box>
      <Figures
        figures={[
          { name: 'Buys', value: direction === null ? UNKNOWN : `${direction === 'yes' ? 'Yes' : 'No'} on members` },
          {
            name: 'Dollars Now',
            value: relation.outdated ? (
              <Outdated>{formatUsd(profit_usd)}</Outdated>
            ) : (
              <LiveNumber value={profit_usd} arrow="after">
                {payingWords(profit_usd)}
              </LiveNumber>
            ),
          },
          { name: 'Size', value: size === 0 ? UNKNOWN : `${formatShares(size)} sh` },
          { name: 'If Voided', value: distance_with_voids === null ? UNKNOWN : withVoids(distance_with_voids) },
          { name: 'Quoted Members', value: `${quoted} of ${members}` },
          { name: 'Oldest Book', value: oldest_book_ms === null ? UNKNOWN : bookAge(oldest_book_ms) },
        ]}
      />
    </Panel>
  );
}

function withVoids(distance: NonNullable<RelationReply['distance_with_voids']>): string {
  return distance < 0 ? `pays ${inCents(distance)}` : `${inCents(distance)} away`;
}

function Hits({ of: { hits, last_hit_at } }: { of: RelationReply }) {
  if (last_hit_at === null) return <p className="hint">It has not paid yet.</p>;
  return (
    <p className="hint">
      {hits === 1 ? 'Paid once' : `Paid ${hits} times`}, last <Moment at={last_hit_at} />
    </p>
  );
}
