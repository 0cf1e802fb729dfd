// The upload service on its small file system: each upload is a small file, and a trace of each is large and stays.
import { messageOf } from '@holdfast/base/message-of';
import { appendFile, readdir, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  respond,
  endWithParent,
  logTo,
  serve,
} from '../../../../packages/demo/src/checkout/services/service.ts';

endWithParent();
const [spool = '', port = '', logPath = ''] = process.argv.slice(2);
const log = logTo(logPath);
let [uploads, failed] = [0, 0];

async function upload(): Promise<void> {
  uploads += 1;
  const name = `upload-${uploads}.bin`;
  try {
    await appendFile(join(spool, 'trace.bin'), Buffer.alloc(60_000));
    await writeFile(join(spool, name), Buffer.alloc(2_000));
    if (uploads % 10 === 1) log('INFO', `upload stored file=${name}`);
  } catch (error) {
    failed += 1;
    if (failed <= 200) log('ERROR', `upload failed file=${name} reason="${messageOf(error)}"`);
  }
}

async function metrics(): Promise<string> {
  const { bsize, blocks, bavail } = await statfs(spool);
  return [
    `filesystem_size_bytes{mountpoint="spool"} ${bsize * blocks}`,
    `filesystem_avail_bytes{mountpoint="spool"} ${bsize * bavail}`,
    `uploads_total ${uploads}`,
    `uploads_failed_total ${failed}`,
  ].join('\n');
}

async function largest(): Promise<string> {
  const names = await readdir(spool);
  const files = await Promise.all(
    names.map(async (name) => ({ name, size: (await stat(join(spool, name))).size })),
  );
  const sorted = files.toSorted((left, right) => right.size - left.size).slice(0, 5);
  return sorted.map(({ name, size }) => `${size} bytes spool/${name}`).join('\n');
}

setInterval(() => void upload(), 40);
serve(
  {
    'GET /metrics': async (_, response) => respond(response, 200, `${await metrics()}\n`),
    'GET /debug/files': async (_, response) => respond(response, 200, `${await largest()}\n`),
  },
  log,
).listen(Number(port), '127.0.0.1');
