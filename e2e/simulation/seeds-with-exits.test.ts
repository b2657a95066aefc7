import { describeSeeds } from './seeds.fixture.ts';

describeSeeds({ seeds: 50, perChange: 3, world: 'exits' });
