import { describeSeeds } from './seeds.fixture.ts';

describeSeeds(26, 25, 'exits');
