import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFrames } from './frames.ts';

const decimal = fc.oneof(
  fc.integer({ min: -1, max: 1_000_001 }).map((micro) => String(micro / 1_000_000)),
  fc.constantFrom('', '0', '1', '0.50', '1e3', '12.3456789', 'many'),
);
const row = fc.record({
  asset_id: fc.constantFrom('1', '2', ''),
  price: decimal,
  size: decimal,
  side: fc.constantFrom('BUY', 'SELL', 'buy', 'HOLD'),
  hash: fc.string(),
  best_bid: decimal,
  best_ask: decimal,
});
const frame = fc.record({
  market: fc.string(),
  price_changes: fc.array(row, { maxLength: 3 }),
  timestamp: fc.constantFrom('1780000000000', '', 'soon'),
  event_type: fc.constantFrom('price_change', 'price_change', 'price_change', 'book'),
});

/** The fields of an object the other way round, which says the same. */
function turned(value: object): object {
  return Object.fromEntries(Object.entries(value).reverse());
}

describe('changes of levels on the stream of the venue', () => {
  it('say the same in whatever order their fields are written', () => {
    fc.assert(
      fc.property(frame, (one) => {
        const other = turned({ ...one, price_changes: one.price_changes.map(turned) });
        const [read, again] = [readFrames(JSON.stringify(one)), readFrames(JSON.stringify(other))];
        expect(read).toEqual(again);
      }),
      { numRuns: 2_000 },
    );
  });

  it('are those of every row, whatever else is there', () => {
    const rows = ['1', '2'].map((asset_id) => ({ asset_id, price: '0.4', size: '12.5', side: 'SELL', hash: 'a' }));
    const level = { side: 'SELL', price: 400_000, size: 12_500_000 };
    const levels = [
      { tokenId: '1', ...level },
      { tokenId: '2', ...level },
    ];
    const text = JSON.stringify({
      market: 'm',
      price_changes: rows,
      timestamp: '5',
      event_type: 'price_change',
      more: [1],
    });
    expect(readFrames(text)).toEqual([{ kind: 'levels', levels, at: 5 }]);
    expect(readFrames(text.slice(0, -1))).toEqual([]);
    expect(readFrames(`[${text},${text}]`)).toHaveLength(2);
  });
});
