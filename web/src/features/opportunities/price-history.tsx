import type { Opportunity } from '@dutchbook/contract/opportunities.ts';
import type { HistoryPoint } from '@dutchbook/contract/valuation.ts';
import { formatPercent } from '@dutchbook/units/percent.ts';
import { formatPrice } from '@dutchbook/units/price.ts';
import { useMemo, useState } from 'react';
import { Loaded } from '../../calls/loaded.tsx';
import { Segments } from '../../forms/segments.tsx';
import { Chart, ChartTable } from '../../ui/chart.tsx';
import { secondWords } from '../../ui/date-format.ts';
import { Panel } from '../../ui/panel.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useNowMs } from '../../ui/use-now.ts';
import { evenly } from './evenly.ts';
import styles from './price-history.module.css';
import {
  firstRange,
  HISTORY_RANGES,
  type HistoryRange,
  historyDrawing,
  historySummary,
  holdsUntilNow,
  livePoint,
  withLive,
} from './price-history-drawing.ts';
import { useHistory, usePricesBefore } from './valuation-queries.ts';

const NAME = 'Current price against target price';
const ROWS_MAX = 25;
/** The right edge of the chart moves on this often; a pixel is longer even over an hour. */
const EDGE_MS = 5_000;

const RANGE_CHOICES = HISTORY_RANGES.map(({ value, label }) => ({ value, label }));

/** How the current price has moved against the target, up to this moment. */
export function PriceHistory({ opportunity, onPick }: { opportunity: Opportunity; onPick: (atMs: number) => void }) {
  const [range, setRange] = useState<HistoryRange>(() => firstRange(opportunity, Date.now()));
  const read = useHistory(opportunity.id, range.spanMs);
  const live = useLivePrices(opportunity);
  const before = usePricesBefore(opportunity, range.spanMs);
  const isYoung = opportunity.created_at > Date.now() - range.spanMs;
  return (
    <Panel
      title="Price History"
      aside={
        <Segments
          aria-label="Range of the price history"
          data={RANGE_CHOICES}
          value={range.value}
          onChange={(value) => setRange(HISTORY_RANGES.find((one) => one.value === value) ?? range)}
        />
      }
    >
      <div className={styles.body} data-busy={read.isPlaceholderData}>
        <Loaded of={read} text="Error loading the price history" height={316}>
          {({ data }) => {
            const recorded = isYoung ? [...(before.data?.data ?? []), ...data] : data;
            return <Prices opportunity={opportunity} recorded={recorded} live={live} range={range} onPick={onPick} />;
          }}
        </Loaded>
        {isYoung && <p className={styles.before}>{beforeWords(opportunity, before)}</p>}
      </div>
    </Panel>
  );
}

/** Note about the chart's part from before the opportunity was stored; always a line, so that nothing moves. */
function beforeWords({ created_at }: Opportunity, { data, isError }: ReturnType<typeof usePricesBefore>): string {
  const stored = secondWords(created_at);
  if (isError) return `What was recorded before ${stored}, when this opportunity was stored, could not be read.`;
  if (data === undefined) return `Reading what was recorded before ${stored}, when this opportunity was stored.`;
  if (data.data.length === 0) return `None of its books was recorded before ${stored}, when it was stored.`;
  return `Before ${stored}, when this opportunity was stored, these are the prices of the recorded books.`;
}

type PricesProps = {
  opportunity: Opportunity;
  recorded: readonly HistoryPoint[];
  live: readonly HistoryPoint[];
  range: HistoryRange;
  onPick: (atMs: number) => void;
};

function Prices({ opportunity, recorded, live, range, onPick }: PricesProps) {
  const edgeMs = Math.floor(useNowMs() / EDGE_MS) * EDGE_MS;
  const holds = holdsUntilNow(opportunity);
  const points = useMemo(() => withLive(recorded, live), [recorded, live]);
  const drawing = useMemo(
    () => historyDrawing(points, { spanMs: range.spanMs, nowMs: edgeMs, holds }),
    [points, range, edgeMs, holds],
  );
  const hasMoved = live.some(({ current_price }) => current_price !== live[0]?.current_price);
  if (recorded.length === 0 && !hasMoved)
    return <NothingRecorded range={range} isYoung={opportunity.created_at > edgeMs - range.spanMs} />;
  return (
    <Chart
      name={NAME}
      drawing={drawing}
      onPick={onPick}
      formatX={(at) => secondWords(at)}
      summary={historySummary(points, range.words, edgeMs - range.spanMs)}
      table={<ChartTable label={NAME} headers={HEADERS} rows={evenly(points, ROWS_MAX).toReversed().map(rowOf)} />}
    />
  );
}

const HEADERS = ['Time', 'Current', 'Target', 'Profit %', 'Triggered'];

function rowOf({ at, current_price, target_price, profit_percentage, triggered }: HistoryPoint) {
  return {
    key: at,
    cells: [
      secondWords(at),
      current_price === null ? 'None' : formatPrice(current_price),
      formatPrice(target_price),
      profit_percentage === null ? '–' : formatPercent(profit_percentage),
      triggered ? 'Yes' : 'No',
    ],
  };
}

function NothingRecorded({ range, isYoung }: { range: HistoryRange; isYoung: boolean }) {
  return (
    <EmptyState
      icon="arbitrage"
      text={isYoung ? 'No prices recorded yet' : `No prices recorded in the last ${range.words}`}
      hint="A price is recorded when it changes, at most every ten seconds."
    />
  );
}

/** Half an hour of a price that moves five times a second would be more than a chart can show. */
const POINTS_MAX = 2_000;

/** The prices this page has been sent since it was opened, oldest first; one that did not change only moves on in time. */
function useLivePrices(opportunity: Opportunity): HistoryPoint[] {
  const [live, setLive] = useState<HistoryPoint[]>([]);
  const point = livePoint(opportunity);
  const last = live.at(-1);
  if (point === undefined) return live;
  if (last !== undefined && (point.at < last.at || isSame(last, point))) return live;
  // What was judged at one moment may arrive in two steps: the price, then that it triggers.
  const before = point.at === last?.at ? live.slice(0, -1) : live;
  const next = [...before, point].slice(-POINTS_MAX);
  setLive(next);
  return next;
}

function isSame(a: HistoryPoint, b: HistoryPoint): boolean {
  return a.current_price === b.current_price && a.target_price === b.target_price && a.triggered === b.triggered;
}
