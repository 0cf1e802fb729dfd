// Entry of the workflow bundle: workflow functions only.
export { agentSession } from './agent-session.ts';
export { delivery } from './delivery.ts';
export { readStored } from './read-stored.ts';
export { taskBoard } from './task-board.ts';
export { alertGroup } from './alert-group.ts';
export { alertReceiver } from './alert-receiver.ts';
