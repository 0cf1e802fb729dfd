// Bundle of the memory measurement: the bare workflow alone. Every session of a bundle holds the state of its loaded
// modules, so ours must not be in here.
export { bareAgent } from './bare-workflow.ts';
export { collectGarbage } from './collect-garbage.ts';
