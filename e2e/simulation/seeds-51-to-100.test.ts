import { describeSeeds } from './seeds.fixture.ts';

describeSeeds(51, 50);
