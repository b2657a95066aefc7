import { CSV_BYTES_MAX, CSV_REFERENCES_MAX, type ImportReply } from '@dutchbook/contract/opportunities/import-csv.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { type MarketReference, type MarketReferences, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { describe, expect, it } from 'vitest';
import { openSite, type Site } from './routes.fixture.ts';

const OPPORTUNITIES = '/arbitrage/opportunities';
const LEGS = [
  { leg: 1, markets: [{ id: 'rain', outcome: 'Yes' }] },
  { leg: 2, markets: [{ id: 'snow', outcome: 'yes ' }] },
];

function quote({ desk }: Site, rain: string, snow: string): void {
  for (const id of ['rain', 'snow']) desk.venue.list(id);
  desk.venue.setBooks({
    'rain:yes': { asks: [[rain, '500']] },
    'snow:yes': { asks: [[snow, '500']], bids: [['0.1', '5']] },
  });
}

const idOf = (reply: { json: unknown }) => (reply.json as { id: string }).id;

describe('the opportunity calls', () => {
  it('create an opportunity, priced at once, and read it with its positions', async () => {
    await using site = await openSite();
    quote(site, '0.45', '0.50');
    const created = await site.call('POST', `${OPPORTUNITIES}?target_price=0.96`, { market_combinations: LEGS });
    expect(created).toMatchObject({
      status: 200,
      json: { target_price: 0.96, active: true, current_price: 0.95, profit_percentage: 1.052631, last_error: null },
    });
    const read = await site.call('GET', `${OPPORTUNITIES}/${idOf(created)}`);
    expect(read.json).toMatchObject({
      id: idOf(created),
      market_combinations: [LEGS[0], { leg: 2, markets: [{ id: 'snow', outcome: 'yes' }] }],
      max_profitable_size: 500,
      fees_per_set: 0,
      positions: [
        { leg: 1, market_id: 'rain', question: 'Will rain happen?', token_id: 'rain:yes', price: 0.45, best_bid: null },
        { leg: 2, best_bid: 0.1, best_ask: 0.5, depth_usd: 250, fee: 0, book_age_ms: 0, feed: 'live' },
      ],
      blockers: [{ gate: 'armed', message: 'trading is disarmed' }],
    });
  });

  it('say what it earns as if all year, by when the last of its markets ends, and sort by it', async () => {
    await using site = await openSite();
    const { clock } = site.desk.test.runtime;
    const inDays = (days: number) => instantFromMs(clock.now() + days * 86_400_000);
    quote(site, '0.45', '0.50');
    site.desk.venue.list('rain', { endDate: inDays(10) });
    site.desk.venue.list('snow', { endDate: inDays(73) });
    const ids = [];
    for (const legs of [LEGS, LEGS.slice(1), LEGS.slice(0, 1)])
      ids.push(idOf(await site.call('POST', `${OPPORTUNITIES}?target_price=0.96`, { market_combinations: legs })));
    const listed = await site.call('GET', `${OPPORTUNITIES}?sort_by=annualised_return&sort_order=desc`);
    // 1.052631 % in 73 days is five times as much a year; 113 % in 10 days, and 92 % in 73.
    expect((listed.json as { data: object[] }).data).toMatchObject([
      { id: ids[2], annualised_return: 4136.666654 },
      { id: ids[1], annualised_return: 460 },
      { id: ids[0], annualised_return: 5.263155 },
    ]);
    const edited = await site.call('PUT', `${OPPORTUNITIES}/${ids[0]}?target_price=1.9`);
    expect(edited).toMatchObject({ status: 200, json: { annualised_return: 500 } });
  });

  it('say at once which market of a new opportunity the venue does not know', async () => {
    await using site = await openSite();
    const created = await site.call('POST', OPPORTUNITIES, { market_combinations: LEGS });
    expect(created).toMatchObject({
      status: 200,
      json: {
        target_price: 1,
        current_price: null,
        error_count: 1,
        last_error: 'Leg 1 (Yes, market rain): the venue does not know this market',
      },
    });
  });

  it('create and show an opportunity while the venue is silent, but do not pretend to check it', async () => {
    await using site = await openSite();
    site.desk.venue.answers = false;
    const created = await site.call('POST', OPPORTUNITIES, { market_combinations: LEGS });
    expect(created).toMatchObject({ status: 200, json: { current_price: null, last_error: null, error_count: 0 } });
    const id = idOf(created);
    expect(await site.call('GET', `${OPPORTUNITIES}/${id}`)).toMatchObject({
      status: 200,
      json: { positions: [{ feed: 'none', price: null }, { feed: 'none' }], max_profitable_size: null },
    });
    expect((await site.call('POST', `/arbitrage/check/${id}`)).status).toBe(503);
  });

  it('refuse what is no opportunity, or exists already', async () => {
    await using site = await openSite();
    quote(site, '0.45', '0.50');
    const problem = async (body: unknown, query = '') => {
      const { status, json } = await site.call('POST', `${OPPORTUNITIES}${query}`, body);
      return { status, ...(json as { detail: [{ loc: unknown[]; msg: string }] }).detail[0] };
    };
    expect(await problem({ market_combinations: [] })).toMatchObject({
      status: 422,
      msg: 'At least one leg is needed',
    });
    expect(await problem({ market_combinations: LEGS }, '?target_price=0')).toMatchObject({
      status: 422,
      loc: ['query', 'target_price'],
    });
    expect(await problem({ market_combinations: LEGS, source: 'a\0b' })).toMatchObject({ loc: ['body', 'source'] });
    await site.call('POST', OPPORTUNITIES, { market_combinations: LEGS });
    const again = await site.call('POST', OPPORTUNITIES, { market_combinations: LEGS.toReversed(), target_price: 2 });
    expect(again).toMatchObject({ status: 409, json: { detail: expect.stringMatching(/exists already: “.+”$/) } });
  });

  it('list what the stream shows, without the lag of the database', async () => {
    await using site = await openSite();
    quote(site, '0.45', '0.55');
    await site.call('POST', OPPORTUNITIES, { market_combinations: LEGS });
    await site.desk.test.time.advance(3000);
    quote(site, '0.46', '0.55');
    const listed = await site.call('GET', `${OPPORTUNITIES}?sort_by=profit_percentage&sort_order=desc&limit=10`);
    expect(listed).toMatchObject({ status: 200, json: { count: 1, data: [{ current_price: 1.01 }] } });
    expect((await site.call('GET', `${OPPORTUNITIES}?sort_by=nonsense`)).status).toBe(422);
  });

  it('check by fresh books, delete, and know nothing of it afterwards', async () => {
    await using site = await openSite();
    quote(site, '0.45', '0.55');
    const id = idOf(await site.call('POST', OPPORTUNITIES, { market_combinations: LEGS, active: false }));
    quote(site, '0.40', '0.55');
    expect(await site.call('POST', `/arbitrage/check/${id}`)).toMatchObject({
      status: 200,
      json: { message: 'Prices checked', opportunity: { id, current_price: 0.95, triggered: false } },
    });
    expect(await site.call('DELETE', `${OPPORTUNITIES}/${id}`)).toMatchObject({ status: 200 });
    expect(site.desk.published.filter(({ type }) => type === 'opportunity_deleted').map(({ topic }) => topic)).toEqual([
      'opportunities',
      `opportunity:${id}`,
    ]);
    for (const [method, path] of [
      ['GET', `${OPPORTUNITIES}/${id}`],
      ['DELETE', `${OPPORTUNITIES}/${id}`],
      ['POST', `/arbitrage/check/${id}`],
    ] as const) {
      expect(await site.call(method, path)).toMatchObject({ status: 404, json: { detail: 'Opportunity not found' } });
    }
  });

  it('tell who looks when to ask again where the venue takes no more questions', async () => {
    await using site = await openSite();
    quote(site, '0.45', '0.55');
    site.desk.venue.isBusy = true;
    const created = await site.call('POST', OPPORTUNITIES, { market_combinations: LEGS });
    expect(created.status).toBe(200);
    const asked = 'The venue takes no more questions now. Try again in 2 s.';
    expect(await site.call('POST', `/arbitrage/check/${idOf(created)}`)).toMatchObject({
      status: 503,
      headers: { 'retry-after': '2' },
      json: { detail: asked },
    });
    expect(await site.call('POST', '/arbitrage/preview', { market_combinations: LEGS })).toMatchObject({
      status: 200,
      json: { error: asked },
    });
    site.desk.venue.isBusy = false;
    expect(await site.call('POST', `/arbitrage/check/${idOf(created)}`)).toMatchObject({ status: 200 });
  });

  it('import an uploaded file and hand it back', async () => {
    await using site = await openSite();
    const legs = JSON.stringify(LEGS).replaceAll('"', '""');
    const file = `market_combinations,target_price,source\n"${legs}",0.9,=desk\nnonsense,1,\n"${legs}",1,\n`;
    const imported = await site.upload('opportunities.CSV', file);
    expect(imported).toMatchObject({
      status: 200,
      json: {
        opportunity_ids: [expect.any(String)],
        duplicates: [{ row: 3, opportunity_id: expect.any(String) }],
        errors: [{ row: 2, message: 'market_combinations: Is not JSON' }],
      },
    });
    const exported = await site.call('GET', '/arbitrage/export-csv?active=true');
    expect(exported.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="arbitrage_opportunities_2026-01-01.csv"',
    });
    expect(exported.text).toContain(`"0.9","true","'=desk"`);
    expect(await site.upload('again.csv', exported.text)).toMatchObject({
      json: { opportunity_ids: [], duplicates: [{ row: 1 }], errors: [] },
    });
    expect((await site.call('GET', '/arbitrage/export-csv?active=false')).text.trimEnd()).not.toContain('\n');
  });

  it('take markets by other names that the venue knows, and tell what it does not know from what is wrong', async () => {
    await using site = await openSite();
    const asked: string[][] = [];
    const lookedUp: string[][] = [];
    let isSilent = false;
    const known: Record<string, MarketReference> = {
      'will-it-rain': { kind: 'slug', marketId: 'rain', outcome: null },
      777: { kind: 'token_id', marketId: 'snow', outcome: 'Yes' },
    };
    const references: MarketReferences = {
      kindOf: (name) => (/^\d+$/.test(name) ? 'token_id' : name.includes('-') ? 'slug' : null),
      find: async (names) => {
        asked.push([...names]);
        const unknown = {
          kind: 'slug',
          marketId: null,
          isKnown: false,
          reason: 'The venue has no market of this name',
        } as const;
        return new Map(names.map((name) => [name, known[name] ?? unknown]));
      },
      unknownIds: async (ids) => {
        if (isSilent && ids.includes('hail')) throw new VenueUnavailable('no answer');
        lookedUp.push([...ids]);
        return new Set(ids.filter((id) => id.endsWith('hail')));
      },
    };
    Object.assign(site.desk.venue.venue.catalogue, { references });
    const row = (id: string, outcome = 'Yes') =>
      `"[{'leg': 1, 'markets': [{'id': '${id}', 'outcome': '${outcome}'}]}]"`;
    const named = [row('will-it-rain'), row('rain'), row('no-such'), row('777'), row('777', 'No'), row('hail')];
    const { json } = await site.upload('named.csv', ['market_combinations', ...named, 'nonsense', ''].join('\n'));
    expect(json).toEqual({
      opportunity_ids: [expect.any(String), expect.any(String), expect.any(String)],
      duplicates: [{ row: 2, opportunity_id: expect.any(String) }],
      errors: [
        { row: 5, message: 'market_combinations: 777 is a token of the outcome Yes, not No' },
        { row: 7, message: 'market_combinations: Is not JSON' },
      ],
      unknown: [
        { row: 3, message: 'no-such: The venue has no market of this name' },
        {
          row: 6,
          message: 'hail: The venue does not know this market; imported without a price',
          opportunity_id: (json as ImportReply).opportunity_ids[2],
        },
      ],
      resolved: [
        { given: 'will-it-rain', kind: 'slug', market_id: 'rain' },
        { given: '777', kind: 'token_id', market_id: 'snow' },
      ],
      resolved_count: 2,
    });
    expect(asked).toEqual([['will-it-rain', 'no-such', '777']]);
    const many = Array.from({ length: CSV_REFERENCES_MAX + 2 }, (_, nth) => row(`no-${nth}`));
    const more = await site.upload('many.csv', ['market_combinations', ...many, row('hail'), ''].join('\n'));
    expect(asked[1]).toHaveLength(CSV_REFERENCES_MAX);
    expect(more.json).toMatchObject({ duplicates: [{ row: many.length + 1 }], errors: [{}, { row: many.length }] });
    expect(JSON.stringify(more.json)).toContain('At most 1,000 markets of a file are looked up by other names');
    expect(lookedUp).toEqual([['rain', 'hail']]);
    // A file of ids alone is imported whatever the venue says of them, and while it says nothing.
    isSilent = true;
    const rows = [row('hail'), row('snow2'), row('kalshi:hail')];
    const ids = await site.upload('ids.csv', ['market_combinations', ...rows, ''].join('\n'));
    expect(ids.json).toMatchObject({ opportunity_ids: { length: 2 }, duplicates: [{ row: 1 }], unknown: [{ row: 3 }] });
    expect(asked).toHaveLength(2);
  });

  it('refuse an upload that is no CSV file or too large', async () => {
    await using site = await openSite();
    const detail = async (upload: Promise<{ status: number; json: unknown }>) => {
      const { status, json } = await upload;
      return { status, text: JSON.stringify(json) };
    };
    expect(await detail(site.upload('book.xlsx', 'market_combinations\n'))).toMatchObject({
      status: 422,
      text: expect.stringContaining('Only .csv files'),
    });
    expect(await detail(site.upload('a.csv', Buffer.from('market_combinations', 'utf16le')))).toMatchObject({
      status: 422,
      text: expect.stringContaining('not UTF-8'),
    });
    expect(await detail(site.call('POST', '/arbitrage/import-csv', {}))).toMatchObject({
      status: 422,
      text: expect.stringContaining('Field required'),
    });
    expect(await detail(site.upload('big.csv', Buffer.alloc(CSV_BYTES_MAX + 1, 'x')))).toEqual({
      status: 413,
      text: '{"detail":"The file is larger than 10 MB"}',
    });
  });

  it('start one background check and one update of prices', async () => {
    await using site = await openSite();
    quote(site, '0.45', '0.55');
    await site.call('POST', OPPORTUNITIES, { market_combinations: LEGS });
    const started = await site.call('POST', '/arbitrage/check-all?active_only=true');
    expect(started).toMatchObject({ status: 200, json: { message: 'Arbitrage check scheduled' } });
    expect(await site.call('POST', '/arbitrage/update-prices')).toMatchObject({
      json: { message: 'Market price update scheduled', job_id: expect.any(String) },
    });
    const { job_id: jobId } = started.json as { job_id: string };
    await expect
      .poll(() => site.desk.published)
      .toContainEqual(
        expect.objectContaining({
          topic: 'jobs',
          id: jobId,
          data: expect.objectContaining({ status: 'done', done: 1 }),
        }),
      );
  });
});
