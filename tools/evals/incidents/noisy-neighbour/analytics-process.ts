// A batch job that takes as many connections to the broker as it gets, and keeps them.
import { connect } from 'node:net';
import { endWithParent } from '../../../../packages/demo/src/checkout/services/service.ts';

endWithParent();
const port = Number(process.argv[2]);
console.log(`${new Date().toISOString()} INFO  backfill started workers=64`);
let open = 0;

function work(): void {
  const socket = connect(port, '127.0.0.1', () => socket.write('tenant=analytics\n'));
  socket.once('data', () => {
    open += 1;
    if (open % 8 === 0) console.log(`${new Date().toISOString()} INFO  backfill connections=${open}`);
  });
  // dropped: again, at once, as one should not
  socket.on('error', () => undefined).on('close', () => setTimeout(work, 20));
}

for (let worker = 0; worker < 64; worker += 1) work();
