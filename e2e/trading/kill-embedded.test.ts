import { describeKills } from './kill-steps.fixture.ts';

describeKills('embedded');
