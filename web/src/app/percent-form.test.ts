import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const FOLDERS = ['engine/src', 'contract/src', 'server/src', 'venues/src', 'web/src'];

const isComment = (line: string) => /^\s*(\/\/|\/?\*)/.test(line);

it('writes a percentage in one form wherever a person reads it: "-3.64%"', () => {
  const wrong = FOLDERS.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/\.(test|fixture)\.tsx?$/.test(file))
      .flatMap((file) =>
        readFileSync(path.join(ROOT, folder, file), 'utf8')
          .split('\n')
          .filter((line) => /[\d}] %/.test(line) && !isComment(line))
          .map((line) => `${folder}/${file}: ${line.trim()}`),
      ),
  );
  expect(wrong).toEqual([]);
});
