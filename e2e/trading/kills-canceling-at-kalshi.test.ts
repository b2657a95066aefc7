/** The steps of canceling at which the product is killed, with what is bought at the second of two venues. */
import { describeKills } from './kill-steps.fixture.ts';
import { afterBuying } from './kills-after-buying.fixture.ts';

const { cancels_answered, batch_ended } = afterBuying;

describeKills({ cancels_answered, batch_ended }, { venue: 'kalshi' });
