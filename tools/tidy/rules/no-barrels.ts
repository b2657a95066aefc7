import { isGenerated } from '../places.ts';
import type { Rule } from '../rule.ts';

/** A name is imported from the file that declares it. */
export const noBarrels: Rule = {
  name: 'no barrel files',
  find: (house) =>
    house.sources
      .filter((file) => !isGenerated(file.path))
      .flatMap((file) =>
        file.imports
          .filter(({ isReExport }) => isReExport)
          .map(({ line, specifier }) => ({
            path: file.path,
            line,
            reason: `hands on what ${specifier} declares: import it from there`,
          })),
      ),
};
