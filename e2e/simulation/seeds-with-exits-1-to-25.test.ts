import { describeSeeds } from './seeds.fixture.ts';

describeSeeds(1, 25, 'exits');
