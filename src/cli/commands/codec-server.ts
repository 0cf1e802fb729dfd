// holdfast codec-server: lets the Temporal UI and CLI show encrypted sessions, until Ctrl-C. It needs no Temporal server.
import { loopbackHosts } from '@holdfast/base/loopback';
import { messageOf } from '@holdfast/base/message-of';
import { listeningPort } from '@holdfast/base/listening-port';
import { present } from '@holdfast/base/present';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { portNumber } from '../arguments.ts';
import type { CliCommand } from '../cli-command.ts';
import { UserError } from '../../common/user-error.ts';
import { createPayloadCodec } from '../../codec/payload-codec.ts';
import type { Config } from '../../config/config.ts';
import { readKeys, readSecret } from '../../config/secrets.ts';
import { findDevServer } from '../../dev-server/dev-server.ts';

type Options = { host: string; port: number; origin?: string[]; token?: string; encode?: boolean };

const defaultPort = 8081;

export function registerCodecServer(program: CliCommand): void {
  program
    .command('codec-server')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <port>', 'port to listen on', portNumber, defaultPort)
    .option('--origin <origin...>', "web pages that may ask; default the Temporal UI's address")
    .option('--token <reference>', 'secret://name of a token that every request must bring')
    .option('--encode', 'also encrypt, for "temporal" commands that send input')
    .examples([
      'codec-server',
      'codec-server --port 9000 --origin https://temporal.example.org --token secret://codec-token --host 0.0.0.0',
    ])
    .onConfig('whole', async ({ output, config }, options: Options) => {
      const keys = await readKeys(config);
      if (!keys) throw new UserError('The config has no "encryption": there is nothing to decrypt.');
      const token = options.token === undefined ? undefined : await readSecret(config, options.token);
      if (token === undefined && !loopbackHosts.includes(options.host)) throw needsToken(options.host);
      const origins = options.origin ?? (await uiOrigins(config));
      // it loads Node's HTTP, which other commands do not need
      const { createCodecServer } = await import('../../codec/codec-server.ts');
      const server = createCodecServer({
        // keys are bound to a namespace, and the UI sends that of the page
        codecOf: (namespace = config.temporal.namespace) => createPayloadCodec(namespace, keys),
        origins,
        token,
        encode: options.encode === true,
      });
      const url = await listen(server, options);
      output.emit({ url, origins, keys: [...keys.keys.keys()] });
      output.print(
        `Codec server ${url}\n  temporal workflow show --codec-endpoint ${url} ...\n` +
          `  In the Temporal UI: the codec endpoint of its settings. Allowed pages: ${origins.join(', ') || 'none'}`,
      );
      output.say('Ctrl-C ends it.');
      await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
      server.closeAllConnections();
      server.close();
    });
}

function needsToken(host: string): UserError {
  return new UserError(
    `--host ${host} lets other machines read every session. Expected --token secret://name with it, ` +
      'and a proxy with TLS in front.',
  );
}

async function uiOrigins(config: Config): Promise<string[]> {
  const own = config.temporal.address === undefined ? await findDevServer(config.dir) : undefined;
  const url = own?.uiUrl ?? config.uiUrl;
  if (url === undefined) return [];
  const { origin, port } = new URL(url);
  // the same page under the other name of this machine
  return [...new Set(present([origin, own && `http://localhost:${port}`]))];
}

async function listen(server: Server, { host, port }: Options): Promise<string> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new UserError(
      `Cannot listen on ${host}:${port} (${messageOf(error)}). Expected a free port: name another with --port.`,
    );
  }
  return `http://${host.includes(':') ? `[${host}]` : host}:${listeningPort(server)}`;
}
