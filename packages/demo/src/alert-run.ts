// The demo by alert: a gateway and the monitoring of the shop, the session that the alert starts, and what was delivered.
// Ends everything that it starts with the closers.
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { SessionHandle } from '../../../src/client.ts';
import { typed } from '../../../src/config/command-line.ts';
import { toPlain } from '../../../src/cli/render/plain-text.ts';
import { createGateway } from '../../../src/gateway/gateway.ts';
import { receiverName, deliveredFolder } from './checkout/config.ts';
import type { Closers } from './closers.ts';
import type { DemoSetting } from './demo-setting.ts';
import { startMonitoring } from './monitoring/monitoring.ts';
import { exitCodes } from '../../../src/common/exit-codes.ts';
import { UserError } from '../../../src/common/user-error.ts';

const lookEveryMs = 500;
/** Prometheus looks each second, and its rule waits for two. */
const alertTimeoutMs = 600_000;
const deliveryTimeoutMs = 20_000;

/** From here on the alert finds its way without the demo. */
export async function startAlerting({ frame, incident, dir }: DemoSetting, closers: Closers): Promise<void> {
  const { access, config, output, cli } = frame;
  const gateway = await createGateway({ config, client: access.client, port: 0, log: () => undefined });
  closers.add(() => gateway.stop(2_000));
  const url = await gateway.start();
  const alertsUrl = `${url}/alerts/${receiverName}`;
  const monitoring = await startMonitoring({
    dir: join(dir, 'monitoring'),
    shopUrl: incident.urls.shop,
    alertsUrl,
    path: cli.environment['PATH'],
    say: output.say,
  });
  closers.add(() => monitoring.stop());
  output.emit({ type: 'monitoring', words: monitoring.words, alertsUrl });
  output.print(`gateway   ${url}\nwatched   by ${monitoring.words}`);
}

/** The session that the alert has started. */
export async function awaitAlert({ frame }: DemoSetting, signal: AbortSignal): Promise<SessionHandle> {
  const { client } = frame.access;
  const giveUpAt = performance.now() + alertTimeoutMs;
  for (;;) {
    const [alert] = await client.alerts.list({ receiver: receiverName, fate: 'investigating' });
    if (alert?.fate.session !== undefined) {
      frame.output.emit({ type: 'alert', ...alert });
      frame.output.print(`alert     ${toPlain(alert.name)} (${alert.severity}): ${toPlain(alert.title)}`);
      return client.session(alert.fate.session);
    }
    if (performance.now() > giveUpAt)
      throw new UserError(
        `No alert came within ${alertTimeoutMs / 1_000} s: its monitoring has logs beside the incident.`,
        exitCodes.failed,
      );
    await pause(lookEveryMs, undefined, { signal });
  }
}

/** Prints the messages that the destination of the demo has received; waits for the end of the session. */
export async function showDelivered(
  { frame, dir, incident }: DemoSetting,
  signal: AbortSignal,
): Promise<void> {
  const { output, cli } = frame;
  const folder = deliveredFolder(incident.place.dir);
  const giveUpAt = performance.now() + deliveryTimeoutMs;
  const list = async (): Promise<string[]> => (await readdir(folder).catch((): string[] => [])).toSorted();
  let names = await list();
  while (!names.some((name) => name.includes('end')) && performance.now() < giveUpAt) {
    await pause(lookEveryMs, undefined, { signal });
    names = await list();
  }
  const files = names.map((name) => relative(cli.cwd, join(folder, name)));
  output.emit({ type: 'delivered', files });
  output.print(`\nDelivered, as files that could be a chat, a mail or a ticket:`);
  for (const file of files) output.print(`  ${file}`);
  const last = names.find((name) => name.includes('end'));
  if (last !== undefined) output.print(`\n${toPlain(await readFile(join(folder, last), 'utf8')).trim()}\n`);
  output.print(`What became of the alert: ${typed('alerts')} (while the demo runs; its files: ${dir})`);
}
