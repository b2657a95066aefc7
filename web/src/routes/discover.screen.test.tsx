/** The list of watched relations, and the census of what is watched. */

import { readMe } from '@dutchbook/contract/current-user.ts';
import { explainWatched, readCensus } from '@dutchbook/contract/discovery/census.ts';
import { readDiscoverySettings } from '@dutchbook/contract/discovery-settings.ts';
import { listRelations } from '@dutchbook/contract/relations.ts';
import { readOverview } from '@dutchbook/contract/status.ts';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { APPROVE_FIRST } from '../features/session/way-to-change.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { button, cellsOf, expectCells, expectRoomFor, rowsOf, typeInto } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server, tell } from '../testing/screen.tsx';
import { refusal } from '../testing/server.ts';

const LIST = 'Relations';
const { data: ROWS } = recorded(listRelations);
const [PAYS, , AWAY] = ROWS;
if (PAYS === undefined || AWAY === undefined) throw new Error('no relations were recorded');

/** Of the list: what stands above it asks for fewer rows. */
const lastQuery = () => server.askedFor(listRelations).findLast(({ query }) => Number(query.limit) > 5)?.query;
const distance = (nth: number) => cellsOf(LIST, 'Distance')[nth]?.textContent;

test('lists what is watched, nearest first, each with its distance in words', async () => {
  await open('/discover');
  await expectCells(
    LIST,
    'Distance',
    /^↑ pays 0\.8 c after feessince /,
    /^↑ pays under 0\.1 c after feessince /,
    '1.6 c away after feeslimited by leg 3: Renata Quill',
    /^3\.4 c away/,
    /^6\.1 c away/,
    'cannot be priced0 of 1 members are quoted',
    /^11\.2 c away/,
  );
  await expectCells(
    LIST,
    'State',
    /^Needs no approval/,
    /^Needs approval/,
    'Approved',
    /^Void/,
    /^Kind off/,
    'Needs no approval',
    'Rejected',
  );
  await expectCells(LIST, 'Quoted', '6/6', '9/9', '11/12', '5/5', '29/32', '0/1', '4/4');
  expect(cellsOf(LIST, 'Dollars')[0]?.textContent).toBe('$3.42at 428.00 sh');
  expect(cellsOf(LIST, 'Last Hit').at(-1)?.textContent).toBe('Never');
  expect(lastQuery()).toEqual({
    skip: '0',
    limit: '10',
    sort_by: 'distance',
    sort_order: 'asc',
    pairs: 'left_out',
    complete_first: 'true',
  });
  await expectAccessible('the relations');
});

test.for([620, 768, 1024, 1239])('in a window of %i pixels nothing of a row has to be scrolled to', async (width) => {
  await page.viewport(width, 900);
  await open('/discover');
  await expect.poll(() => rowsOf(LIST).length).toBe(ROWS.length);
  await expectRoomFor(LIST);
  // What there is no room for stands on the relation's page.
  for (const column of ['Kind', 'Quoted', 'Last Hit'])
    expect(cellsOf(LIST, column)[0]?.getBoundingClientRect().width).toBe(0);
});

test('narrows the list from the address and to it, and sorts', async () => {
  const { address } = await open('/discover?kind=ladder&state=nonsense&minProfitUsd=2&followed=true');
  await expect
    .poll(lastQuery)
    .toMatchObject({ kind: 'ladder', min_profit_usd: '2', followed: 'true', sort_by: 'distance' });
  expect(lastQuery()).not.toHaveProperty('state');
  await page.getByLabelText('Basis').selectOptions('Parsed');
  await expect.poll(lastQuery).toMatchObject({ kind: 'ladder', basis: 'parsed' });
  await typeInto(page.getByLabelText('Least Dollars'), 'much');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('Enter a number')).toBeVisible();
  await typeInto(page.getByLabelText('Find'), 'bridge');
  const waits = page.getByText('Enter', { exact: true });
  // That of the field whose text cannot hold stays.
  await expect.poll(() => waits.length).toBe(2);
  await userEvent.keyboard('{Enter}');
  await expect.poll(lastQuery).toMatchObject({ q: 'bridge' });
  await expect.poll(() => waits.length).toBe(1);
  await button('Clear').click();
  await expect.poll(address).toBe('/discover');
  await button(/^Dollars/).click();
  await expect.poll(address).toBe('/discover?sortBy=profit_usd&sortOrder=desc');
  await expect.poll(lastQuery).toMatchObject({ sort_by: 'profit_usd', sort_order: 'desc' });
});

test('lists the pairs of an event as one row that leads to all of them, once they are asked for', async () => {
  const { address } = await open('/discover');
  await page.getByLabelText('Pairs').selectOptions('One pair an event');
  await expect.poll(lastQuery).toMatchObject({ pairs: 'by_event', complete_first: 'true' });
  const pair = ROWS.find(({ kind }) => kind === 'pair');
  await page.getByRole('link', { name: 'All pairs of the event' }).first().click();
  await expect.poll(lastQuery).toMatchObject({ pairs: 'each', kind: 'pair', q: pair?.event_id });
  expect(address()).toContain('pairs=each');
  await button('Clear').click();
  await page.getByLabelText('Kind').selectOptions('Pair');
  await expect.poll(lastQuery).toMatchObject({ kind: 'pair', pairs: 'by_event' });
  await button(/^Dollars/).click();
  await expect.poll(lastQuery).toMatchObject({ sort_by: 'profit_usd', complete_first: 'false' });
});

test('says what pays and what waits for approval with what was missed for it, and leads a superuser to each', async () => {
  const missed = { reason: `${APPROVE_FIRST}, "Rain"`, example: null, count: 2, usd: 7.5, bound: null };
  server.answer(readOverview, { ...recorded(readOverview), missed_today: [missed] });
  server.answer(readMe, { ...recorded(readMe), is_superuser: true });
  const { address } = await open('/discover');
  const said = () => page.getByRole('link', { name: '2 pay now' }).element().parentElement?.textContent;
  await expect.element(page.getByRole('link', { name: '2 pay now' })).toBeVisible();
  await expect.poll(said).toMatch(/^2 pay now, at best \$3\.42: .+\. 7 wait for approval: \$7\.50 was missed/);
  const ways = () => cellsOf(LIST, 'State').flatMap((cell) => cell.querySelector('a')?.textContent ?? []);
  await expect.poll(ways).toEqual(['Buy or see why not', 'Read and approve', 'Read', 'Switch on']);
  await expectAccessible('the relations of a superuser');
  await page.getByRole('link', { name: '7 wait for approval' }).click();
  await expect.poll(address).toBe('/discover?needsApproval=true');
  await expect.poll(lastQuery).toMatchObject({ needs_approval: 'true' });
  await expect.element(page.getByLabelText('Approval')).toHaveValue('true');
});

test('moves as the stream tells, and sorts again only when the user asks while the pointer is over it', async () => {
  server.answer(readMe, { ...recorded(readMe), is_superuser: true });
  await open('/discover');
  await expect.poll(() => distance(2)).toMatch(/^1\.6 c away/);
  await page.getByRole('table', { name: LIST }).hover();
  const places = () => rowsOf(LIST).map((row) => row.getBoundingClientRect().top);
  const before = places();
  tell('relations', 'relation', PAYS.id, { ...PAYS, distance: 0, limited_by: null, profit_usd: 0, size: 0 });
  await expect.poll(() => distance(0)).toBe('breaks even after fees');
  expect(places(), 'no row makes room for another').toEqual(before);
  tell('relations', 'relation', PAYS.id, PAYS);
  await expect.poll(() => distance(0)).toMatch(/^↑ pays 0\.8 c/);
  tell('relations', 'relation', AWAY.id, {
    ...{ ...AWAY, is_complete: true, distance: -0.021, limited_by: null, profit_usd: 5, size: 240 },
  });
  await expect.poll(() => distance(2)).toBe('↑ pays 2.1 c after fees');
  await expectCells(
    LIST,
    'Dollars',
    /3\.42/,
    /0\.02/,
    /^\$5\.00at 240\.00 sh$/,
    'none now',
    'none now',
    'none now',
    'none now',
  );
  const moved = [{ ...AWAY, distance: -0.021 }, ...ROWS.filter(({ id }) => id !== AWAY.id)];
  server.answer(listRelations, { data: moved, count: moved.length });
  expect(distance(0)).toMatch(/^↑ pays 0\.8 c after fees/);
  // On a phone it lies on no card: it stands in a bar of its own at the bottom of the screen.
  await page.viewport(390, 844);
  const bar = button('Prices have moved: reorder').element().parentElement as HTMLElement;
  const { left, right, bottom } = bar.getBoundingClientRect();
  expect({ left, right, bottom }).toEqual({ left: 0, right: innerWidth, bottom: innerHeight });
  expect(getComputedStyle(bar).backgroundColor).toMatch(/^rgb\(/);
  await page.viewport(1280, 800);
  await button('Prices have moved: reorder').click();
  await expect.poll(() => distance(0)).toBe('↑ pays 2.1 c after fees');
});

test('sorts again by itself where a row has ceased to pay, and its headline is of the moment of its rows', async () => {
  const [, second] = ROWS.filter(({ profit_usd }) => profit_usd > 0);
  if (second === undefined) throw new Error('one relation pays alone');
  const paying = [PAYS, second];
  server.answer(listRelations, ({ query }) =>
    query.min_profit_usd === undefined ? { data: ROWS, count: ROWS.length } : { data: paying, count: paying.length },
  );
  await open('/discover');
  await page.getByRole('heading', { level: 1 }).hover();
  const said = () =>
    page
      .getByText(/pays? now/)
      .first()
      .element().parentElement?.textContent;
  await expect.poll(said).toMatch(/^2 pay now, at best \$3\.42/);
  await expect.poll(() => distance(0)).toMatch(/^↑ pays 0\.8 c/);
  const gone = { ...PAYS, distance: 0.082, profit_usd: 0, size: 0, updated_at: '2026-11-24T00:00:00.000Z' };
  const sorted = [...ROWS.filter(({ id }) => id !== PAYS.id), gone];
  server.answer(listRelations, ({ query }) =>
    query.min_profit_usd === undefined ? { data: sorted, count: sorted.length } : { data: [second], count: 1 },
  );
  tell('relations', 'relation', PAYS.id, gone);
  await expect.poll(said).toMatch(/^1 pays now, at best \$0\.02/);
  await expect.poll(() => distance(0)).not.toMatch(/8\.2 c away/);
  expect(button('Prices have moved: reorder').query()).toBeNull();
});

test('a row that comes is shown at once', async () => {
  await open('/discover');
  await expect.poll(() => rowsOf(LIST).length).toBe(ROWS.length);
  // None moves under the pointer.
  await page.getByRole('heading', { level: 1 }).hover();
  const born = {
    ...PAYS,
    id: `ffff${PAYS.id.slice(4)}`,
    event_title: 'Just found',
    created_at: '2026-11-24T00:00:00.000Z',
  };
  server.answer(listRelations, { data: [born, ...ROWS], count: ROWS.length + 1 });
  tell('relations', 'relation', born.id, born);
  await expect.element(page.getByRole('link', { name: 'Just found' }).last()).toBeVisible();
});

test('is gone through by keys, from the palette to a relation', async () => {
  const { address } = await open('/');
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  await userEvent.keyboard('gr');
  // The dashboard, which lists relations too, stands there until the code of the page has come.
  await expect.element(page.getByRole('heading', { level: 1, name: 'Discover' })).toBeVisible();
  await expect.poll(() => rowsOf(LIST).length).toBe(ROWS.length);
  await userEvent.keyboard('j');
  await userEvent.keyboard('j');
  await userEvent.keyboard('k');
  await userEvent.keyboard('{Enter}');
  await expect.poll(address).toBe(`/discover/${PAYS.id}`);
  await userEvent.keyboard('{Control>}k{/Control}');
  await typeInto(page.getByRole('combobox', { name: 'Search' }), 'disco');
  await expect.element(page.getByRole('option', { name: /Discover/ })).toBeVisible();
});

test('keeps a view under a name, and leaves out a column', async () => {
  const { address } = await open('/discover?basis=parsed');
  await expect.poll(() => rowsOf(LIST).length).toBe(ROWS.length);
  await button('View').click();
  await page.getByRole('menuitemcheckbox', { name: 'Last Hit' }).click();
  await expect.poll(() => cellsOf(LIST, 'Last Hit').length).toBe(0);
  await page.getByRole('menuitem', { name: 'Save This View…' }).click();
  await typeInto(page.getByLabelText('Name'), 'Read from words');
  await button('Save').click();
  await open('/discover');
  await button('View').click();
  await page.getByRole('menuitem', { name: 'Read from words' }).click();
  await expect.poll(lastQuery).toMatchObject({ basis: 'parsed' });
  expect(address()).toBe('/discover?basis=parsed');
});

test('long words stay in their place', async () => {
  const long = ROWS.map((row) => ({
    ...row,
    event_title: 'Endless'.repeat(30),
    limited_by: `leg 1: ${'W'.repeat(120)}`,
  }));
  server.answer(listRelations, { data: long, count: long.length });
  await open('/discover');
  await expect.poll(() => rowsOf(LIST).length).toBe(ROWS.length);
  await expectAccessible('relations with long words');
});

type Sync = Partial<ReturnType<typeof census>['sync']>;
const census = () => recorded(readCensus);

test.for<{ enabled?: boolean; sync?: Sync; isSuperuser?: boolean; text: string; hint: string; next: string }>([
  {
    enabled: false,
    isSuperuser: true,
    text: 'Discovery is off.',
    hint: 'Switch discovery on in the system settings',
    next: 'Discovery Settings',
  },
  { enabled: false, text: 'Discovery is off.', hint: 'A superuser can switch discovery on', next: 'Census' },
  {
    sync: { running: true, finished_at: null, events_read: 1 },
    text: 'No relations are watched.',
    hint: 'being read: 1 event so far',
    next: 'Census',
  },
  {
    sync: { error: 'The venue did not answer' },
    text: 'No relations are watched.',
    hint: 'could not be read: The venue did not answer',
    next: 'Census',
  },
  { text: 'No relations are watched.', hint: '4,127 events were read. The census says why', next: 'Census' },
])('says why nothing is watched: $hint', async ({ enabled = true, sync, isSuperuser = false, text, hint, next }) => {
  server.answer(listRelations, { data: [], count: 0 });
  server.answer(readMe, { ...recorded(readMe), is_superuser: isSuperuser });
  server.answer(readCensus, { ...census(), enabled, sync: { ...census().sync, ...sync } });
  await open('/discover');
  await expect.element(page.getByText(text)).toBeVisible();
  await expect.element(page.getByText(hint)).toBeVisible();
  await expect.element(page.getByRole('main').getByRole('link', { name: next }).last()).toBeVisible();
  expect(server.askedFor(readDiscoverySettings), 'it is for superusers, and not asked').toEqual([]);
  await expectAccessible(`no relations: ${hint}`);
});

test('says that nothing matches, what failed, and that it loads', async () => {
  server.answer(listRelations, { data: [], count: 0 });
  const { address } = await open('/discover?kind=pair');
  await expect.element(page.getByText('None match these filters.')).toBeVisible();
  await button('Show All').click();
  await expect.poll(address).toBe('/discover');
  server.answer(listRelations, () => refusal(409, 'Come back later'));
  await open('/discover');
  await expect.element(page.getByText('Error loading relations: Come back later')).toBeVisible();
  await expectAccessible('relations that failed');
  server.answer(listRelations, () => new Promise<never>(() => {}));
  await open('/discover');
  await expect.element(page.getByRole('table', { name: LIST })).toHaveAttribute('aria-busy', 'true');
  await expectAccessible('relations on their way');
});

test('counts what is read and watched, by basis and kind, and why the rest is not', async () => {
  await open('/discover/census');
  await expectCells('By basis', 'Relations', '3,310', '611', '231', '1');
  await expectCells('By basis', 'Unquoted Members', '1,204', '941', '312', '0');
  await expectCells('By kind', 'Without Two Quotes', '1,204', '12', '31', '18', '2');
  await expectCells('Not watched', 'Events', '1,840', '402', '37');
  await expect.element(page.getByRole('link', { name: 'Parsed' })).toHaveAttribute('href', '/discover?basis=parsed');
  await expectAccessible('the census');
});

test('says that the venue is being read, and what went wrong last', async () => {
  const reason = 'its fee is not known';
  const mirror = {
    markets: 30_412,
    complete: true,
    trouble: 'Page 7 came twice',
    left_out: [{ reason, markets: 1_208 }],
  };
  server.answer(readCensus, { ...census(), mirror });
  await open('/discover/census');
  const leftOut = page.getByRole('region', { name: 'Left Out on Paper' });
  await expect.element(leftOut).toMatchTextContent(/30,412 markets.*Page 7 came twice.*its fee is not known.*1,208/);
  const polled = { followed: 312, books: 80, books_max: 80, oldest_book_ms: 9_400 };
  server.answer(readCensus, {
    ...census(),
    mirror: { ...mirror, polled, left_out: [], trouble: null, complete: false },
  });
  await open('/discover/census');
  await expect
    .element(leftOut)
    .toMatchTextContent(
      /have been read so far.*best levels of 312.*80 at most.*9 s ago.*Every open market that was read can be/,
    );
  server.answer(readCensus, {
    ...census(),
    unwatched: [],
    sync: { ...census().sync, running: true, finished_at: null, events_read: 300, error: 'Half a page came' },
  });
  await open('/discover/census');
  await expect.element(page.getByText('Half a page came')).toBeVisible();
  await expect.element(page.getByText('Read in This Pass')).toBeVisible();
  await expect.element(page.getByText('Every event that was read is watched.')).toBeVisible();
  server.answer(readCensus, () => refusal(409, 'Come back later'));
  await open('/discover/census');
  await expect.element(page.getByText('Error loading the census')).toBeVisible();
  await expectAccessible('a census that failed');
});

test('says of an event or a market why it is watched or is not', async () => {
  const { address } = await open('/discover/census');
  await typeInto(page.getByLabelText('Event or market'), '  https://venue.example/event/mayoral?x=1 ');
  await userEvent.keyboard('{Enter}');
  const answers = page.getByRole('list', { name: 'Answers' });
  await expect.element(answers.getByText(/It is not watched: its 9 markets say nothing/)).toBeVisible();
  expect(server.askedFor(explainWatched).at(-1)?.query).toEqual({ q: 'https://venue.example/event/mayoral?x=1' });
  await expectAccessible('why something is watched');
  await answers.getByRole('link').click();
  await expect.poll(address).toBe(`/discover/${PAYS.id}`);
  server.answer(explainWatched, { data: [] });
  await open('/discover/census?why=77');
  await expect.element(page.getByText('No event or market that was read matches “77”.')).toBeVisible();
  server.answer(explainWatched, () => refusal(409, 'Come back later'));
  await open('/discover/census?why=78');
  await expect.element(page.getByText('Error asking why')).toBeVisible();
});
