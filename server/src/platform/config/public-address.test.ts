import { describe, expect, it } from 'vitest';
import { guardedFetch, NeverLeft } from '../telegram/guarded-fetch.ts';
import { isLoopbackHost, isPublicAddress, mayBePublicHost } from './public-address.ts';

const PUBLIC = [
  '149.154.167.220',
  '8.8.8.8',
  '1.1.1.1',
  '172.32.0.1',
  '100.128.0.1',
  '2606:4700::1111',
  '2a00:1450::1',
];
const NOT_PUBLIC = [
  ...['0.0.0.0', '10.0.0.1', '10.255.255.255', '100.64.0.1', '127.0.0.1', '127.9.9.9', '169.254.169.254'],
  ...['172.16.0.1', '172.31.255.255', '192.0.0.8', '192.0.2.1', '192.168.1.1', '198.18.0.1', '198.51.100.7'],
  ...['203.0.113.9', '224.0.0.1', '239.1.1.1', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', '::ffff:10.0.0.1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '64:ff9b::a00:1', 'fe80::1', 'fc00::1'],
  ...['fd12:3456::1', 'ff02::1', '2001:db8::1', '2001::1', '2002:a00:1::', '::7f00:1', '', 'localhost', '8.8.8'],
];
/** As a URL normalises them: all of this machine. */
const LOOPBACK_URLS = ['127.0.0.1', 'localhost', '[::1]', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', 'LOCALHOST'];
const REFUSED_URLS = [
  ...[
    '10.1.2.3',
    '0xa.1',
    '012.1.2.3',
    '167837953',
    '192.168.0.1',
    '169.254.169.254',
    '[fd00::1]',
    '[::ffff:10.0.0.1]',
  ],
  ...['[fe80::1]', 'router', 'metadata.google.internal', 'printer.local', 'desk.home.arpa', 'a.localhost', '0.0.0.0'],
];
const ALLOWED_URLS = ['api.telegram.org', '149.154.167.220', '[2606:4700::1111]'];

const hostOf = (host: string) => new URL(`https://${host}/`).hostname;

describe('an address', () => {
  it.each(PUBLIC)('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));
  it.each(NOT_PUBLIC)('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false));
});

describe('the host of a URL', () => {
  it.each(LOOPBACK_URLS)('%s is this machine', (host) => expect(isLoopbackHost(hostOf(host))).toBe(true));
  it.each([...REFUSED_URLS, ...LOOPBACK_URLS])('%s is not public', (host) =>
    expect(mayBePublicHost(hostOf(host))).toBe(false),
  );
  it.each(ALLOWED_URLS)('%s may be public', (host) => expect(mayBePublicHost(hostOf(host))).toBe(true));
});

it('calls nothing in this machine under a name that promises a public server', async () => {
  // The name stands in every hosts file, and does not say that it is this machine.
  const request = { method: 'POST', headers: {}, body: '', signal: AbortSignal.timeout(5000) };
  const called = guardedFetch(new URL('http://ip6-localhost:9/'), request);
  await expect(called).rejects.toBeInstanceOf(NeverLeft);
  await expect(called).rejects.toThrow(/not a public address|ENOTFOUND|EAI_AGAIN/);
});
