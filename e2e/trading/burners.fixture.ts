import { availableParallelism } from 'node:os';
import { runProgram } from '../product/process.ts';

const BURNERS_PER_CORE = 2;

/** Keeps every core of the machine busy, so that others get a third of one; returns what ends that. */
export function burnEveryCore(): () => Promise<void> {
  const burners = Array.from({ length: availableParallelism() * BURNERS_PER_CORE }, () =>
    runProgram(process.execPath, ['-e', 'for (;;);'], {}),
  );
  return async () => {
    for (const burner of burners) burner.kill('SIGKILL');
    await Promise.all(burners.map(({ ended }) => ended));
  };
}
