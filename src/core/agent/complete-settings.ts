// Settings as an older version has recorded them, with the options of today: histories and carried states outlive the
// code that made them. Pure.
import { agentDefaults } from '../model/agent-spec.ts';
import type { AgentSettings, QueueOptions } from '../model/agent-spec.ts';

/** Version 1 had the modes of the queues beside the other options. */
type Recorded = Partial<AgentSettings> & Partial<Pick<QueueOptions, 'steeringMode' | 'followUpMode'>>;

/** Every option with a value; what is there stays as it is. */
export function completeSettings(recorded: Recorded): AgentSettings {
  const { steeringMode, followUpMode, ...settings } = recorded;
  const modes = {
    ...(steeringMode === undefined ? {} : { steeringMode }),
    ...(followUpMode === undefined ? {} : { followUpMode }),
  };
  return {
    ...{ ...agentDefaults, instructions: '', tools: [] },
    ...settings,
    condense: { ...agentDefaults.condense, ...settings.condense },
    queues: { ...agentDefaults.queues, ...modes, ...settings.queues },
  };
}
