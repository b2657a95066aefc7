import type { Rule } from '../rule.ts';

const PERSONAL_FOLDERS = ['home', 'Users', 'root', 'work'].join('|');
const MACHINE_PATH = new RegExp(String.raw`(?<![\w./-])(?:file://)?/(?:${PERSONAL_FOLDERS})/[\w.-]+|\b[A-Z]:\\Users\\`);
const REGISTRY_ADDRESS = /"resolved": "https?:/;

/** The repository says nothing about the machine it was written on. */
export const machinePaths: Rule = {
  name: 'no path of a machine and no address of a registry',
  find: (repository) =>
    [...repository.files].flatMap(([path, text]) =>
      text.split('\n').flatMap((content, index) => {
        const found = (content.match(MACHINE_PATH) ?? content.match(REGISTRY_ADDRESS))?.[0];
        return found === undefined ? [] : [{ path, line: index + 1, reason: `${found} exists on one machine only` }];
      }),
    ),
};
