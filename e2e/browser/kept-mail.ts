import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../product/eventually.ts';
import type { StartedProduct } from './started-product.ts';

/** The link in the newest mail to `email`, which a product without a mail server keeps in its data folder. */
export function linkMailedTo(email: string, { dataDir }: StartedProduct): Promise<string> {
  const folder = join(dataDir, 'mail');
  return eventually(`a mail to ${email}`, async () => {
    for (const file of (await readdir(folder)).sort().reverse()) {
      const mail = decoded(await readFile(join(folder, file), 'utf8'));
      const [link] = /http:\S+\/reset-password\?token=[\w.-]+/.exec(mail) ?? [];
      if (mail.includes(`To: ${email}`) && link !== undefined) return link;
    }
    return null;
  });
}

/** Undoes what mail does to long lines and to equals signs. */
function decoded(mail: string): string {
  return mail.replace(/=\r?\n/g, '').replaceAll('=3D', '=');
}
