// Bundle of the memory measurement: sessions as they ship.
export { agentSession } from '../../src/workflows/index.ts';
export { collectGarbage } from './collect-garbage.ts';
