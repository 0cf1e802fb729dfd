// Entry of the workflow bundle: workflow functions only.
export { agentSession } from './session/agent-session.ts';
export { delivery } from './delivery/delivery.ts';
export { readStored } from './read-stored.ts';
export { taskBoard } from './board/task-board.ts';
export { alertGroup } from './alerts/alert-group.ts';
export { alertReceiver } from './alerts/alert-receiver.ts';
