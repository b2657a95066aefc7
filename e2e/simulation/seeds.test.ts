import { describeSeeds } from './seeds.fixture.ts';

describeSeeds({ seeds: 200, perChange: 9, world: 'trading' });
