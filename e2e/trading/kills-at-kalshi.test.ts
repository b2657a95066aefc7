/** The steps of buying at which the product is killed, with what is bought at the second of two venues. */
import { describeKills } from './kill-steps.fixture.ts';
import { whileBuying } from './kills-while-buying.fixture.ts';

describeKills(whileBuying, { venue: 'kalshi' });
