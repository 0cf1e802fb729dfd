// A worker that only says that it is there, in a process of its own, to be killed: `node presence-child.ts <folder>
// <note>`. Prints a line when the others can see it.
import { announceWorker } from '../../src/worker/worker-presence.ts';

const [folder = '', note = ''] = process.argv.slice(2);
await announceWorker({ folder, note: JSON.parse(note), onLost: () => undefined });
process.stdout.write('seen\n');
// the sockets keep no process
setInterval(() => undefined, 60_000);
