import assert from 'node:assert/strict';
import type { CatalogueEvent } from '@dutchbook/engine/relation/catalogue-event.ts';
import type { TokenId } from '@dutchbook/units/ids.ts';
import type { VenueCatalogue } from '../venue.ts';
import type { ConformanceCase } from './cases.ts';

/** What is read without an account: the catalogue and the prices. */
export const READING_CASES: readonly ConformanceCase[] = [
  {
    number: 1,
    title: 'lists every open market once, in a stable order, page by page',
    run: async ({ venue }) => {
      const whole = await venue.catalogue.searchMarkets({ skip: 0, limit: 1000 });
      assert.ok(whole.count >= 60, 'at least 60 markets');
      assert.equal(whole.data.length, whole.count);
      assert.equal(new Set(whole.data.map(({ id }) => id)).size, whole.count);
      const pages = [];
      for (let skip = 0; skip < whole.count; skip += 7) {
        pages.push(...(await venue.catalogue.searchMarkets({ skip, limit: 7 })).data);
      }
      assert.deepEqual(
        pages.map(({ id }) => id),
        whole.data.map(({ id }) => id),
      );
    },
  },
  {
    number: 2,
    title: 'finds markets by words of their question or event, and by event',
    run: async ({ venue }) => {
      const { data } = await venue.catalogue.searchMarkets({ skip: 0, limit: 1000 });
      const wanted = data.find(({ event }) => (event?.marketIds.length ?? 0) > 2);
      assert.ok(wanted?.event);
      const byEvent = await venue.catalogue.searchMarkets({ event: wanted.event.id, skip: 0, limit: 100 });
      assert.deepEqual(byEvent.data.map(({ id }) => id).sort(), [...wanted.event.marketIds].sort());
      const search = wanted.question.toUpperCase();
      const byWords = await venue.catalogue.searchMarkets({ search, skip: 0, limit: 100 });
      assert.ok(byWords.data.some(({ id }) => id === wanted.id));
      const byTitle = await venue.catalogue.searchMarkets({ search: wanted.event.title, skip: 0, limit: 100 });
      assert.ok(byTitle.count >= byEvent.count);
    },
  },
  {
    number: 3,
    title: 'says of a market what placing needs, and of an event whether its markets are all there are',
    run: async ({ venue }) => {
      const { data } = await venue.catalogue.searchMarkets({ skip: 0, limit: 1000 });
      for (const market of data) {
        assert.equal(market.outcomes.length, 2);
        assert.notEqual(market.outcomes[0]?.tokenId, market.outcomes[1]?.tokenId);
        assert.ok(market.tick > 0 && market.minOrderSize > 0 && market.feeSchedule !== null);
      }
      assert.ok(data.some(({ negRisk, event }) => negRisk && event?.negRisk && !event.augmented));
      assert.ok(data.some(({ event }) => event?.augmented));
      assert.ok(new Set(data.map(({ feeSchedule }) => feeSchedule?.rate)).size > 1, 'several fee rates');
      assert.ok(new Set(data.map(({ tick }) => tick)).size > 1, 'several tick sizes');
    },
  },
  {
    number: 4,
    title: 'reads markets by id and leaves out unknown ones',
    run: async ({ venue }) => {
      const { data } = await venue.catalogue.searchMarkets({ skip: 0, limit: 60 });
      const ids = data.map(({ id }) => id);
      const unknown = `0x${'0'.repeat(64)}`;
      const found = await venue.catalogue.marketsById([...ids, unknown]);
      assert.deepEqual([...found.keys()].sort(), [...ids].sort());
    },
  },
  {
    number: 5,
    title: 'reads order books best level first, and leaves out tokens without one',
    run: async (bench) => {
      const { yes, no } = await bench.freshMarket();
      await bench.control.quote(
        yes.tokenId,
        [
          ['0.4', '10'],
          ['0.42', '5'],
        ],
        [
          ['0.6', '7'],
          ['0.55', '3'],
        ],
      );
      const books = await bench.venue.prices.fetchBooks([yes.tokenId, no.tokenId, '123']);
      assert.deepEqual([...books.keys()].sort(), [yes.tokenId, no.tokenId].sort());
      const levels = (tokenId: TokenId) => {
        const book = books.get(tokenId);
        return [book?.bids, book?.asks].map((side) => side?.map(({ price, size }) => [price, size]));
      };
      assert.deepEqual(levels(yes.tokenId), [
        [
          [420_000, 5_000_000],
          [400_000, 10_000_000],
        ],
        [
          [550_000, 3_000_000],
          [600_000, 7_000_000],
        ],
      ]);
      assert.deepEqual(levels(no.tokenId)[1]?.[0], [580_000, 5_000_000]);
      assert.equal(books.get(yes.tokenId)?.tick, 10_000);
    },
  },
  {
    number: 6,
    title: 'quotes midpoint and last trade',
    run: async (bench) => {
      const { yes } = await bench.freshMarket();
      await bench.control.quote(yes.tokenId, [['0.42', '5']], [['0.55', '3']]);
      const quote = (await bench.venue.prices.fetchQuotes([yes.tokenId])).get(yes.tokenId);
      assert.equal(quote?.midpoint, 485_000);
    },
  },
  {
    number: 9,
    title: 'quotes nothing of a token that never traded and has no bids',
    run: async (bench) => {
      const { yes } = await bench.freshMarket();
      await bench.control.quote(yes.tokenId, [], [['0.55', '3']]);
      assert.equal((await bench.venue.prices.fetchQuotes([yes.tokenId])).get(yes.tokenId), undefined);
    },
  },
  {
    number: 10,
    title: 'knows every market and order asked for, whatever the size of the pages they come in',
    run: async (bench) => {
      const known = (await bench.venue.catalogue.searchMarkets({ skip: 0, limit: 1000 })).data.map(({ id }) => id);
      await bench.control.clampPages(7);
      const { catalogue } = await bench.openVenue();
      assert.deepEqual([...(await catalogue.marketsById(known)).keys()], known);
      assert.equal((await catalogue.searchMarkets({ skip: 0, limit: 1000 })).count, known.length);
    },
  },
  {
    number: 7,
    title: 'shows that a resolved market is closed and takes no more orders',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      await bench.control.resolve(market.id, yes.outcome);
      const venue = await bench.openVenue();
      const read = (await venue.catalogue.marketsById([market.id])).get(market.id);
      assert.equal(read?.closed, true);
      assert.equal(read?.acceptingOrders, false);
      const { data } = await venue.catalogue.searchMarkets({ skip: 0, limit: 1000 });
      assert.ok(!data.some(({ id }) => id === market.id));
    },
  },
  {
    number: 8,
    title: 'asks for everything anew once it has to forget',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      const { catalogue, forget } = await bench.openVenue();
      await catalogue.searchMarkets({ skip: 0, limit: 1 });
      await bench.control.resolve(market.id, yes.outcome);
      forget();
      assert.equal((await catalogue.marketsById([market.id])).get(market.id)?.closed, true);
      const { data } = await catalogue.searchMarkets({ skip: 0, limit: 1000 });
      assert.ok(!data.some(({ id }) => id === market.id));
      assert.ok(data.every(({ event, negRisk }) => event !== null || !negRisk));
    },
  },
  {
    number: 11,
    title: 'reads every open event whole, whatever the size of the pages, and goes on behind any of them',
    run: async (bench) => {
      const { data } = await bench.venue.catalogue.searchMarkets({ skip: 0, limit: 1000 });
      const listed = new Set(data.map(({ event }) => event?.id));
      await bench.control.clampPages(3);
      const { catalogue } = await bench.openVenue();
      const pages = await readPages(catalogue, null);
      const events = pages.flatMap((page) => page.events);
      assert.ok(pages.length > 3 && pages.at(-1)?.cursor === null);
      assert.equal(new Set(events.map(({ id }) => id)).size, events.length);
      assert.ok([...listed].every((id) => events.some((event) => event.id === id)));
      assert.ok(events.every(({ isWhole, closed, members }) => isWhole && !closed && members.length > 0));
      const rest = await readPages(catalogue, pages[1]?.cursor ?? '');
      assert.deepEqual(
        rest.flatMap((page) => page.events.map(({ id }) => id)),
        pages.slice(2).flatMap((page) => page.events.map(({ id }) => id)),
      );
    },
  },
  {
    number: 12,
    title: 'says of an event what its members have in common, and of each member what its rules are',
    run: async ({ venue }) => {
      const events = (await readPages(venue.catalogue, null)).flatMap((page) => page.events);
      const members = events.flatMap((event) => event.members.filter(({ leftOut }) => leftOut === null));
      assert.ok(members.every(({ question, rules, endDate }) => question !== '' && rules !== '' && endDate !== null));
      assert.ok(members.every(({ outcomes, tokenIds }) => outcomes.length === 2 && tokenIds.length === 2));
      const exclusive = events.filter((event) => event.exclusive !== null);
      const counted = exclusive.filter((event) =>
        event.members.every(({ memberIndex }, place) => memberIndex === place),
      );
      assert.ok(counted.some(({ augmented }) => augmented) && counted.some(({ augmented }) => !augmented));
      assert.ok(counted.length < exclusive.length, 'an event of which a member is not listed');
      assert.ok(events.some(({ nested }) => nested !== null) && events.some(({ series }) => series !== null));
    },
  },
  {
    number: 13,
    title: 'reads events by their ids as they are now, each with its closed members and what they are worth',
    run: async (bench) => {
      const { market, yes } = await bench.freshMarket();
      const eventId = market.event?.id ?? '';
      await bench.control.resolve(market.id, yes.outcome);
      await bench.control.editRules(market.id, 'It resolves by lot.');
      const [event, ...others] = await bench.venue.catalogue.eventsById([eventId, 'unknown'], 'following');
      assert.deepEqual([event?.id, others.length], [eventId, 0]);
      const member = event?.members.find(({ marketId }) => marketId === market.id);
      assert.deepEqual(
        [member?.closed, member?.resolvedValue, member?.rules],
        [true, 1_000_000, 'It resolves by lot.'],
      );
      const open = event?.members.filter(({ closed }) => !closed) ?? [];
      assert.ok(open.every(({ resolvedValue }) => resolvedValue === null));
    },
  },
];

type Page = { events: CatalogueEvent[]; cursor: string | null };

async function readPages(catalogue: VenueCatalogue, cursor: string | null): Promise<Page[]> {
  const pages: Page[] = [];
  for await (const page of catalogue.readEvents(cursor)) pages.push(page);
  return pages;
}
