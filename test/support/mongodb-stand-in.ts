// A server on loopback that speaks MongoDB's wire protocol and answers each command with a given document, for what no real
// server here has: a replica set, operations in progress, users. Messages: OP_QUERY (the first hello), OP_REPLY, OP_MSG.
import { createServer, type Socket } from 'node:net';
import { listeningPort } from '@holdfast/base/listening-port';
import { BSON } from 'mongodb';
import { onTestFinished } from 'vitest';

type Document = { [name: string]: unknown };

/** By the name of the command; any other, credentials, and what `refuses` names are refused as a server does. */
export async function startMongodbStandIn(
  answers: Readonly<Record<string, Document>>,
  refuses: (command: Document) => boolean = () => false,
): Promise<{ url: string; commands: Document[] }> {
  const commands: Document[] = [];
  const hello = {
    isWritablePrimary: true,
    maxWireVersion: 25,
    minWireVersion: 0,
    maxBsonObjectSize: 16_777_216,
    ok: 1,
  };
  const answerOf = (command: Document): Document => {
    const [name = ''] = Object.keys(command);
    if (/^(?:hello|ismaster)$/i.test(name)) return hello;
    commands.push(command);
    if (name === 'saslStart')
      return { ok: 0, errmsg: 'Authentication failed.', code: 18, codeName: 'AuthenticationFailed' };
    return (
      (refuses(command) ? undefined : answers[name]) ?? {
        ok: 0,
        errmsg: `not authorized on admin to execute command { ${name}: 1 }`,
        code: 13,
        codeName: 'Unauthorized',
      }
    );
  };
  const server = createServer((socket) => serve(socket, answerOf));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  const port = listeningPort(server);
  return { url: `mongodb://127.0.0.1:${port}/?directConnection=true`, commands };
}

const [opReply, opQuery, opMessage] = [1, 2004, 2013];

function serve(socket: Socket, answerOf: (command: Document) => Document): void {
  let rest = Buffer.alloc(0);
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
      const message = rest.subarray(0, rest.readInt32LE(0));
      rest = rest.subarray(message.length);
      socket.write(replyTo(message, answerOf));
    }
  });
}

function replyTo(message: Buffer, answerOf: (command: Document) => Document): Buffer {
  const [id, isQuery] = [message.readInt32LE(4), message.readInt32LE(12) === opQuery];
  // flags, name of the collection and two numbers before the document; or flags and the kind of the section
  const start = isQuery ? message.indexOf(0, 20) + 9 : 21;
  const body = Buffer.from(
    BSON.serialize(answerOf(BSON.deserialize(message.subarray(start, start + message.readInt32LE(start))))),
  );
  const front = isQuery ? Buffer.alloc(20) : Buffer.alloc(5);
  if (isQuery) front.writeInt32LE(1, 16);
  const head = Buffer.alloc(16);
  head.writeInt32LE(16 + front.length + body.length, 0);
  head.writeInt32LE(id, 8);
  head.writeInt32LE(isQuery ? opReply : opMessage, 12);
  return Buffer.concat([head, front, body]);
}
