// A real SMTP server on loopback for one test: it keeps the mails that it takes, and the users who came.
import { listeningPort } from '@holdfast/base/listening-port';
import { onTestFinished } from 'vitest';
import { SMTPServer } from 'smtp-server';

/** `client`: the name that the client gave itself. */
export type TakenMail = { from: string; to: string[]; raw: string; client: string };

type Extras = { refuseTo?: (address: string) => number | undefined; tls?: { cert: Buffer; key: Buffer } };

/**
 * `password` is that of the user `ops`; undefined: a relay without users. `refuse`: the reply code to each mail, `refuseTo` to
 * an address. With `tls` it offers STARTTLS.
 */
export async function startSmtpServer(
  password: string | undefined,
  refuse?: () => number | undefined,
  host = '127.0.0.1',
  { refuseTo, tls }: Extras = {},
): Promise<{ port: number; mails: TakenMail[]; users: string[] }> {
  const mails: TakenMail[] = [];
  const users: string[] = [];
  const server = new SMTPServer({
    authOptional: password === undefined,
    allowInsecureAuth: true,
    disabledCommands: [...(tls ? [] : ['STARTTLS']), ...(password === undefined ? ['AUTH'] : [])],
    ...tls,
    onRcptTo: ({ address }, _session, done) => {
      const responseCode = refuseTo?.(address);
      if (responseCode === undefined) done();
      else done(Object.assign(new Error('mailbox says no'), { responseCode }));
    },
    onAuth: (auth, _session, done) => {
      users.push(auth.username ?? '');
      if (auth.username === 'ops' && auth.password === password) done(null, { user: 'ops' });
      else done(new Error('wrong password'));
    },
    onData: (stream, { envelope, hostNameAppearsAs: client }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const responseCode = refuse?.();
        if (responseCode !== undefined) return done(Object.assign(new Error('not now'), { responseCode }));
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        mails.push({ from, to, client, raw: Buffer.concat(chunks).toString('utf8') });
        return done();
      });
    },
  });
  // a client that leaves in the middle is what some tests are about
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)));
  const port = listeningPort(server.server);
  return { port, mails, users };
}
