import { describeKills } from './kill-steps.fixture.ts';
import { whileBuying } from './kills-while-buying.fixture.ts';

describeKills(whileBuying);
