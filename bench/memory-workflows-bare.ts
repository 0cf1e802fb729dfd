// Bundle of the memory measurement: the bare workflow alone. Every session of a bundle holds what its modules make
// when they are loaded, so that ours must not be in here.
export { bareAgent } from './bare-workflow.ts';
export { collectGarbage } from './collect-garbage.ts';
