import { statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readingConfig } from './config.fixture.ts';
import { readConfig } from './config.ts';

const { folder, read, complaints } = readingConfig();

describe('the configuration', () => {
  it('has a default for everything but the address of the simulated exchange', () => {
    expect(read({})).toMatchObject({
      host: '127.0.0.1',
      port: 8000,
      databaseUrl: null,
      firstSuperuser: { email: 'admin@example.com', password: null },
      firstSizePolicy: 'best',
      venueMode: 'simulated',
      saleLossWarning: 5,
      practiceCash: 1_000_000_000,
      rateLimit: true,
      apiDocumentAtStart: true,
      smtpUrl: null,
      mailFrom: 'Dutchbook <dutchbook@localhost>',
      publicUrl: null,
      trustedProxies: [],
      recording: { isOn: true, maxBytes: 2_000_000_000, days: 7, batchesMaxBytes: 500_000_000 },
      logLevel: 'info',
      roles: new Set(['api', 'engine', 'jobs']),
      polymarket: { gammaUrl: 'http://127.0.0.1:1/gamma', funder: null, signatureType: 0 },
    });
  });

  it('records as much as is configured, or nothing', () => {
    const given = { RECORDING: 'off', RECORDING_MAX_BYTES: '50000000', RECORDING_DAYS: '2' };
    const kept = { ...given, RECORDING_BATCHES_MAX_BYTES: '3000000' };
    expect(read(kept).recording).toEqual({ isOn: false, maxBytes: 50_000_000, days: 2, batchesMaxBytes: 3_000_000 });
    const wrong = {
      RECORDING: 'yes',
      RECORDING_MAX_BYTES: '1',
      RECORDING_DAYS: '0',
      RECORDING_BATCHES_MAX_BYTES: 'all',
    };
    expect(complaints(wrong)).toEqual([
      expect.stringMatching(/^RECORDING /),
      expect.stringMatching(/^RECORDING_MAX_BYTES /),
      expect.stringMatching(/^RECORDING_DAYS /),
      expect.stringMatching(/^RECORDING_BATCHES_MAX_BYTES /),
    ]);
  });

  it('keeps the secrets it makes, for their owner alone', () => {
    const first = read({});
    expect(first.secretKey.length).toBeGreaterThanOrEqual(32);
    expect(first.polymarket.privateKey).toMatch(/^0x[0-9a-f]{64}$/);
    for (const name of ['secret-key', 'simulated-private-key'])
      expect(statSync(path.join(folder(), name)).mode & 0o777).toBe(0o600);
    const second = read({});
    expect([second.secretKey, second.polymarket.privateKey]).toEqual([first.secretKey, first.polymarket.privateKey]);
  });

  it('never makes up a key for a real venue', () => {
    expect(read({ VENUE: 'polymarket' })).toMatchObject({
      venueMode: 'polymarket_read_only',
      polymarket: { privateKey: null },
    });
    const privateKey = `0x${'1'.repeat(64)}`;
    expect(read({ VENUE: 'polymarket', POLYMARKET_PRIVATE_KEY: privateKey })).toMatchObject({
      venueMode: 'polymarket_live',
      polymarket: { privateKey },
    });
    expect(readConfig({ DATA_DIR: folder(), VENUE: 'polymarket' }).polymarket.clobUrl).toBe(
      'https://clob.polymarket.com',
    );
  });

  it('has no key and records nothing where a recording is played again', () => {
    const privateKey = `0x${'1'.repeat(64)}`;
    expect(read({ EXCHANGE_REPLAY: 'game.jsonl', POLYMARKET_PRIVATE_KEY: privateKey })).toMatchObject({
      venueMode: 'replay',
      polymarket: { privateKey: null, gammaUrl: 'http://127.0.0.1:1/gamma' },
      recording: { isOn: false },
    });
  });

  it('names all that is wrong at once, with what was expected and without the value', () => {
    const wrong = {
      PORT: '65536',
      DATABASE_URL: 'mysql://user:hunter2@host/db',
      SECRET_KEY: 'too-short-hunter2',
      FIRST_SUPERUSER: 'admin',
      FIRST_SUPERUSER_PASSWORD: 'short',
      VENUE: 'elsewhere',
      POLYMARKET_PRIVATE_KEY: '0xhunter2',
      POLYMARKET_FUNDER: '0x1',
      POLYMARKET_SIGNATURE_TYPE: '4',
      POLYMARKET_CLOB_URL: 'ftp://x',
      RATE_LIMIT: 'maybe',
      API_DOCUMENT: 'never',
      SIGNUP: 'later',
      SMTP_URL: 'http://user:hunter2@mail.example.com',
      MAIL_FROM: 'Dutchbook',
      PUBLIC_URL: 'desk.example.com',
      LOG_LEVEL: 'loud',
      ROLES: 'api,cook',
      TRUSTED_PROXIES: '10.0.0.0/8, everybody',
      CRASH_AT: 'nowhere',
    };
    const reported = complaints(wrong);
    expect(reported.map((line) => line.split(' ')[0]).sort()).toEqual(Object.keys(wrong).sort());
    expect(reported.join()).not.toContain('hunter2');
    expect(reported).toContain('PORT is wrong: expected a whole number from 0 to 65535');
    expect(reported).toContain('SECRET_KEY is wrong: expected at least 32 characters that cannot be guessed');
  });

  it('takes a funder in one case, and names one whose checksum is wrong', () => {
    const funder = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    const [lower, upper] = [funder.toLowerCase(), `0x${funder.slice(2).toUpperCase()}`];
    for (const given of [funder, lower, upper])
      expect(read({ POLYMARKET_FUNDER: given }).polymarket.funder).toBe(funder);
    expect(complaints({ POLYMARKET_FUNDER: funder.replace('aA', 'AA') })).toEqual([
      expect.stringMatching(/^POLYMARKET_FUNDER is wrong: expected an address: .* with a right checksum$/),
    ]);
  });

  it('names a funder that is not the wallet of the key, and the one that is', () => {
    // The first account of every development chain; its wallets as the tests of the venue's own clients have them.
    const POLYMARKET_PRIVATE_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
    const own = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
    const proxy = '0x365f0ca36ae1f641e02fe3b7743673da42a13a70';
    const safe = '0xd93b25cb943d14d0d34fbaf01fc93a0f8b5f6e47';
    const foreign = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';
    const said = (VENUE: string, type: number, POLYMARKET_FUNDER: string) =>
      complaints({ VENUE, POLYMARKET_PRIVATE_KEY, POLYMARKET_FUNDER, POLYMARKET_SIGNATURE_TYPE: String(type) });
    for (const [type, right] of [own, proxy, safe, foreign].entries()) {
      expect(said('polymarket', type, right)).toEqual([]);
      for (const other of [own, proxy, safe, foreign].filter((one) => one !== right && (type < 3 || one !== foreign))) {
        const expected = type === 3 ? 'the deposit wallet' : right;
        expect(said('polymarket', type, other)).toEqual([
          expect.stringMatching(
            new RegExp(`^POLYMARKET_FUNDER is wrong: expected ${expected}, .*with signature type ${type}`, 'i'),
          ),
        ]);
      }
    }
    expect(said('polymarket', 1, safe)).toEqual([expect.stringMatching(/; the one given is its Safe, of type 2$/)]);
    expect(said('simulated', 2, foreign)).toEqual([]);
    expect(said('simulated', 0, foreign)).toEqual([expect.stringMatching(new RegExp(own, 'i'))]);
  });

  it('takes no first superuser who could not log in', () => {
    const wrong = 'FIRST_SUPERUSER is wrong: expected an email address, as name@example.com';
    for (const email of ['root@localhost', 'käthe@example.com', `${'a'.repeat(65)}@example.com`])
      expect(complaints({ FIRST_SUPERUSER: email })).toEqual([wrong]);
    expect(read({ FIRST_SUPERUSER: 'root@desk.example.com' }).firstSuperuser.email).toBe('root@desk.example.com');
  });

  it('reads what the account holds below the simulated exchange, from the venue’s own address, or the configured one', () => {
    expect(read({}).polymarket.dataUrl).toBe('http://127.0.0.1:1/data-api');
    expect(read({ POLYMARKET_DATA_URL: 'http://127.0.0.1:2/' }).polymarket.dataUrl).toBe('http://127.0.0.1:2');
    const real = readConfig({ DATA_DIR: folder(), VENUE: 'polymarket' });
    expect(real.polymarket.dataUrl).toBe('https://data-api.polymarket.com');
    expect(complaints({ POLYMARKET_CLOB_URL: '' })).toEqual([
      'POLYMARKET_CLOB_URL is not set: expected a URL that begins with http:// or https://',
    ]);
  });

  it('finds the chain and the relayer below the simulated exchange, and no chain on a real venue that names none', () => {
    expect(read({}).polymarket.chain).toMatchObject({
      rpcUrls: ['http://127.0.0.1:1/_chain/rpc', 'http://127.0.0.1:1/_chain/rpc2'],
      relayerUrl: 'http://127.0.0.1:1/relayer',
      directional: true,
    });
    const real = { DATA_DIR: folder(), VENUE: 'polymarket' };
    expect(readConfig(real).polymarket.chain).toMatchObject({ rpcUrls: [], relayerKey: null, directional: false });
    const payer = `0x${'Ab'.repeat(20)}`;
    expect(readConfig({ ...real, POLYMARKET_REBATE_SENDERS: ` ${payer},` }).polymarket.chain).toMatchObject({
      rewardSenders: ['0x2c2795ea295d5eb51f9121b728ed2ea4e936a709'],
      rebateSenders: ['0xfdb1b8dc7f5789a0c9a398026585b8b10fba5507', payer],
    });
    expect(complaints({ POLYMARKET_REWARD_SENDERS: '0x12' })).toEqual([
      'POLYMARKET_REWARD_SENDERS is wrong: expected at most 20 addresses, 0x and 40 hexadecimal digits, separated by commas',
    ]);
    const nodes = {
      POLYMARKET_RPC_URLS: 'https://one.example/v2/key, https://two.example',
      POLYMARKET_GAS_CAP: '0.25',
    };
    expect(readConfig({ ...real, ...nodes }).polymarket.chain).toMatchObject({
      rpcUrls: ['https://one.example/v2/key', 'https://two.example'],
      relayerUrl: 'https://relayer-v2.polymarket.com',
      gasCap: '0.25',
    });
  });

  it('refuses nodes and caps that are none, without a key in what it says', () => {
    const reported = complaints({
      POLYMARKET_RPC_URLS: 'wss://node.example/s3cret',
      POLYMARKET_GAS_CAP: 'much',
    }).join();
    expect(reported).toContain('POLYMARKET_RPC_URLS is wrong: expected one or two http:// or https:// URLs');
    expect(reported).toContain('POLYMARKET_GAS_CAP is wrong: expected an amount of POL, as 0.5');
    expect(reported).not.toContain('s3cret');
    const three = ['a', 'b', 'c'].map((name) => `https://${name}.example`).join();
    expect(complaints({ POLYMARKET_RPC_URLS: three })).toHaveLength(1);
  });

  it('says what is missing for the simulated exchange', () => {
    expect(complaints({ POLYMARKET_WS_URL: '' })).toEqual([
      'POLYMARKET_WS_URL is not set: expected a URL that begins with ws:// or wss://',
    ]);
  });

  it('does not take the real venue for a simulated exchange', () => {
    const expected = 'expected an address of the simulated exchange, or VENUE=polymarket';
    const real = {
      POLYMARKET_CLOB_URL: 'https://clob.polymarket.com',
      POLYMARKET_WS_URL: 'wss://x.POLYMARKET.com./ws',
    };
    const reported = Object.keys(real).map((name) => `${name} is wrong: ${expected}`);
    expect(complaints(real)).toEqual(reported);
    expect(complaints({ ...real, EXCHANGE_REPLAY: 'game.jsonl' })).toEqual(reported);
    expect(complaints({ ...real, VENUE: 'polymarket' })).toEqual([]);
  });

  it('reads how mail leaves, and where its links lead', () => {
    const reported = {
      SMTP_URL: 'smtps://user:p%40ss@mail.example.com:465',
      MAIL_FROM: 'desk@example.com',
      PUBLIC_URL: 'https://desk.example.com/app/',
    };
    expect(read(reported)).toMatchObject({
      smtpUrl: 'smtps://user:p%40ss@mail.example.com:465',
      mailFrom: 'desk@example.com',
      publicUrl: 'https://desk.example.com/app',
    });
    expect(complaints({ MAIL_FROM: 'Desk <desk>', PUBLIC_URL: 'ftp://desk' })).toEqual([
      'MAIL_FROM is wrong: expected an email address, or Name <address>',
      'PUBLIC_URL is wrong: expected a URL that begins with http:// or https://',
    ]);
  });

  it('calls Telegram at a public server or within this machine, and nowhere in between', () => {
    expect(read({}).telegramApiRoot).toBe('https://api.telegram.org');
    const allowed = [
      'https://telegram.example.com:8443/bots',
      'http://127.0.0.1:8081',
      'http://localhost:1',
      'http://[::1]:1',
    ];
    for (const root of allowed) expect(read({ TELEGRAM_API_ROOT: root }).telegramApiRoot).toBe(root);
    const refused = [
      'http://telegram.example.com',
      'https://10.0.0.1',
      'https://167772161',
      'https://192.168.1.1:1',
      'https://router',
    ];
    refused.push(
      'https://169.254.169.254',
      'https://[::ffff:10.0.0.1]',
      'https://user:hunter2@telegram.example.com',
      'ftp://x.y',
    );
    for (const root of refused) {
      expect(complaints({ TELEGRAM_API_ROOT: root })).toEqual([expect.stringMatching(/^TELEGRAM_API_ROOT is wrong/)]);
      expect(complaints({ TELEGRAM_API_ROOT: root }).join()).not.toContain('hunter2');
    }
  });

  it('reads which proxies to trust', () => {
    const reported = { TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,::1' };
    expect(read(reported).trustedProxies).toEqual(['127.0.0.1', '10.0.0.0/8', '::1']);
    for (const wrong of ['0.0.0.0/0', '10.0.0.0/33', 'loopback', '10.0.0.1,', '10.0.0.0/8/8', '10.0.0.0/'])
      expect(complaints({ TRUSTED_PROXIES: wrong })).toEqual([
        'TRUSTED_PROXIES is wrong: expected addresses or networks as 10.0.0.0/8, separated by commas',
      ]);
  });

  it('reads where to crash, for tests', () => {
    expect(read({ CRASH_AT: 'marked_sent' }).crashAt).toEqual({ point: 'marked_sent', passing: 1 });
    expect(read({ CRASH_AT: 'fills_read:3' }).crashAt).toEqual({ point: 'fills_read', passing: 3 });
    expect(complaints({ CRASH_AT: 'fills_read:0' })).toHaveLength(1);
  });

  it('does not start on a real venue to crash there, whether it may trade or only look', () => {
    const refused = ['CRASH_AT is wrong: expected it to be unset on a real venue'];
    const readOnly = { VENUE: 'polymarket', CRASH_AT: 'marked_sent' };
    expect(complaints(readOnly)).toEqual(refused);
    expect(complaints({ ...readOnly, POLYMARKET_PRIVATE_KEY: `0x${'1'.repeat(64)}` })).toEqual(refused);
  });
});
