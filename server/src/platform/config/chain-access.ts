import { modeOf, type VenueMode } from '@dutchbook/contract/status.ts';
import { type ChainConfig, POLYMARKET_DEFAULTS } from '@dutchbook/venues/polymarket/config.ts';
import type { Variables } from './variables.ts';

const NODES_MAX = 2;
const SENDERS_MAX = 20;
const ADDRESS = /^0x[0-9a-f]{40}$/i;
const RELAYER_URL = 'https://relayer-v2.polymarket.com';
/** Any will do on the simulated exchange, which issues none. */
const SIMULATED_RELAYER_KEY = 'simulated';
const GAS_CAP = /^\d{1,6}(\.\d{1,18})?$/;

/** The simulated exchange stands in for the chain below its own address, so that there nothing needs to be named. */
export function readChainAccess(read: Variables, venueMode: VenueMode, clobUrl: string): ChainConfig {
  const isSimulated = modeOf(venueMode).onExchange === true;
  const hasExchange = isSimulated && clobUrl !== '';
  const relayerUrl = hasExchange ? `${clobUrl}/relayer` : RELAYER_URL;
  const gasCap = read.text('POLYMARKET_GAS_CAP') ?? POLYMARKET_DEFAULTS.chain.gasCap;
  if (!GAS_CAP.test(gasCap)) read.complain('POLYMARKET_GAS_CAP', 'an amount of POL, as 0.5');
  return {
    rpcUrls: readNodes(read) ?? (hasExchange ? [`${clobUrl}/_chain/rpc`, `${clobUrl}/_chain/rpc2`] : []),
    relayerUrl: read.url('POLYMARKET_RELAYER_URL', ['http:', 'https:'], relayerUrl),
    relayerKey: read.text('POLYMARKET_RELAYER_KEY') ?? (isSimulated ? SIMULATED_RELAYER_KEY : null),
    gasCap,
    confirmations: POLYMARKET_DEFAULTS.chain.confirmations,
    rewardSenders: withMore(read, 'POLYMARKET_REWARD_SENDERS', POLYMARKET_DEFAULTS.chain.rewardSenders),
    rebateSenders: withMore(read, 'POLYMARKET_REBATE_SENDERS', POLYMARKET_DEFAULTS.chain.rebateSenders),
    directional: read.choice('POLYMARKET_DIRECTIONAL', ['on', 'off'], isSimulated ? 'on' : 'off') === 'on',
  };
}

/** The addresses that are known, and those that are named beside them. */
function withMore(read: Variables, name: string, known: readonly string[]): string[] {
  const named = (read.text(name) ?? '').split(',').flatMap((text) => text.trim() || []);
  const isFine = named.length <= SENDERS_MAX && named.every((text) => ADDRESS.test(text));
  if (!isFine)
    read.complain(name, `at most ${SENDERS_MAX} addresses, 0x and 40 hexadecimal digits, separated by commas`);
  return [...known, ...named];
}

/** Null where none is named. */
function readNodes(read: Variables): string[] | null {
  const urls = read
    .text('POLYMARKET_RPC_URLS')
    ?.split(',')
    .map((url) => url.trim());
  if (urls === undefined) return null;
  const isFine = urls.length <= NODES_MAX && urls.every((url) => /^https?:$/.test(URL.parse(url)?.protocol ?? ''));
  if (!isFine) read.complain('POLYMARKET_RPC_URLS', 'one or two http:// or https:// URLs, separated by a comma');
  return urls;
}
