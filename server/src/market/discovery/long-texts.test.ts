/** Texts too long for an index: no event of the venue may stop the reading of the others. */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { explainWatched } from './census.ts';
import { cupOf, memberOf, openDiscoveryDesk } from './discovery.fixture.ts';
import { readPass } from './sync.ts';

/** As many names as a golf tournament has players, all different. */
const PLAYERS = Array.from({ length: 200 }, (_, nth) =>
  createHash('sha256')
    .update(String(nth))
    .digest('base64')
    .replaceAll(/[^a-z]/gi, '')
    .slice(0, 14),
);

it('a series with very many names is read, and approved as one', async () => {
  const desk = await openDiscoveryDesk();
  await using _ = desk;
  const openOf = (year: string) =>
    cupOf([], {
      ...{ id: year, title: `The open of ${year}`, series: 'open', augmented: true },
      members: PLAYERS.map((name, memberIndex) =>
        memberOf(`${year} ${memberIndex}`, { memberIndex, question: `Will ${name} win the open of ${year}?` }),
      ),
    });
  desk.desk.events = [openOf('2026'), cupOf(['a', 'b', 'c'])];
  const discovery = await desk.start();
  await desk.pass();
  expect(await readPass(desk.runtime.db, 'polymarket')).toMatchObject({ error: null, eventsRead: 2 });
  const [first = expect.fail('the open is not a relation')] = await desk.relations('at_most_one');
  await desk.approve(first, 'series');
  desk.desk.events.push(openOf('2027'));
  await desk.pass();
  expect(await desk.relations('at_most_one')).toMatchObject([
    { eventId: '2026', state: 'approved', bySeries: false },
    { eventId: '2027', state: 'approved', bySeries: true },
  ]);
  await discovery.stop();
});

it('what is named at great length is read, and watched', async () => {
  const desk = await openDiscoveryDesk();
  await using _ = desk;
  const long = PLAYERS.join(' ').repeat(2);
  const rungs = [10, 20].map((amount) =>
    memberOf(`over-${amount}`, { slug: long, question: `Will ${long} be above ${amount}?`, groupTitle: `>${amount}` }),
  );
  desk.desk.events = [
    cupOf([], { id: 'far', slug: long, title: long, exclusive: null, members: rungs }),
    cupOf(['a', 'b', 'c']),
  ];
  const discovery = await desk.start();
  await desk.pass();
  expect(await readPass(desk.runtime.db, 'polymarket')).toMatchObject({ error: null, eventsRead: 2 });
  expect(await explainWatched(desk.runtime.db, 'far')).toMatchObject([{ title: long, watched: true }]);
  await discovery.stop();
});
