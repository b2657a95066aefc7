import { expect, it } from 'vitest';
import { distinctTitles } from './distinct-titles.ts';

it('tells apart by the venue’s own names what has one title, and leaves all others as they are', () => {
  const title = 'Strongest gust at the harbour?';
  const nameOf = distinctTitles([
    { id: 'kalshi:KXGUST-26NOV300300', title },
    { id: 'kalshi:KXGUST-26NOV300310', title },
    { id: '40010', title: 'Policy rate' },
    { id: '40010', title: 'Policy rate' },
  ]);
  expect(['kalshi:KXGUST-26NOV300300', 'kalshi:KXGUST-26NOV300310', '40010'].map(nameOf)).toEqual([
    `${title} · KXGUST-26NOV300300`,
    `${title} · KXGUST-26NOV300310`,
    'Policy rate',
  ]);
});
