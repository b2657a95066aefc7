import { describeSeeds } from './seeds.fixture.ts';

describeSeeds(1, 50, 'exits');
