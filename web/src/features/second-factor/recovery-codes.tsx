import { Button } from '@mantine/core';
import { ButtonRow } from '../../ui/button-row.tsx';
import { copyText } from '../../ui/copyable.tsx';
import { saveFile } from '../../ui/save-file.ts';

/** Asked before a dialog that shows them closes otherwise than by its button. */
export const LOSES_CODES = 'Close? These recovery codes are not shown again.';

/** Shown once, with the ways to keep them. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const text = codes.join('\n');
  return (
    <div className="stack">
      <p>
        Each of these opens your account once if you lose the phone or the key. They are not shown again: keep them
        where neither is.
      </p>
      <ul aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <ButtonRow>
        <Button variant="default" onClick={() => copyText(text, 'Recovery codes')}>
          Copy
        </Button>
        <Button variant="default" onClick={() => saveFile(`${text}\n`, 'dutchbook-recovery-codes.txt', 'text/plain')}>
          Download
        </Button>
        <Button onClick={onKept}>I Have Kept Them</Button>
      </ButtonRow>
    </div>
  );
}
