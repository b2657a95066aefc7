import { describeSeeds } from './seeds.fixture.ts';

describeSeeds({ seeds: 50, perChange: 12, world: 'exits' });
