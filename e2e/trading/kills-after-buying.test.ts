import { describeKills } from './kill-steps.fixture.ts';
import { afterBuying } from './kills-after-buying.fixture.ts';

describeKills(afterBuying);
