// holdfast gateway: serves alerts and programs over HTTP, until a signal ends it. `dev --gateway` runs one too.
import type { Gateway } from '../../gateway/gateway.ts';
import { portNumber, wholeNumber } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import type { CliCommand } from '../cli-command.ts';
import type { ServerCommand } from '../server-access.ts';

type Options = { port?: number; grace: number };

export function registerGateway(program: CliCommand): void {
  program
    .command('gateway')
    .option('--port <port>', 'port to listen on; default gateway.port of the config, else 7080', portNumber)
    .option('--grace <seconds>', 'time to finish running requests after SIGTERM', wholeNumber, 25)
    .examples(
      ['gateway', 'gateway --port 7443 --grace 60'],
      'Sessions need workers beside it: "worker", or "dev --gateway" for both in one process. Standard error has the access log.',
    )
    .onServer(serve, { create: true, config: 'whole' });
}

async function serve(frame: ServerCommand, { port, grace }: Options): Promise<void> {
  const gateway = await startGateway(frame, { port });
  await new Promise<void>((resolve) => onSignal(frame.cli, resolve));
  await gateway.stop(grace * 1_000);
}

/** Standard error belongs to its log: everything for people is on standard output. */
export async function startGateway(
  { cli, config, access, output }: ServerCommand,
  { port, besideWorker = false }: { port?: number | undefined; besideWorker?: boolean } = {},
): Promise<Gateway> {
  // a person reads the worker's lines there
  const isQuiet = besideWorker && cli.stderr.isTTY === true;
  // it loads Node's HTTP and hono, which other commands do not need
  const { createGateway } = await import('../../gateway/gateway.ts');
  const gateway = await createGateway({
    config,
    client: access.client,
    port,
    log: (line) => {
      if (!isQuiet || line.status >= 400) cli.stderr.write(`${JSON.stringify(line)}\n`);
    },
  });
  const url = await gateway.start();
  const { callers } = gateway;
  const receivers = Object.entries(config.receivers ?? {}).map(([name, { format }]) => ({ name, format }));
  output.emit({ type: 'gateway', url, callers, receivers });
  output.print(`gateway  ${url}`);
  for (const { name, may } of callers) output.print(`caller   ${name}: ${may.join(', ')}`);
  for (const { name, format } of receivers) output.print(`receiver ${url}/alerts/${name} (${format})`);
  if (callers.length === 0)
    output.print(
      'warning: no tokens: every program on this machine may start, steer and answer sessions. Name callers in gateway.tokens of the config.',
    );
  return gateway;
}

/** Calls `end` at the first signal; the second ends the process. */
export function onSignal({ signals }: Cli, end: () => void): void {
  const first = (): void => {
    signals.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));
    end();
  };
  signals.once('SIGINT', first).once('SIGTERM', first);
}
