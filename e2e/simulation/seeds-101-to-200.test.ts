import { describeSeeds } from './seeds.fixture.ts';

describeSeeds(101, 100);
