import { buildProgramsWhenNeeded } from './program-build.ts';

/** The global setup of tests that run the product from outside: it is the program as `npm start` would run it. */
export default function setUpPrograms(): void {
  if (!buildProgramsWhenNeeded()) throw new Error('The server and the exchange could not be built.');
}
