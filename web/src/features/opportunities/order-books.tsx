import type { Position } from '@dutchbook/contract/opportunities.ts';
import type { Depth } from '@dutchbook/contract/valuation.ts';
import { formatShares, type Shares } from '@dutchbook/units/shares.ts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Note } from '../../ui/states.tsx';
import { DepthLadder } from './depth-ladder.tsx';
import styles from './order-books.module.css';

const LEVELS_AT_FIRST = 6;
const LADDERS_AT_FIRST = 6;

/** The depth of every position, side by side. */
export function OrderBooks({ depth, positions }: { depth: Depth; positions: readonly Position[] }) {
  const [allLevels, setAllLevels] = useState(false);
  const [allLadders, setAllLadders] = useState(false);
  const deepest = Math.max(0, ...depth.positions.flatMap(({ asks, bids }) => [asks.length, bids.length]));
  const shown = allLadders ? depth.positions : depth.positions.slice(0, LADDERS_AT_FIRST);
  return (
    <>
      <div className={styles.head}>
        <MarkKey size={depth.max_profitable_size} />
        {deepest > LEVELS_AT_FIRST && (
          <Button size="compact-sm" variant="default" onClick={() => setAllLevels(!allLevels)}>
            {allLevels ? 'Show Best Levels' : `Show All ${deepest} Levels`}
          </Button>
        )}
      </div>
      <div className={styles.ladders}>
        {shown.map((one, index) => (
          <DepthLadder
            key={`${one.leg} ${one.market_id} ${one.outcome}`}
            depth={one}
            question={positions[index]?.question ?? null}
            feed={positions[index]?.feed}
            levels={allLevels ? deepest : LEVELS_AT_FIRST}
            roomFor={allLevels ? 0 : LEVELS_AT_FIRST}
            buying={depth.max_profitable_size}
          />
        ))}
      </div>
      {shown.length < depth.positions.length && (
        <Button variant="default" mt={12} onClick={() => setAllLadders(true)}>
          Show All {depth.positions.length} Positions
        </Button>
      )}
      {depth.positions.length === 0 && <Note tone="inactive" title="No position has an order book yet." />}
    </>
  );
}

function MarkKey({ size }: { size: Shares | null }) {
  if (size === null || size === 0) return null;
  return (
    <p className={styles.key}>
      <span aria-hidden="true" />
      Bought at the largest profitable size, {formatShares(size)} sh
    </p>
  );
}
