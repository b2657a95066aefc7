import { describeSeeds } from './seeds.fixture.ts';

describeSeeds(61, 60);
