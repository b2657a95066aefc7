import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import type { Book } from '../book/book.ts';
import { bookOf, feeOf } from '../opportunity/quotes.fixture.ts';
import { relationOf } from '../relation/relation.fixture.ts';
import type { OpenBasket } from './found-baskets.ts';
import {
  type DiscoveryRules,
  type FollowedRelation,
  type Looked,
  RelationDesk,
  type RelationEvent,
} from './relation-desk.ts';

const START = instantFromMs(1_000_000);
const RULES: DiscoveryRules = {
  isEnabled: true,
  leastProfit: usdFromNumber(0.01),
  kindsOn: { pair: true, at_most_one: true, exactly_one: true, ladder: true, buckets: true },
};

/** "Exactly one of them happens", over these markets; a market is its own token. */
function relation(id: string, marketIds: readonly string[], changes: Partial<FollowedRelation> = {}): FollowedRelation {
  const shape = relationOf('exactly_one', 'o'.repeat(marketIds.length));
  const members = shape.members.map((member, place) => ({ ...member, marketId: marketIds[place] ?? '' }));
  return {
    ...{ id, terms: { ...shape, members, basis: 'enforced', state: 'approved' }, followedAt: START },
    members: members.map(({ marketId }) => ({
      ...{ marketId, tokenId: marketId, name: marketId, outcomes: ['Yes', 'No'] },
      ...{ feeSchedule: feeOf(0), resolved: null },
    })),
    ...{ isPaying: false, isTouched: true, hasOpportunity: false, isAccountedFor: false },
    ...changes,
  };
}

function openDesk() {
  const books = new Map<string, Book>();
  const said: string[] = [];
  const found: OpenBasket[] = [];
  const clock = { now: START };
  const desk = new RelationDesk<FollowedRelation>(
    RULES,
    {
      bookOf: (tokenId) => {
        const book = books.get(tokenId);
        return book && { book, ageMs: 0 };
      },
      newHitId: () => 'hit',
    },
    {
      wanted: (tokenIds) => void said.push(`wanted ${tokenIds.join()}`),
      unwanted: (tokenIds) => void said.push(`unwanted ${tokenIds.join()}`),
      beganToPay: ({ id }) => void said.push(`${id} pays`),
      hitOpened: ({ id }) => void said.push(`${id} hit`),
      hitClosed: ({ relationId }) => void said.push(`${relationId} over`),
      lookedAt: ({ id }) => void said.push(`${id} looked at`),
      found: ({ id }, open) => {
        found.push(open);
        said.push(`${id} found`);
      },
      gone: (id, direction) => void said.push(`${id} gone ${direction}`),
      later: () => void said.push('later'),
      over: () => void said.push('over'),
    },
  );
  const process = (event: RelationEvent<FollowedRelation>): string[] => {
    desk.process(event, clock.now);
    return said.splice(0);
  };
  return {
    ...{ desk, found, clock, process },
    put: (item: FollowedRelation) => process({ kind: 'put', item }),
    look: (of: Looked = 'touched') => process({ kind: 'time', of }),
    /** What the first outcome of the market costs from now on; the other one costs ten cents more than is left of a dollar. */
    price: (marketId: string, ask: number) => {
      books.set(marketId, bookOf([[ask, 100]], [[ask - 0.1, 100]]));
      return process({ kind: 'books', tokenIds: [marketId] });
    },
  };
}

describe('tokens', () => {
  it('are wanted by the first relation that needs them and unwanted after the last one, each said once', () => {
    const { put, process } = openDesk();
    expect(put(relation('one', ['a', 'b']))).toEqual(['wanted a,b']);
    expect(put(relation('two', ['b', 'c']))).toEqual(['wanted c']);
    expect(put(relation('three', ['a', 'c']))).toEqual([]);
    expect(put(relation('three', ['a', 'c']))).toEqual([]);
    expect(process({ kind: 'removed', id: 'three' })).toEqual([]);
    expect(process({ kind: 'removed', id: 'one' })).toEqual(['unwanted a']);
    expect(process({ kind: 'removed', id: 'two' })).toEqual(['unwanted b,c']);
    expect(process({ kind: 'removed', id: 'two' })).toEqual([]);
  });

  it('are none of a member that has none', () => {
    const { put } = openDesk();
    const item = relation('one', ['a', 'b']);
    const members = item.members.map((member, place) => ({ ...member, tokenId: place === 0 ? null : member.tokenId }));
    expect(put({ ...item, members })).toEqual(['wanted b']);
  });
});

describe('a relation', () => {
  it('pays once for as long as it pays, though its books are quiet and it is looked at seldom', () => {
    const { clock, put, price, look } = openDesk();
    put(relation('one', ['a', 'b']));
    price('a', 0.4);
    expect(price('b', 0.5)).toContain('one hit');
    for (let second = 2; second <= 60; second += 2) {
      clock.now = (START + second * 1000) as Instant;
      expect(look(second % 10 === 0 ? 'touched' : 'none')).not.toContain('one over');
    }
    price('b', 0.7);
    clock.now = (START + 66_000) as Instant;
    expect(look('none')).toContain('one over');
  });

  it('is said to pay once, and what it pays by is open until it has been gone for a while', () => {
    const { desk, clock, found, put, price, process, look } = openDesk();
    put(relation('one', ['a', 'b']));
    price('a', 0.4);
    expect(desk.hasOpen).toBe(false);
    expect(price('b', 0.5)).toEqual(['one hit', 'one pays', 'one found']);
    expect(desk.hasOpen).toBe(true);
    const [open] = found;
    if (open === undefined) throw new Error('Nothing was found.');
    process({ kind: 'stored', open, outcome: { kind: 'opened', opportunityId: 'o1' } });
    expect(price('b', 0.51)).not.toContain('one pays');
    expect(look('paying')).toEqual(['one looked at', 'over']);
    expect(look('none')).toEqual(['over']);
    expect(price('b', 0.7)).toEqual([]);
    clock.now = (START + 60_000) as Instant;
    expect(look('none')).toEqual(['one gone yes', 'one over', 'over']);
    expect(look()).toEqual(['one looked at', 'over']);
    expect(desk.hasOpen).toBe(false);
    expect(price('b', 0.5)).toContain('one pays');
  });

  it('pays no more once it is removed', () => {
    const { put, price, process } = openDesk();
    put(relation('one', ['a', 'b']));
    put(relation('two', ['a', 'b', 'c']));
    process({ kind: 'removed', id: 'one' });
    price('a', 0.4);
    expect(price('b', 0.5)).toEqual([]);
  });

  it('pays as soon as it is followed, where its books are there already', () => {
    const { put, price } = openDesk();
    price('a', 0.4);
    price('b', 0.5);
    expect(put(relation('one', ['a', 'b']))).toEqual(['wanted a,b', 'one hit', 'one pays', 'one found']);
  });

  it('is not said to pay while discovery is off', () => {
    const { put, price, process } = openDesk();
    put(relation('one', ['a', 'b']));
    process({ kind: 'rules', rules: { ...RULES, isEnabled: false } });
    price('a', 0.4);
    expect(price('b', 0.5)).toEqual([]);
  });

  it('that an earlier run has left open is gone after thirty seconds in which it did not pay, and once', () => {
    const { clock, put, look } = openDesk();
    put(relation('one', ['a', 'b'], { hasOpportunity: true, isTouched: false }));
    clock.now = (START + 29_999) as Instant;
    expect(look()).toEqual(['over']);
    clock.now = (START + 30_000) as Instant;
    expect(look()).toEqual(['one gone null', 'over']);
    expect(look()).toEqual(['over']);
  });
});

describe('many relations that go on paying while their books move', () => {
  const MEMBERS = 8;
  const COUNT = 50;
  const marketOf = (nth: number, place: number) => `r${nth}-${place}`;

  function openPaying() {
    const desk = openDesk();
    for (let nth = 0; nth < COUNT; nth += 1) {
      desk.put(
        relation(
          `r${nth}`,
          Array.from({ length: MEMBERS }, (_, place) => marketOf(nth, place)),
        ),
      );
      for (let place = 0; place < MEMBERS; place += 1) desk.price(marketOf(nth, place), 0.12);
    }
    for (const open of desk.found.splice(0))
      desk.process({ kind: 'stored', open, outcome: { kind: 'opened', opportunityId: open.relationId } });
    return desk;
  }

  it('are assessed in turn, no more of them than there is time for, and all in the end', () => {
    const { clock, desk, price, process } = openPaying();
    clock.now = (clock.now + 10_000) as Instant;
    const assessedNow = () =>
      [...desk.openHits()].flatMap(({ relationId, lastAt }) => (lastAt === clock.now ? relationId : []));
    for (let nth = 0; nth < COUNT; nth += 1) price(marketOf(nth, 0), 0.119);
    const assessed = new Set(assessedNow());
    expect(assessed.size).toBe(7);
    // 500 members a second: ten in this time, of which the last slice has taken six too many.
    clock.now = (clock.now + 20) as Instant;
    process({ kind: 'books', tokenIds: [] });
    for (const id of assessedNow()) assessed.add(id);
    expect(assessed.size).toBe(8);
    for (let tenths = 0; tenths < 10; tenths += 1) {
      clock.now = (clock.now + 100) as Instant;
      process({ kind: 'books', tokenIds: [] });
      for (const id of assessedNow()) assessed.add(id);
    }
    expect(assessed.size).toBe(COUNT);
  });

  it('are gone at once, also while they wait for their turn', () => {
    const { clock, desk, price, process } = openPaying();
    clock.now = (clock.now + 10_000) as Instant;
    for (let nth = 0; nth < COUNT; nth += 1) price(marketOf(nth, 0), 0.119);
    const last = marketOf(COUNT - 1, 1);
    price(last, 0.9);
    expect([...desk.all()].filter(({ isPaying }) => !isPaying).map(({ id }) => id)).toEqual([`r${COUNT - 1}`]);
    clock.now = (clock.now + 5000) as Instant;
    process({ kind: 'books', tokenIds: [] });
    expect([...desk.all()].find(({ id }) => id === `r${COUNT - 1}`)?.isPaying).toBe(false);
  });
});

describe('a look at all', () => {
  const MANY = Array.from({ length: 7 }, (_, nth) => `r${nth}`);
  const marketsOf = (id: string, count: number) => Array.from({ length: count }, (_, place) => `${id}-${place}`);

  it('looks at those that are touched in the order they were followed, and at each once', () => {
    const { put, look } = openDesk();
    for (const id of ['one', 'two', 'three']) put(relation(id, ['a', 'b']));
    expect(look('paying')).toEqual(['over']);
    expect(look()).toEqual(['one looked at', 'two looked at', 'three looked at', 'over']);
    expect(look()).toEqual(['over']);
  });

  it('stops after 250 members, or 25 that pay, and goes on with what is left, without those that were removed meanwhile', () => {
    const { put, look, process } = openDesk();
    for (const id of MANY) put(relation(id, marketsOf(id, 50)));
    const first = look();
    expect(first).toEqual([...MANY.slice(0, 5).map((id) => `${id} looked at`), 'later']);
    expect(look()).toEqual([]);
    process({ kind: 'removed', id: 'r5' });
    expect(process({ kind: 'left' })).toEqual(['r6 looked at', 'over']);
    expect(process({ kind: 'left' })).toEqual([]);

    const paying = openDesk();
    for (const id of MANY) {
      for (const market of marketsOf(id, 8)) paying.price(market, 0.12);
      paying.put(relation(id, marketsOf(id, 8)));
    }
    expect(paying.look().filter((line) => line.endsWith('looked at'))).toHaveLength(4);
  });
});
