// `npm run recordings -- …`, whether the product runs or not. Files of others may lie of what is in them: tools/recordings.ts limits
// how much memory this may take.
import { recordingsCommand } from './memory/recordings/command.ts';

try {
  await recordingsCommand(process.argv.slice(2), {
    env: process.env,
    say: (line) => void process.stdout.write(`${line}\n`),
  });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
