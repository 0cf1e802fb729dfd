// A program that starts a session and looks after it by its handle: it steers, answers an approval, reads the snapshot,
// and waits for the result.
//
//   npx node session-handle.ts <host:port of the Temporal server> <task queue of the worker>
import { Connection } from '@temporalio/client';
// 'holdfast/client' in a project of your own
import { type SessionHandle, createClient } from '../../src/client.ts';

const [address = 'localhost:7233', taskQueue = 'session-handle'] = process.argv.slice(2);
const connection = await Connection.connect({ address });
const client = createClient({ connection, namespace: 'default', taskQueue });

const session = await client.start({ prompt: 'Which script does the config name?' });
console.log(`session ${session.sessionId}`);
const { id } = await session.steer('Read the file itself; do not guess.');

// a listener that returns a promise gets the next event when that has settled
const unsubscribe = session.subscribe(
  async (heard) => {
    if (heard.type === 'approval_requested') await answer(session, heard.callId);
  },
  { onError: (error) => console.error(error) },
);

const result = await session.result();
await unsubscribe.ended;
console.log(`steering ${(await session.receipt(id))?.state}`);
console.log(`${result.status}: ${result.answer}`);
await client.settled();
await connection.close();

/** Another program may ask for this session later, too: `client.session(id)` gives the same handle. */
async function answer({ sessionId }: SessionHandle, callId: string): Promise<void> {
  const later = client.session(sessionId);
  const { turn, waitingFor, approvals } = await later.snapshot();
  const call = approvals.find((pending) => pending.id === callId);
  if (!call) return;
  console.log(`turn ${turn} is waiting for ${waitingFor}: ${call.tool} ${call.args}`);
  // the digest binds the answer to the arguments that were looked at
  await later.approve(callId, { actor: 'session-handle.ts', argsDigest: call.argsDigest });
}
