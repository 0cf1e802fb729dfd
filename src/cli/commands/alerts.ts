// holdfast alerts test and send: what a payload would lead to by this configuration, without a server; and one payload
// to a gateway.
import type { Config } from '../../config/config.ts';
import type { AlertsRead } from '@holdfast/alert-intake/read-alerts';
import type { AlertRequest } from '@holdfast/alert-intake/sender-check';
import type { Receiver } from '@holdfast/alert-intake/route';
import { label, name, readNamed } from '../arguments.ts';
import type { Cli, Output } from '../cli.ts';
import type { CliCommand } from '../cli-command.ts';
import { exitCodes } from '../../common/exit-codes.ts';
import { describeAlertEntry, outlookOf } from '../render/describe-alerts.ts';
import { UserError } from '../../common/user-error.ts';
import { addListing, registerInvestigate } from './fates.ts';
import { withParts } from '../with-parts.ts';

type TestOptions = { receiver?: string; header?: Record<string, string> };
type SendOptions = TestOptions & { receiver: string; gateway?: string; tokenFile?: string };

export function registerAlerts(program: CliCommand): void {
  const alerts = program
    .command('alerts')
    .examples([
      'alerts',
      'alerts prod --fate suppressed',
      'alerts test alert.json',
      'alerts send alert.json --receiver prod',
    ]);
  addListing(alerts);
  registerTest(alerts);
  registerSend(alerts);
  registerInvestigate(alerts);
}

const testNotes = `Exit codes: 0 the payload would be taken, 2 its start would fail, 7 it would be refused.`;

function registerTest(alerts: CliCommand): void {
  alerts
    .command('test')
    .description(
      'show the group, route, agent and destinations of each alert of a payload; nothing is started',
    )
    .argument('<file>', 'file with the body of a request, as its sender sends it')
    .option('--receiver <name>', 'receiver of the config; default the only one', name)
    .option(
      '--header <name=value>',
      'header of the request, such as a signature, which is then checked',
      label,
    )
    .examples(
      [
        'alerts test alert.json',
        'alerts test incident.json --receiver pager --header x-pagerduty-signature=v1=<hex>',
      ],
      testNotes,
    )
    .onConfig('whole', async ({ cli, output, config }, file: string, options: TestOptions) => {
      const of = receiverOf(config, options.receiver);
      const read = await readAsGateway(config, of, await requestOf(cli, file, options), output);
      if (!read.ok) {
        // the gateway keeps no value of a body; here it is on the disk
        const came = read.value === undefined ? '' : ` It has ${JSON.stringify(read.value)} there.`;
        throw new UserError(`It would be refused (${read.status}): ${read.reason}${came}`, exitCodes.refused);
      }
      await withParts(config, (parts) => {
        for (const entry of read.groups) {
          const outlook = outlookOf(entry, config, parts);
          if (outlook.problems.length > 0) cli.exitCode = exitCodes.usage;
          output.emit({ type: 'group', receiver: of.name, ...entry, ...outlook });
          output.print(describeAlertEntry(entry, outlook, output.colors));
        }
      });
      if (read.note !== undefined) {
        output.emit({ type: 'note', message: read.note });
        output.print(read.note);
      }
    });
}

function receiverOf({ receivers = {} }: Config, named: string | undefined): Receiver {
  const names = Object.keys(receivers);
  const [only] = names.length === 1 ? names : [];
  const chosen = named ?? only;
  const receiver = chosen !== undefined && Object.hasOwn(receivers, chosen) ? receivers[chosen] : undefined;
  if (chosen !== undefined && receiver !== undefined) return { name: chosen, receiver };
  if (names.length === 0)
    throw new UserError('The config has no "receivers": expected one, to read the alerts with.');
  const problem =
    named === undefined ? 'The config has several receivers' : `There is no receiver "${named}"`;
  throw new UserError(`${problem}: expected --receiver with one of ${names.sort().join(', ')}.`);
}

async function requestOf(cli: Cli, file: string, { header = {} }: TestOptions): Promise<AlertRequest> {
  const headers = new Map(Object.entries(header).map(([key, value]) => [key.toLowerCase(), value]));
  const { alertRequest } = await import('@holdfast/alert-intake/sender-check');
  return alertRequest(await readNamed(cli, file), (key) => headers.get(key));
}

/** A signature is checked where the request has one; a file has none. */
async function readAsGateway(
  config: Config,
  of: Receiver,
  request: AlertRequest,
  { say }: Output,
): Promise<AlertsRead> {
  const { isSigned, readBody, refuseSender } = await import('@holdfast/alert-intake/read-alerts');
  const { pagerdutyHeader } = await import('@holdfast/alert-intake/pagerduty-signature');
  if (of.receiver.signingSecret !== undefined && request.header(pagerdutyHeader) !== undefined) {
    const { readSecret } = await import('../../config/secrets.ts');
    const fetchText = () => Promise.reject(new Error('nothing is fetched in a test'));
    const deps = { resolveSecret: (text: string) => readSecret(config, text), fetchText, now: Date.now() };
    const refusal = await refuseSender(of.receiver, request, deps);
    if (refusal) return refusal;
  } else if (isSigned(of.receiver))
    say('The signature of the sender is not checked here; a gateway does so.');
  return readBody(of, request.parse());
}

function registerSend(alerts: CliCommand): void {
  alerts
    .command('send')
    .description('send a payload to a running gateway, as its sender would')
    .argument('<file>', 'file with the body of a request')
    .requiredOption('--receiver <name>', 'receiver of the gateway', name)
    .option('--gateway <url>', "address of the gateway; default that of the config's gateway", name)
    .option('--token-file <file>', 'file with the token; default the variable HOLDFAST_GATEWAY_TOKEN', name)
    .option('--header <name=value>', 'header of the request, such as a signature', label)
    .examples([
      'alerts send alert.json --receiver prod',
      'alerts send alert.json --receiver prod --gateway https://alerts.example.org --token-file token',
    ])
    .onConfig('keys', async ({ cli, output, config }, file: string, options: SendOptions) => {
      const body = await readNamed(cli, file);
      const { sendAlerts } = await import('../send-alerts.ts');
      const headers = { ...(await signatureOf(config, options.receiver, body)), ...options.header };
      const sent = await sendAlerts(config, body, { ...options, headers, cwd: cli.cwd, say: output.say });
      output.emit({ type: 'sent', ...sent });
      output.print(`The gateway has it: ${sent.url} answered ${sent.status}.`);
      if (sent.note !== undefined) output.print(sent.note);
    });
}

/** As PagerDuty signs; with it the payload of a signed receiver can be sent by hand. */
async function signatureOf(
  config: Config,
  receiver: string,
  body: Uint8Array,
): Promise<Record<string, string>> {
  const { signingSecret } = config.receivers?.[receiver] ?? {};
  if (signingSecret === undefined) return {};
  const { pagerdutyHeader, signPagerduty } = await import('@holdfast/alert-intake/pagerduty-signature');
  const { readSecret } = await import('../../config/secrets.ts');
  return { [pagerdutyHeader]: signPagerduty(body, await readSecret(config, signingSecret)) };
}
