// `npm run tidy`: the rules of the house, which `npm test` holds too.
import { checkWalls } from './tidy/check-walls.ts';

process.exitCode = checkWalls().failures.length === 0 ? 0 : 1;
