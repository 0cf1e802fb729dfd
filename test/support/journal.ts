// A real journal with chosen entries, which the real journalctl reads: systemd-journal-remote writes it.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const writer = '/lib/systemd/systemd-journal-remote';
const reader = '/usr/bin/journalctl';

/** For the title of a test: empty where both programs are here. */
export const noJournal = [writer, reader].every((program) => existsSync(program))
  ? ''
  : ' (systemd-journal-remote not installed)';

/** An entry of the journal; its time is in milliseconds. */
export type JournalEntry = { at: number; fields: Readonly<Record<string, string>> };

/** A PATH in which `journalctl` reads only these entries, and `systemctl` names its version. */
export async function journalPath(folder: string, entries: readonly JournalEntry[]): Promise<string> {
  await mkdir(folder, { recursive: true });
  const [source, journal] = [join(folder, 'entries.export'), join(folder, 'entries.journal')];
  const blocks = entries.map(({ at, fields }, index) => {
    const all = {
      __CURSOR: `i=${index}`,
      __REALTIME_TIMESTAMP: `${at}000`,
      __MONOTONIC_TIMESTAMP: `${index + 1}`,
      _BOOT_ID: 'a'.repeat(32),
      ...fields,
    };
    return Buffer.concat(Object.entries(all).map(([name, value]) => exported(name, value)));
  });
  await writeFile(source, Buffer.concat(blocks.flatMap((block) => [block, Buffer.from('\n')])));
  await promisify(execFile)(writer, ['-o', journal, source]);
  await writeFile(join(folder, 'journalctl'), `#!/bin/sh\nexec ${reader} --file=${journal} "$@"\n`);
  await writeFile(join(folder, 'systemctl'), '#!/bin/sh\necho Version=252\n');
  for (const name of ['journalctl', 'systemctl']) await chmod(join(folder, name), 0o755);
  return `${folder}:${process.env['PATH']}`;
}

/** https://systemd.io/JOURNAL_EXPORT_FORMATS/#journal-export-format: a value with line feeds has its length in front. */
function exported(name: string, value: string): Buffer {
  if (!value.includes('\n')) return Buffer.from(`${name}=${value}\n`);
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(bytes.length));
  return Buffer.concat([Buffer.from(`${name}\n`), length, bytes, Buffer.from('\n')]);
}
