import { instantFromMs } from '@dutchbook/units/instant.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BookSnapshot, VenuePrices } from '../../venue.ts';
import { ResyncQueue } from './resync.ts';
import { blank, createTokenFeed, takeBookFrame } from './token-feed.ts';

const CONFIG = { resyncAfterMs: 250, backoffMinMs: 250, backoffMaxMs: 30_000 };
const MINUTE_MS = 60_000;
const NOW = instantFromMs(1);

let asked: string[];
let listed: Set<string>;
let queue: ResyncQueue;

beforeEach(() => {
  vi.useFakeTimers();
  [asked, listed] = [[], new Set()];
  const prices: VenuePrices = {
    fetchBooks: (tokenIds) => {
      asked.push(tokenIds.join(' '));
      return Promise.resolve(new Map(tokenIds.filter((id) => listed.has(id)).map((id) => [id, emptyBook(id)])));
    },
    fetchQuotes: () => Promise.resolve(new Map()),
  };
  const log = { info: () => undefined, warn: () => undefined };
  const runtime = { now: () => NOW, random: () => 1, log };
  queue = new ResyncQueue({
    prices,
    runtime,
    config: CONFIG,
    onSnapshots: () => undefined,
    onHopeless: () => undefined,
  });
});

afterEach(() => {
  queue.close();
  vi.useRealTimers();
});

const feedOf = (tokenId: string) => createTokenFeed(tokenId, NOW);

const emptyBook = (tokenId: string): BookSnapshot => ({ tokenId, bids: [], asks: [], timestamp: NOW, tick: null });

describe('reading fresh books', () => {
  it('asks ever more rarely for a book the venue does not have, all such tokens in one call', async () => {
    for (const token of ['A', 'B']) queue.add(feedOf(token));
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(new Set(asked)).toEqual(new Set(['A B']));
    expect(asked.length).toBeLessThan(10);
    asked.length = 0;
    await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
    expect(asked.length).toBeGreaterThanOrEqual(15);
    expect(asked.length).toBeLessThanOrEqual(21);
  });

  it('does not let another token wait for that', async () => {
    queue.add(feedOf('A'));
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    asked.length = 0;
    queue.add(feedOf('B'));
    await vi.advanceTimersByTimeAsync(CONFIG.resyncAfterMs);
    expect(asked).toEqual(['B']);
  });

  it('begins anew for a token that has had a book since', async () => {
    const feed = feedOf('A');
    queue.add(feed);
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    queue.remove(feed);
    takeBookFrame(feed, [], []);
    blank(feed);
    asked.length = 0;
    queue.add(feed);
    await vi.advanceTimersByTimeAsync(CONFIG.resyncAfterMs + CONFIG.backoffMinMs + CONFIG.resyncAfterMs);
    expect(asked).toEqual(['A', 'A']);
  });

  it('asks no more once there is a book, or the token is not wanted', async () => {
    const [listedLater, letGo] = [feedOf('A'), feedOf('B')];
    queue.add(listedLater);
    queue.add(letGo);
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    listed.add('A');
    queue.remove(letGo);
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect([listedLater.isBlank, asked.at(-1)]).toEqual([false, 'A']);
    asked.length = 0;
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(asked).toEqual([]);
  });
});
