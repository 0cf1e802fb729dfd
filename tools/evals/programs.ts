// Programs of Debian's packages that incidents start. Node.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];

/** The rest of "skipped: "; undefined if all of them are there. */
export function lacksPrograms(...names: string[]): string | undefined {
  const missing = names.filter((name) => !folders.some((folder) => existsSync(join(folder, name))));
  return missing.length === 0 ? undefined : `${missing.join(', ')} not installed`;
}
