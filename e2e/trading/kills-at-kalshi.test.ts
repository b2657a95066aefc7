/** The steps of buying and canceling at which the product is killed, with what is bought at the second of two venues. */
import { describeKills } from './kill-steps.fixture.ts';
import { afterBuying } from './kills-after-buying.fixture.ts';
import { type Step, whileBuying } from './kills-while-buying.fixture.ts';

const { cancels_answered, batch_ended } = afterBuying;

const stopped: Step = { says: 'SIGTERM ends it in order', run: (chain) => chain.stops() };

describeKills({ ...whileBuying, stopped, cancels_answered, batch_ended }, { venue: 'kalshi' });
