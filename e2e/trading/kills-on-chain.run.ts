/** Killed while shares are converted and dollars are split. KILLS_WALLET is the type of the account's signature. */
import { describeKills } from './kill-steps.fixture.ts';
import { onChain } from './kills-on-chain.fixture.ts';

const type = process.env.KILLS_WALLET ?? '0';
const key = { POLYMARKET_PRIVATE_KEY: `0x${'42'.repeat(32)}` };
const wallet = { POLYMARKET_SIGNATURE_TYPE: type, POLYMARKET_FUNDER: `0x${'d4'.repeat(20)}` };

describeKills(onChain, { env: type === '0' ? key : { ...key, ...wallet } });
